#include "export/near_duplicates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

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
    EXPECT_EQ(near.seen(simhash).value(), expected);
    if (!expected) kept.push_back(simhash);
    found += expected;
  }
  EXPECT_GT(found, 500u);
}

TEST(NearDuplicates, PositionsAreCountedInTheOrderOfAdding) {
  Rng rng(12);
  NearDuplicates near;
  std::vector<std::uint64_t> added;
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    added.push_back(rng.next());
    const auto place = near.place_of(added.back());
    ASSERT_TRUE(place.ok());
    ASSERT_EQ(*place, std::pair(i, false));
  }
  for (std::uint32_t i = 0; i < added.size(); i += 997)
    EXPECT_EQ(near.place_of(added[i] ^ 5).value(), std::pair(i, true));
}

}  // namespace
}  // namespace bowerbird
