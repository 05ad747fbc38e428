#include "base/lazy_array.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <vector>

namespace bowerbird {
namespace {

TEST(LazyArray, IsZeroUntilWritten) {
  LazyArray<std::uint32_t> array(10'000);
  for (std::size_t i = 0; i < array.size(); ++i) ASSERT_EQ(array[i], 0u);
}

TEST(LazyArray, KeepsItsEntriesWhenItGrows) {
  LazyArray<std::uint64_t> array;
  for (std::uint64_t i = 0; i < 3'000'000; ++i) array.push_back(i * i);
  for (std::uint64_t i = 0; i < array.size(); ++i) ASSERT_EQ(array[i], i * i);
  array.grow_to(5'000'000);
  EXPECT_EQ(array[4'999'999], 0u);
}

TEST(LazyArray, DoesNotMoveWithinWhatWasReserved) {
  LazyArray<std::uint32_t> array;
  array.reserve(10'000'000);
  const std::uint32_t* const before = array.data();
  array.grow_to(10'000'000);
  EXPECT_EQ(array.data(), before);
}

TEST(LazyArray, HoldsMoreThanThereIsMemoryWhereItIsNotTouched) {
  LazyArray<std::uint64_t> array;
  array.reserve(std::uint64_t{1} << 36);
  array.grow_to(std::uint64_t{1} << 36);
  array[std::uint64_t{1} << 35] = 7;
  EXPECT_EQ(array[std::uint64_t{1} << 35], 7u);
}

TEST(LazyArray, GivesBackTheMemoryBehindWhatItShrinksTo) {
  constexpr std::size_t kEntries = 1 << 20, kHalf = kEntries / 2;
  LazyArray<std::uint64_t> array(kEntries);
  for (std::uint64_t i = 0; i < kEntries; ++i) array[i] = i + 1;
  std::uint64_t* const behind = array.data() + kHalf;
  unsigned char there = 0;
  EXPECT_EQ(mincore(behind, 1, &there), 0);
  array.shrink_to(kHalf);
  EXPECT_NE(mincore(behind, 1, &there), 0);
  array.shrink_to(kEntries);
  EXPECT_EQ(array.size(), kHalf);
  array.grow_to(kEntries);
  for (std::uint64_t i = 0; i < kEntries; ++i) ASSERT_EQ(array[i], i < kHalf ? i + 1 : 0);
  array.shrink_to(0);
  array.push_back(7);
  EXPECT_EQ(array[0], 7u);
}

TEST(LazyArray, AppendsAndMoves) {
  LazyArray<std::uint32_t> array;
  array.append(std::vector<std::uint32_t>{1, 2, 3});
  LazyArray<std::uint32_t> other = std::move(array);
  ASSERT_EQ(other.size(), 3u);
  EXPECT_EQ(other[2], 3u);
}

TEST(LazyArray, SaysWhenNoSystemCouldHaveThatMuch) {
  LazyArray<std::uint64_t> array;
  EXPECT_THROW(array.grow_to(~std::size_t{0} / 4), std::bad_alloc);
}

}  // namespace
}  // namespace bowerbird
