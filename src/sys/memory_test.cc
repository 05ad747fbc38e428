#include "sys/memory.h"

#include <gtest/gtest.h>

#include <limits>

namespace bowerbird {
namespace {

TEST(Memory, ThisProcessUsesSomeAndThePeakIsNotBelowIt) {
  EXPECT_GT(resident_memory(), 0u);
  EXPECT_GE(peak_resident_memory() + (1u << 20), resident_memory());
}

TEST(Memory, WhatCannotFitIsRefusedWithBothNumbers) {
  EXPECT_TRUE(check_memory("a crumb", 1).ok());
  const Status refused = check_memory("the whole Web", std::numeric_limits<std::uint64_t>::max() / 2);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text.find("the whole Web needs"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
