#include "fleet/broker_answers.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(BrokerAnswers, SubjectsAreThoseOfTheStream) {
  EXPECT_EQ(read_subjects(R"({"state":{"subjects":{"a.1":1,"a.2":3}}})"),
            (std::vector<std::string>{"a.1", "a.2"}));
  EXPECT_EQ(read_subjects(R"({"state":{}})"), std::vector<std::string>()) << "an empty store names none";
  EXPECT_FALSE(read_subjects(std::nullopt));
  EXPECT_FALSE(read_subjects(R"({"error":{"code":503}})"));
}

TEST(BrokerAnswers, AValueIsThereRemovedOrUnknown) {
  const auto there = read_value(R"({"message":{"seq":7,"data":"b25l"}})");
  ASSERT_TRUE(there && there->entry);
  EXPECT_EQ(there->entry->value, "one");
  EXPECT_EQ(there->entry->revision, 7u);
  // "NATS/1.0\r\nKV-Operation: DEL\r\n\r\n"
  const auto removed =
      read_value(R"({"message":{"seq":8,"hdrs":"TkFUUy8xLjANCktWLU9wZXJhdGlvbjogREVMDQoNCg=="}})");
  ASSERT_TRUE(removed);
  EXPECT_FALSE(removed->entry);
  const auto vanished = read_value(R"({"error":{"code":404}})");
  ASSERT_TRUE(vanished);
  EXPECT_FALSE(vanished->entry);
  EXPECT_FALSE(read_value(R"({"error":{"code":500}})"));
  EXPECT_FALSE(read_value(std::nullopt));
}

TEST(BrokerAnswers, AMessageIsAcceptedWithASequenceNumberOnly) {
  EXPECT_TRUE(is_accepted(R"({"stream":"x","seq":3})"));
  EXPECT_FALSE(is_accepted(R"({"error":{"code":503},"seq":0})"));
  EXPECT_FALSE(is_accepted("\"seq\""));
  EXPECT_FALSE(is_accepted(std::nullopt));
}

TEST(BrokerAnswers, ALogEndsSomewhereOrIsNotThere) {
  const auto found = read_log_end(R"({"state":{"messages":3,"bytes":120,"first_seq":2,"last_seq":4}})");
  ASSERT_TRUE(found && found->end);
  EXPECT_EQ(found->end->first, 2u);
  EXPECT_EQ(found->end->last, 4u);
  EXPECT_EQ(found->end->bytes, 120u);
  const auto none = read_log_end(R"({"error":{"code":404,"err_code":10059}})");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->end);
  EXPECT_FALSE(read_log_end(R"({"error":{"code":503},"state":{}})"));
  EXPECT_FALSE(read_log_end("{}"));
  EXPECT_FALSE(read_log_end(std::nullopt));

  const auto message = read_log_message(R"({"message":{"seq":4,"data":"b25l"}})");
  ASSERT_TRUE(message && message->message);
  EXPECT_EQ(message->message->sequence, 4u);
  EXPECT_EQ(message->message->data, "one");
  const auto gone = read_log_message(R"({"error":{"code":404}})");
  ASSERT_TRUE(gone);
  EXPECT_FALSE(gone->message);
  EXPECT_FALSE(read_log_message(R"({"error":{"code":503}})"));
}

TEST(BrokerAnswers, AnAppendedMessageIsAcceptedConflictsOrIsInDoubt) {
  EXPECT_EQ(read_appended(R"({"stream":"x","seq":8})", 7), AppendResult::kAccepted);
  EXPECT_EQ(read_appended(R"({"stream":"x","seq":9})", 7), AppendResult::kConflict) << "it was not checked";
  EXPECT_EQ(
      read_appended(R"({"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 9"}})", 7),
      AppendResult::kConflict);
  EXPECT_EQ(read_appended(R"({"error":{"code":503,"err_code":10077}})", 7), AppendResult::kUnknown);
  EXPECT_EQ(read_appended("[]", 7), AppendResult::kUnknown);
  EXPECT_EQ(read_appended(std::nullopt, 7), AppendResult::kUnknown);
}

TEST(BrokerAnswers, AQueueIsDeletedIfItWasThereOrNot) {
  EXPECT_TRUE(is_deleted(R"({"success":true})"));
  EXPECT_TRUE(is_deleted(R"({"error":{"code":404}})"));
  EXPECT_FALSE(is_deleted(R"({"error":{"code":500}})"));
  EXPECT_FALSE(is_deleted(std::nullopt));
}

TEST(BrokerAnswers, AQueueSaysWhereItDelivers) {
  const auto queue =
      read_queue(R"({"config":{"deliver_subject":"in"},"num_pending":4,"delivered":{"consumer_seq":9}})");
  ASSERT_TRUE(queue && queue->info);
  EXPECT_EQ(queue->info->to, "in");
  EXPECT_EQ(queue->info->waiting, 4u);
  EXPECT_EQ(queue->info->delivered, 9u);
  EXPECT_FALSE(read_queue(R"({"error":{"code":404}})")->info);
  EXPECT_FALSE(read_queue(std::nullopt));
}

TEST(BrokerAnswers, AStreamThatDoesNotExist) {
  EXPECT_TRUE(is_not_found(R"({"error":{"code":404,"err_code":10059,"description":"stream not found"}})"));
  EXPECT_FALSE(is_not_found(R"({"error":{"code":503}})"));
  EXPECT_FALSE(is_not_found(R"({"config":{},"state":{}})"));
  EXPECT_FALSE(is_not_found(std::nullopt));
}

TEST(BrokerAnswers, WrongTypesDoNotThrow) {
  for (const char* const text :
       {"", "[]", "3", R"({"error":"x"})", R"({"error":[]})", R"({"message":3})",
        R"({"message":{"seq":"x","data":7,"hdrs":[]}})", R"({"state":{"subjects":[1]}})",
        R"({"config":3,"delivered":"x","num_pending":-1})"}) {
    const BrokerAnswer answer(text);
    static_cast<void>(read_subjects(answer));
    static_cast<void>(read_value(answer));
    static_cast<void>(is_accepted(answer));
    static_cast<void>(is_deleted(answer));
    static_cast<void>(read_queue(answer));
  }
}

}  // namespace
}  // namespace bowerbird
