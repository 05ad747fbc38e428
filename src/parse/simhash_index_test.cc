#include "parse/simhash_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/rng.h"

namespace bowerbird {
namespace {

// The slow, obvious implementation: scans every fingerprint.
class NaiveIndex {
 public:
  std::uint32_t add(std::uint64_t simhash, std::uint32_t id) {
    return kept_.emplace(simhash, id).first->second;
  }
  std::vector<std::uint64_t> find(std::uint64_t simhash) const {
    std::vector<std::uint64_t> found;
    for (const auto& [kept, id] : kept_) {
      if (std::popcount(kept ^ simhash) <= 3) found.push_back(kept);
    }
    return found;
  }

 private:
  std::map<std::uint64_t, std::uint32_t> kept_;
};

std::vector<std::uint64_t> found_in(const SimhashIndex& index, std::uint64_t simhash) {
  std::vector<SimhashIndex::Match> matches;
  index.find(simhash, matches);
  std::vector<std::uint64_t> found;
  for (const auto& match : matches) found.push_back(match.simhash);
  std::sort(found.begin(), found.end());
  return found;
}

TEST(SimhashIndex, FindsWhatTheNaiveOneFinds) {
  SimhashIndex index;
  NaiveIndex naive;
  Rng rng(1);
  std::vector<std::uint64_t> queries;
  for (std::uint32_t id = 0; id < 3000; ++id) {
    std::uint64_t simhash = rng.next();
    if (id % 3 != 0) {  // near an earlier one
      simhash = queries[rng.below(queries.size())];
      for (std::uint64_t flips = rng.below(6); flips > 0; --flips)
        simhash ^= std::uint64_t{1} << rng.below(64);
    }
    queries.push_back(simhash);
    EXPECT_EQ(index.add(simhash, id), naive.add(simhash, id));
  }
  for (const std::uint64_t query : queries) ASSERT_EQ(found_in(index, query), naive.find(query));
}

TEST(SimhashIndex, FindsEveryFlipOfUpToThreeBits) {
  SimhashIndex index;
  const std::uint64_t kept = 0x0123456789ABCDEFu;
  index.add(kept, 7);
  for (int a = 0; a < 64; ++a) {
    for (int b = a; b < 64; ++b) {
      for (int c = b; c < 64; ++c) {
        const std::uint64_t query =
            kept ^ (std::uint64_t{1} << a | std::uint64_t{1} << b | std::uint64_t{1} << c);
        ASSERT_EQ(found_in(index, query), std::vector<std::uint64_t>{kept});
      }
    }
  }
}

TEST(SimhashIndex, AnswersNearestFirstWithIdAndDistance) {
  SimhashIndex index;
  index.add(0b111, 70000);
  index.add(0b1, 2);
  index.add(0b10, 1);
  index.add(0b11111, 4);
  std::vector<SimhashIndex::Match> matches;
  index.find(0, matches);
  ASSERT_EQ(matches.size(), 3u);
  EXPECT_EQ(matches[0].id, 1u);
  EXPECT_EQ(matches[1].id, 2u);
  EXPECT_EQ(matches[2].id, 70000u);
  EXPECT_EQ(matches[2].distance, 3);
}

TEST(SimhashIndex, KeepsAFingerprintOnce) {
  SimhashIndex index;
  EXPECT_EQ(index.add(5, 10), 10u);
  EXPECT_EQ(index.add(5, 11), 10u);
  EXPECT_EQ(index.size(), 1u);
}

}  // namespace
}  // namespace bowerbird
