#include "policy/ridge.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace bowerbird {
namespace {

constexpr Ridge<3>::Vector kTruth = {2, -1, 0.5};

Ridge<3> samples(std::uint64_t from, std::uint64_t to) {
  Ridge<3> ridge;
  for (std::uint64_t i = from; i < to; ++i) {
    const Ridge<3>::Vector x = {1, to_unit(draw(1, i)), to_unit(draw(2, i))};
    ridge.add(x, kTruth[0] + kTruth[1] * x[1] + kTruth[2] * x[2], 1 + static_cast<double>(i % 3));
  }
  return ridge;
}

TEST(Ridge, FindsTheWeightsThatMadeTheSamples) {
  const auto w = samples(0, 50).solve({1e-9, 1e-9, 1e-9}, {});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(w[i], kTruth[i], 1e-6);
}

TEST(Ridge, AddsUpOverParts) {
  Ridge<3> parts = samples(0, 20);
  parts.add(samples(20, 50));
  const auto whole = samples(0, 50).solve({1, 1, 1}, {});
  const auto added = parts.solve({1, 1, 1}, {});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(added[i], whole[i], 1e-12);
}

TEST(Ridge, StaysAtThePriorWithoutSamples) {
  EXPECT_EQ(Ridge<3>().solve({1, 4, 9}, {3, 2, 1}), (Ridge<3>::Vector{3, 2, 1}));
}

// One sample x = (1, 0, 0), y = 4 with penalty 1 towards 2: w minimises (4-w)² + (w-2)².
TEST(Ridge, IsDrawnTowardsThePrior) {
  Ridge<3> ridge;
  ridge.add({1, 0, 0}, 4, 1);
  EXPECT_DOUBLE_EQ(ridge.solve({1, 1, 1}, {2, 0, 0})[0], 3);
}

}  // namespace
}  // namespace bowerbird
