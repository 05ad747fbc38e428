#include "store/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/simulated_disk.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

std::string commit(std::uint64_t number) {
  CommitRecord record;
  record.number = number;
  record.time_us = -5;
  record.store_state = "store";
  record.state = fmt::format("state {}", number);
  record.files = {{"urls.log", 100 * number, number, false, false}, {"warc/x.warc", 7, 0, true, true}};
  std::string frame;
  append_frame(frame, FrameKind::kCommit, record.encode());
  return frame;
}

std::string events(std::string_view text) {
  std::string payload;
  append_event(payload, 16, text);
  std::string frame;
  append_frame(frame, FrameKind::kEvents, payload);
  return frame;
}

Result<std::optional<LastCommit>> last_of(const std::string& journal, std::uint64_t from = 0) {
  SimulatedDisk disk;
  disk.put("/journal", journal);
  const auto file = disk.open("/journal", Disk::Open::kRead);
  CHECK(file.ok());
  return find_last_commit(**file, "/journal", from);
}

std::uint64_t number_of(const Result<std::optional<LastCommit>>& last) {
  EXPECT_TRUE(last.ok()) << last.error().text;
  return last.ok() && *last ? (*last)->record.number : 0;
}

TEST(Journal, ACommitIsReadBackAsItWasWritten) {
  const auto last = last_of(encode_header("about") + commit(3));
  ASSERT_TRUE(last.ok() && *last);
  const CommitRecord& record = (*last)->record;
  EXPECT_EQ(record.number, 3u);
  EXPECT_EQ(record.time_us, -5);
  EXPECT_EQ(record.state, "state 3");
  ASSERT_NE(record.find("urls.log"), nullptr);
  EXPECT_EQ(record.find("urls.log")->bytes, 300u);
  ASSERT_NE(record.find("warc/x.warc"), nullptr);
  EXPECT_TRUE(record.find("warc/x.warc")->open);
  EXPECT_TRUE(record.find("warc/x.warc")->sealed);
  EXPECT_EQ(record.find("none"), nullptr);
}

TEST(Journal, TruncatedAnywhereItGivesTheLastWholeCommit) {
  const std::string first = encode_header("") + events("a") + commit(1);
  const std::string journal = first + events("b") + commit(2);
  for (std::size_t size = 0; size <= journal.size(); ++size) {
    const std::uint64_t wanted = size == journal.size() ? 2 : size >= first.size() ? 1 : 0;
    EXPECT_EQ(number_of(last_of(journal.substr(0, size))), wanted) << size;
  }
}

// The events of a commit and the commit itself are synced together: after a crash the commit may be there
// without the events.
TEST(Journal, OneCommitAfterATornFrameIsTheResultOfACrash) {
  std::string journal = encode_header("") + commit(1) + events("torn") + commit(2);
  journal[journal.find("torn")] = '\0';
  EXPECT_EQ(number_of(last_of(journal)), 1u);
}

TEST(Journal, DamageFollowedByLaterCommitsIsAnError) {
  for (const std::string& behind : {commit(3), events("more")}) {
    std::string journal = encode_header("") + commit(1) + events("torn") + commit(2) + behind;
    const std::size_t place = (encode_header("") + commit(1)).size();
    journal[journal.find("torn")] = '\0';
    const auto last = last_of(journal);
    ASSERT_FALSE(last.ok());
    EXPECT_THAT(last.error().text, HasSubstr(fmt::format("/journal: byte {}: ", place)));
  }
}

TEST(Journal, ReadingMayBeginAtACommit) {
  const std::string first = encode_header("") + commit(1);
  EXPECT_EQ(number_of(last_of(first + events("x") + commit(2), first.size())), 2u);
  EXPECT_EQ(number_of(last_of(first, first.size() + 1)), 0u);
}

TEST(Journal, AnotherFormatIsRefused) {
  SimulatedDisk disk;
  disk.put("/journal", "something else");
  disk.put("/later", events("no header"));
  for (const char* name : {"/journal", "/later"}) {
    const auto file = disk.open(name, Disk::Open::kRead);
    ASSERT_TRUE(file.ok());
    EXPECT_THAT(read_header(**file, name).error().text, HasSubstr("not the journal of a crawl"));
  }
}

TEST(Journal, ATextThatLooksLikeACommitIsIgnored) {
  EXPECT_EQ(number_of(last_of(encode_header("") + commit(1) + events("BBcommit BBcommit") + "BBcommit")), 1u);
}

}  // namespace
}  // namespace bowerbird
