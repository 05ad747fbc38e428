#include "crawl/judge/outcome_table.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace bowerbird {
namespace {

FetchOutcome answered(int status) {
  FetchOutcome outcome;
  outcome.end = FetchEnd::kAnswered;
  outcome.status = status;
  outcome.head = "HTTP/1.1 X\r\nLocation: /x\r\n\r\n";
  return outcome;
}

TEST(OutcomeTable, HasOneRowForEachKind) {
  std::set<std::string_view> names;
  for (int i = 0; i < kOutcomes; ++i) {
    const OutcomeRule& rule = rule_of(static_cast<Outcome>(i));
    EXPECT_GE(rule.tries, 1);
    EXPECT_EQ(rule.tries > 1, rule.wait_s > 0) << rule.name;
    names.insert(rule.name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kOutcomes));
}

// RFC 9110, section 15.
TEST(OutcomeTable, StatusesHaveTheirKind) {
  const std::pair<Outcome, std::vector<int>> kinds[] = {
      {Outcome::kFetched, {200, 201, 202, 203, 204, 205, 206}},
      {Outcome::kRedirect, {300, 301, 302, 303, 307, 308}},
      {Outcome::kNotFound, {404, 410}},
      {Outcome::kForbidden,
       {400, 401, 402, 403, 405, 406, 407, 409, 411, 412, 413, 414, 415, 416, 417, 422, 426, 451}},
      {Outcome::kTryAgain, {408, 421, 425}},
      {Outcome::kTooMany, {429}},
      {Outcome::kUnavailable, {503}},
      {Outcome::kServerError, {500, 502, 504, 507, 511}},
      {Outcome::kOddStatus, {100, 304, 305, 306, 501, 505, 777}},
  };
  for (const auto& [kind, statuses] : kinds) {
    for (const int status : statuses) EXPECT_EQ(outcome_of(answered(status)), kind) << status;
  }
  FetchOutcome nowhere = answered(302);
  nowhere.head = "HTTP/1.1 302 Found\r\n\r\n";
  EXPECT_EQ(outcome_of(nowhere), Outcome::kOddStatus);
}

TEST(OutcomeTable, WaitsDoubleUpToAnHour) {
  const OutcomeRule& rule = rule_of(Outcome::kUnavailable);
  EXPECT_EQ(retry_wait(rule, 1, -1), 30s);
  EXPECT_EQ(retry_wait(rule, 2, -1), 60s);
  EXPECT_EQ(retry_wait(rule, 40, -1), kLongestWait);
}

TEST(OutcomeTable, RetryAfterIsRespected) {
  const OutcomeRule& rule = rule_of(Outcome::kTooMany);
  EXPECT_EQ(retry_wait(rule, 1, 7), 7s);
  EXPECT_EQ(retry_wait(rule, 1, 0), 1s);
  EXPECT_EQ(retry_wait(rule, 1, 10'000'000), 24h);
  EXPECT_EQ(retry_wait(rule, 1, 7, 0.001), 7s) << "impatience is for our own waits";
  EXPECT_EQ(retry_wait(rule, 1, 7, 2), 14s);
  EXPECT_EQ(retry_wait(rule, 1, -1, 0.5), 15s);
}

}  // namespace
}  // namespace bowerbird
