#include "fetch/tls_sessions.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(TlsSessions, EachIsUsedOnce) {
  TlsSessions sessions(1 << 20);
  sessions.put("a.example:443", "first");
  sessions.put("a.example:443", "second");
  EXPECT_EQ(sessions.take("b.example:443"), "");
  EXPECT_EQ(sessions.take("a.example:443"), "second");
  EXPECT_EQ(sessions.take("a.example:443"), "");
  EXPECT_EQ(sessions.bytes(), 0u);
}

TEST(TlsSessions, TheOldestAreRemovedFirst) {
  TlsSessions sessions(100'000);
  for (int i = 0; i < 1000; ++i) sessions.put(std::to_string(i), std::string(1000, 'x'));
  EXPECT_LE(sessions.bytes(), 100'000u);
  EXPECT_EQ(sessions.take("0"), "");
  EXPECT_EQ(sessions.take("999").size(), 1000u);
  sessions.put("huge", std::string(200'000, 'x'));
  EXPECT_EQ(sessions.count(), 0u);
  EXPECT_EQ(sessions.bytes(), 0u);
}

}  // namespace
}  // namespace bowerbird
