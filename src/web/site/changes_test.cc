#include "web/site/changes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace bowerbird {
namespace {

constexpr std::int64_t kDayUs = 86'400'000'000;
constexpr std::int64_t kNow = 20'000 * kDayUs;

TEST(Changes, WithoutARateNothingChanges) {
  const Changes changes(1, 0);
  EXPECT_EQ(changes.rate_per_day(7), 0);
  EXPECT_EQ(changes.at(7, kNow).key, changes.at(7, kNow + 1000 * kDayUs).key);
  EXPECT_LT(changes.at(7, kNow).since_us, kNow);
}

TEST(Changes, TheMeanOfTheRatesIsTheGivenOne) {
  const Changes changes(1, 3);
  double sum = 0;
  int never = 0;
  constexpr int kPages = 20'000;
  for (PageId page = 0; page < kPages; ++page) {
    sum += changes.rate_per_day(page);
    never += changes.rate_per_day(page) == 0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kPages, 3, 0.1);
  EXPECT_NEAR(never, 0.4 * kPages, 0.02 * kPages);
}

TEST(Changes, AVersionIsValidUntilTheNextOneBegins) {
  const Changes changes(1, 1);
  for (PageId page = 0; page < 50; ++page) {
    const PageVersion version = changes.at(page, kNow);
    EXPECT_LE(version.since_us, kNow);
    const PageVersion then = changes.at(page, version.since_us + 1);
    EXPECT_EQ(then.key, version.key) << page;
    if (changes.rate_per_day(page) > 0) {
      EXPECT_NE(changes.at(page, version.since_us - 1000).key, version.key) << page;
    }
  }
}

TEST(Changes, TimesAgreeWithTheVersions) {
  const Changes changes(1, 5);
  for (PageId page = 0; page < 50; ++page) {
    std::int64_t last = kNow;
    for (const std::int64_t time : changes.times(page, kNow, kNow + 30 * kDayUs)) {
      EXPECT_GT(time, last);
      EXPECT_EQ(changes.at(page, time).since_us, time);
      EXPECT_NE(changes.at(page, time - 2).key, changes.at(page, time).key);
      EXPECT_EQ(changes.at(page, time - 2).key, changes.at(page, last).key) << "none is left out";
      last = time;
    }
    EXPECT_EQ(changes.times(page, kNow, kNow + 30 * kDayUs).empty(),
              changes.at(page, kNow).key == changes.at(page, kNow + 30 * kDayUs).key);
  }
}

// The number of changes in a long time, and the share of days without one: as in a Poisson process.
TEST(Changes, AreAPoissonProcess) {
  const Changes changes(2, 1);
  constexpr int kDays = 4000;
  for (PageId page = 0; page < 40; ++page) {
    const double rate = changes.rate_per_day(page);
    if (rate != 1) continue;
    int quiet_days = 0;
    std::set<std::uint64_t> versions;
    std::uint64_t last = changes.at(page, kNow).key;
    for (int day = 1; day <= kDays; ++day) {
      for (int part = 1; part <= 50; ++part) {
        versions.insert(changes.at(page, kNow + (day - 1) * kDayUs + part * kDayUs / 50).key);
      }
      const std::uint64_t key = changes.at(page, kNow + day * kDayUs).key;
      quiet_days += key == last ? 1 : 0;
      last = key;
    }
    // A hundred moments a day see nearly all changes: 1 - e^-x of them with x = 1/50 are seen as 0.99 x.
    EXPECT_NEAR(static_cast<double>(versions.size()), 0.99 * kDays, 4 * std::sqrt(kDays)) << page;
    EXPECT_NEAR(quiet_days, std::exp(-1) * kDays, 4 * std::sqrt(0.24 * kDays)) << page;
    return;
  }
  FAIL() << "no page of rate 1 among 40";
}

TEST(Changes, AnotherSeedGivesOtherChanges) {
  int different = 0;
  for (PageId page = 0; page < 20; ++page) {
    different += Changes(1, 1).at(page, kNow).key != Changes(2, 1).at(page, kNow).key ? 1 : 0;
    EXPECT_EQ(Changes(1, 1).at(page, kNow).key, Changes(1, 1).at(page, kNow).key);
  }
  EXPECT_EQ(different, 20);
}

}  // namespace
}  // namespace bowerbird
