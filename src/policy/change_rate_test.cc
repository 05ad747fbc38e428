#include "policy/change_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bowerbird {
namespace {

// The rule as it is written, iterated.
double iterated(const ChangeHistory& history, double prior) {
  const double all = 1 / prior + history.days;
  double rate = prior;
  for (int i = 0; i < 10'000'000; ++i) {
    const double mean = history.changes > 0 ? history.change_days / history.changes : 0;
    const double expected =
        history.changes > 0 ? history.changes * rate * mean / -std::expm1(-rate * mean) : 0;
    const double next = (1 + history.dated + expected) / all;
    if (std::abs(next - rate) <= 1e-13 * rate) return next;
    rate = next;
  }
  return rate;
}

TEST(ChangeRate, IsTheSolutionOfItsEquation) {
  for (const double prior : {0.001, 0.05, 2.0}) {
    for (const double changes : {0.0, 1.0, 3.0, 200.0}) {
      for (const double mean : {0.01, 1.0, 30.0}) {
        for (const double unchanged : {0.0, 0.5, 100.0}) {
          for (const double dated : {0.0, 4.0}) {
            const ChangeHistory history{changes, dated, changes * mean, changes * mean + unchanged + dated};
            const double expected = iterated(history, prior);
            EXPECT_NEAR(change_rate(history, prior), expected, 1e-6 * expected)
                << prior << " " << changes << " " << mean << " " << unchanged << " " << dated;
          }
        }
      }
    }
  }
}

TEST(ChangeRate, WithoutVisitsIsThePrior) {
  EXPECT_DOUBLE_EQ(change_rate({}, 0.05), 0.05);
  EXPECT_DOUBLE_EQ(overall_rate({}), 0.05);
}

TEST(ChangeRate, FallsWithEachVisitThatFindsNothingAndGrowsWithEachThatDoes) {
  ChangeHistory history;
  double last = change_rate(history, 0.1);
  for (int i = 0; i < 5; ++i) {
    history.add_unchanged(10);
    EXPECT_LT(change_rate(history, 0.1), last);
    last = change_rate(history, 0.1);
  }
  for (int i = 0; i < 5; ++i) {
    history.add_change(1);
    EXPECT_GT(change_rate(history, 0.1), last);
    last = change_rate(history, 0.1);
  }
}

TEST(ChangeRate, ManyChangesInLongIntervalsMeanMoreThanOneEach) {
  ChangeHistory history;
  for (int i = 0; i < 50; ++i) history.add_change(10);
  EXPECT_GT(change_rate(history, 1), 0.3);
}

TEST(ChangeRate, DatedChangesCountOnceAndTheDaysSinceThem) {
  ChangeHistory history;
  history.add_dated_change(3);
  EXPECT_DOUBLE_EQ(change_rate(history, 0.1), 2 / (10 + 3.0));
}

TEST(ChangeRate, UncertaintyFallsWithWhatWasSeen) {
  EXPECT_DOUBLE_EQ(rate_uncertainty({}), 1);
  EXPECT_DOUBLE_EQ(rate_uncertainty({90, 9, 100, 200}), 0.1);
}

TEST(ChangeRate, ADateIsCredibleBetweenTheVisitsAndNotAtTheMomentOfTheAnswer) {
  const auto credible = [](Duration modified) {
    return credible_change_time(RefreshTime(modified), RefreshTime(100s), RefreshTime(300s));
  };
  EXPECT_TRUE(credible(200s));
  EXPECT_FALSE(credible(100s));
  EXPECT_FALSE(credible(240'001ms));
  EXPECT_FALSE(credible(900s));
}

TEST(ChangeHistory, WhatIsAddedCanBeTakenOut) {
  ChangeHistory sum{1, 2, 3, 4};
  sum.add({1, 1, 2, 3});
  sum.remove({1, 1, 2, 3});
  EXPECT_DOUBLE_EQ(sum.days, 4);
  sum.remove({10, 10, 10, 10});
  EXPECT_EQ(sum.changes, 0);
}

}  // namespace
}  // namespace bowerbird
