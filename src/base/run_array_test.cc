#include "base/run_array.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

TEST(RunArray, AgreesWithAVector) {
  for (const std::uint64_t run : {1u, 2u, 10u, 3000u}) {
    RunArray array;
    std::vector<std::uint32_t> plain;
    Rng rng(run);
    std::uint32_t value = 0;
    for (int i = 0; i < 20'000; ++i) {
      if (rng.below(run) == 0) value = static_cast<std::uint32_t>(rng.below(50));
      array.push_back(value);
      plain.push_back(value);
      ASSERT_EQ(array[plain.size() - 1], value);
    }
    ASSERT_EQ(array.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(array[i], plain[i]) << i;
  }
}

TEST(RunArray, OfOneRunTakesLittleMoreThanABitEach) {
  RunArray array;
  for (int i = 0; i < 1 << 20; ++i) array.push_back(7);
  EXPECT_LT(array.bytes(), (1u << 20) / 7);
}

}  // namespace
}  // namespace bowerbird
