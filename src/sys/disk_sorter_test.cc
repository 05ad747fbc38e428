#include "sys/disk_sorter.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace bowerbird {
namespace {

struct Pair {
  std::uint64_t key = 0;
  std::uint32_t number = 0;

  bool operator<(const Pair& other) const {
    return key != other.key ? key < other.key : number < other.number;
  }
  bool operator==(const Pair&) const = default;
};

std::vector<Pair> sorted_in(std::size_t memory, const std::vector<Pair>& given, bool& on_disk) {
  DiskSorter<Pair> sorter(memory);
  for (const Pair& pair : given) EXPECT_TRUE(sorter.add(pair).ok());
  on_disk = sorter.runs() > 0;
  std::vector<Pair> sorted;
  EXPECT_TRUE(sorter
                  .finish([&](const Pair& pair) {
                    sorted.push_back(pair);
                    return Status();
                  })
                  .ok());
  return sorted;
}

TEST(DiskSorter, SortsTheSameWithAnyMemory) {
  std::vector<Pair> given;
  for (std::uint32_t i = 0; i < 5000; ++i) given.push_back({mix64(i) % 700, i});
  std::vector<Pair> expected = given;
  std::sort(expected.begin(), expected.end());
  for (const std::size_t memory : {1u, 100u, 1000u, 4096u, 1u << 20}) {
    bool on_disk = false;
    EXPECT_EQ(sorted_in(memory, given, on_disk), expected) << memory;
    EXPECT_EQ(on_disk, memory < (1u << 20));
  }
  bool on_disk = false;
  EXPECT_TRUE(sorted_in(100, {}, on_disk).empty());
}

TEST(DiskSorter, StopsWhereTheVisitorFails) {
  DiskSorter<std::uint64_t> sorter(64);
  for (std::uint64_t i = 100; i-- > 0;) ASSERT_TRUE(sorter.add(i).ok());
  const Status stopped =
      sorter.finish([](std::uint64_t i) { return i == 7 ? Status(error("enough")) : Status(); });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().text, "enough");
}

TEST(ScratchArray, HoldsWhatWasAddedAndCanBeChanged) {
  ScratchArray<std::uint32_t> array;
  for (std::uint32_t i = 0; i < 100'000; ++i) ASSERT_TRUE(array.push_back(i).ok());
  ASSERT_TRUE(array.finish().ok());
  ASSERT_EQ(array.size(), 100'000u);
  array[70'000] = 5;
  EXPECT_EQ(array[69'999], 69'999u);
  EXPECT_EQ(array[70'000], 5u);

  auto zeros = ScratchArray<double>::sized(3);
  ASSERT_TRUE(zeros.ok());
  EXPECT_EQ(zeros->size(), 3u);
  EXPECT_EQ((*zeros)[2], 0.0);
  const ScratchArray<double> none;
  EXPECT_TRUE(none.empty());
  auto empty = ScratchArray<double>::sized(0);
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(empty->empty());
}

}  // namespace
}  // namespace bowerbird
