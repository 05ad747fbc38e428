#include "crawl/outcome_table.h"

#include <gtest/gtest.h>

#include <set>

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

TEST(OutcomeTable, StatusesHaveTheirKind) {
  EXPECT_EQ(outcome_of(answered(204)), Outcome::kFetched);
  EXPECT_EQ(outcome_of(answered(301)), Outcome::kRedirect);
  EXPECT_EQ(outcome_of(answered(410)), Outcome::kNotFound);
  EXPECT_EQ(outcome_of(answered(403)), Outcome::kForbidden);
  EXPECT_EQ(outcome_of(answered(429)), Outcome::kTooMany);
  EXPECT_EQ(outcome_of(answered(503)), Outcome::kUnavailable);
  EXPECT_EQ(outcome_of(answered(500)), Outcome::kServerError);
  EXPECT_EQ(outcome_of(answered(777)), Outcome::kOddStatus);
  FetchOutcome nowhere = answered(302);
  nowhere.head = "HTTP/1.1 302 Found\r\n\r\n";
  EXPECT_EQ(outcome_of(nowhere), Outcome::kOddStatus);
}

TEST(OutcomeTable, WaitsDoubleUpToAnHour) {
  const OutcomeRule& rule = rule_of(Outcome::kUnavailable);
  EXPECT_EQ(wait_ms(rule, 1, -1), 30'000);
  EXPECT_EQ(wait_ms(rule, 2, -1), 60'000);
  EXPECT_EQ(wait_ms(rule, 40, -1), kLongestWaitMs);
}

TEST(OutcomeTable, WhatTheServerAsksForHolds) {
  const OutcomeRule& rule = rule_of(Outcome::kTooMany);
  EXPECT_EQ(wait_ms(rule, 1, 7), 7'000);
  EXPECT_EQ(wait_ms(rule, 1, 0), 1'000);
  EXPECT_EQ(wait_ms(rule, 1, 10'000'000), 86'400'000);
}

}  // namespace
}  // namespace bowerbird
