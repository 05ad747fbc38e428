#include "crawl/judge/answer_facts.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

AnswerFacts facts_of(const std::string& fields) {
  return answer_facts("HTTP/1.1 200 OK\r\n" + fields + "\r\n");
}

TEST(AnswerFacts, ReadsTheValidators) {
  const AnswerFacts facts = facts_of(
      "ETag: W/\"x1\"\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:00:00 "
      "GMT\r\nCache-Control: max-age=600\r\n");
  EXPECT_EQ(facts.etag, "W/\"x1\"");
  EXPECT_EQ(facts.date - facts.modified, 2977);
  EXPECT_EQ(facts.fresh_for, 600);
  EXPECT_EQ(conditional_fields(facts.etag, facts.modified),
            "If-None-Match: W/\"x1\"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n");
}

TEST(AnswerFacts, IgnoresImpossibleDates) {
  EXPECT_EQ(
      facts_of("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nLast-Modified: Mon, 07 Nov 1994 08:00:00 GMT\r\n")
          .modified,
      0);
  EXPECT_EQ(facts_of("ETag: no quotes\r\n").etag, "");
  EXPECT_EQ(facts_of("Cache-Control: max-age=600, no-cache\r\n").fresh_for, 0);
  EXPECT_EQ(facts_of("Cache-Control: no-store\r\nExpires: Mon, 07 Nov 2094 08:00:00 GMT\r\n").fresh_for, 0);
  EXPECT_EQ(conditional_fields("", 0), "");
}

}  // namespace
}  // namespace bowerbird
