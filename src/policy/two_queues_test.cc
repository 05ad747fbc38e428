#include "policy/two_queues.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"
#include "policy/mass.h"

namespace bowerbird {
namespace {

std::vector<double> scores() {
  std::vector<double> all = {0, 1, 1.0 / 3, std::nextafter(1.0, 2.0), 1e9, 0x1p-255, 0x1p254, mass::kZero};
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    all.push_back(std::ldexp(1 + to_unit(rng.next()), static_cast<int>(rng.below(509)) - 254));
    all.push_back(static_cast<double>(rng.below(1000)));
  }
  const std::size_t half = all.size();
  for (std::size_t i = 0; i < half; ++i) all.push_back(-all[i]);
  return all;
}

TEST(TwoQueues, LoseNothingOfAScore) {
  for (const double score : scores()) {
    for (const bool first : {false, true}) {
      const Score both = two_queues::outer(score, first);
      EXPECT_TRUE(std::isnormal(both)) << score;
      EXPECT_EQ(two_queues::first(both), first) << score;
      EXPECT_EQ(two_queues::inner(both), score);
    }
  }
}

TEST(TwoQueues, OrderByTheQueueFirst) {
  const std::vector<double> all = scores();
  for (const double a : all) {
    for (const double b : all) {
      EXPECT_LT(two_queues::outer(a, false), two_queues::outer(b, true));
      for (const bool first : {false, true}) {
        EXPECT_EQ(two_queues::outer(a, first) < two_queues::outer(b, first), a < b) << a << " " << b;
      }
    }
  }
}

TEST(TwoQueues, KeepTheOrderOfWhatIsOutOfRangeAsFarAsTheyCan) {
  EXPECT_LT(two_queues::outer(0, true), two_queues::outer(1e-300, true));
  EXPECT_LT(two_queues::outer(-1e-300, true), two_queues::outer(0, true));
  EXPECT_EQ(two_queues::inner(two_queues::outer(1e300, true)), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace bowerbird
