#include "export/near_duplicates.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "parse/fingerprint.h"

namespace bowerbird {
namespace {

TEST(NearDuplicates, AreThoseThatASearchThroughAllFinds) {
  Rng rng(11);
  NearDuplicates near;
  std::vector<std::uint64_t> kept;
  std::size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    std::uint64_t simhash = rng.next();
    if (!kept.empty() && rng.below(2) == 0) {
      simhash = kept[rng.below(kept.size())];
      for (std::uint64_t i = 0, bits = rng.below(6); i < bits; ++i)
        simhash ^= std::uint64_t{1} << rng.below(64);
    }
    const bool expected = std::any_of(kept.begin(), kept.end(), [&](std::uint64_t other) {
      return hamming_distance(other, simhash) <= kNearBits;
    });
    EXPECT_EQ(near.seen(simhash), expected);
    if (!expected) kept.push_back(simhash);
    found += expected;
  }
  EXPECT_GT(found, 500u);
}

}  // namespace
}  // namespace bowerbird
