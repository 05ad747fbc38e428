#include "crawl/config/connection_limits.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(ConnectionLimits, AreWhatTheUserWantsWhereFilesAreMany) {
  const ConnectionLimits limits = connection_limits({256, 1024}, 1 << 20);
  EXPECT_EQ(limits.under_way, 256u);
  EXPECT_EQ(limits.idle, 1024u);
}

TEST(ConnectionLimits, StayWithinTheFilesThereAre) {
  for (std::uint64_t files = 8; files < 5000; files = files * 5 / 4 + 1) {
    for (const std::uint64_t wanted : {1u, 16u, 256u, 10'000u}) {
      const ConnectionLimits limits = connection_limits({wanted, 2 * wanted}, files);
      EXPECT_GE(limits.under_way, 1u);
      EXPECT_LE(limits.under_way, wanted);
      if (files >= 32) {
        EXPECT_LT(2 * limits.under_way + limits.idle, files) << files;
      }
    }
  }
}

TEST(ConnectionLimits, ACommonDefaultLeavesRoomForTheDefaultConnections) {
  EXPECT_EQ(connection_limits({256, 1024}, 1024).under_way, 256u);
}

}  // namespace
}  // namespace bowerbird
