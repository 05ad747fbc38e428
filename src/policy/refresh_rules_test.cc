#include "policy/refresh_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace bowerbird {
namespace {

using testing::HasSubstr;

const RefreshRule& rule(std::string_view name) {
  return *find_refresh_rule(name).value();
}

// The definitions, with more digits and no series.
long double index_by_definition(long double w, long double rate, long double days) {
  const long double x = rate * days;
  return w / rate * (1 - (1 + x) * std::exp(-x));
}
long double age_by_definition(long double w, long double rate, long double days) {
  const long double x = rate * days;
  return w * (days * days / 2 + days * std::exp(-x) / rate - (1 - std::exp(-x)) / (rate * rate));
}

TEST(RefreshRules, EveryRowIsWhole) {
  std::set<std::string_view> names;
  for (const RefreshRule& one : refresh_rules()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.summary.empty()) << one.name;
    EXPECT_FALSE(one.formula.empty()) << one.name;
    EXPECT_TRUE(one.value != nullptr && one.days_to != nullptr && one.limit != nullptr) << one.name;
  }
  EXPECT_TRUE(names.contains(kDefaultRefresh));
}

TEST(RefreshRules, AWrongNameIsAnErrorThatHelps) {
  EXPECT_THAT(find_refresh_rule("index-aeg").error().text, HasSubstr("did you mean 'index-age'?"));
  EXPECT_THAT(find_refresh_rule("quicksort").error().text, HasSubstr("choose from: none, uniform"));
}

TEST(RefreshRules, TheIndicesAreWhatTheyAreDefinedAs) {
  for (const double rate : {0.001, 0.05, 1.0, 20.0}) {
    for (double days = 0.01; days < 1000; days *= 1.7) {
      const double x = rate * days;
      const auto index = static_cast<double>(index_by_definition(0.3L, rate, days));
      const auto age = static_cast<double>(age_by_definition(0.3L, rate, days));
      // Without the series the definitions lose digits too: about 1e-19 of 1.
      EXPECT_NEAR(rule("index").value(0.3, rate, days), index, index * (1e-7 + 1e-18 / (x * x)));
      EXPECT_NEAR(rule("index-age").value(0.3, rate, days), age, age * (1e-6 + 1e-18 / (x * x * x)));
    }
  }
  EXPECT_EQ(rule("index").value(1, 0, 10), 0);
  EXPECT_EQ(rule("index-age").value(1, 0, 10), 0);
}

TEST(RefreshRules, DaysToIsTheInverseOfValue) {
  for (const RefreshRule& one : refresh_rules()) {
    for (const double w : {1e-9, 0.01, 1.0}) {
      for (const double rate : {1e-4, 0.05, 3.0}) {
        for (double days = 1e-4; days < 1e4; days *= 1.1) {
          const double value = one.value(w, rate, days);
          if (!(value > 0) || value > 0.999999 * one.limit(w, rate)) continue;
          EXPECT_NEAR(one.days_to(w, rate, value), days, 1e-5 * days) << one.name << " " << w << " " << rate;
        }
      }
    }
  }
}

TEST(RefreshRules, WhatIsBeyondTheLimitIsNeverReached) {
  EXPECT_EQ(rule("index").limit(0.2, 4), 0.05);
  EXPECT_TRUE(std::isinf(rule("index").days_to(0.2, 4, 0.05)));
  EXPECT_FALSE(std::isinf(rule("index").days_to(0.2, 4, 0.04999)));
  EXPECT_TRUE(std::isinf(rule("none").days_to(1, 1, 1e-9)));
  EXPECT_TRUE(std::isinf(rule("index-age").days_to(1, 0, 1e-9)));
  EXPECT_TRUE(std::isinf(rule("importance").days_to(0, 1, 1e-9)));
}

TEST(RefreshRules, NewPagesHaveTheLimitUnderIndex) {
  EXPECT_EQ(rule("index").new_page(0.2, 4), 0.05);
  EXPECT_EQ(rule("index-age").new_page, nullptr);
}

}  // namespace
}  // namespace bowerbird
