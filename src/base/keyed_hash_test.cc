#include "base/keyed_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace bowerbird {
namespace {

constexpr HashKey kKey = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};

std::string counting(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i);
  return bytes;
}

// The example in the appendix of the paper, and the first of the vectors published with it.
TEST(KeyedHash, IsSipHash) {
  EXPECT_EQ((siphash<2, 4>(kKey, counting(15))), 0xa129ca6149be45e5u);
  EXPECT_EQ((siphash<2, 4>(kKey, "")), 0x726fdb47dd0e0e31u);
  EXPECT_EQ((siphash<1, 3>(kKey, "")), 0xabac0158050fc4dcu);
}

TEST(KeyedHash, DependsOnTheKeyAndOnEveryByte) {
  const std::string text = "http://www.example.org/a/b/c";
  const std::uint64_t hash = siphash<1, 3>(kKey, text);
  EXPECT_NE(hash, (siphash<1, 3>({kKey.low + 1, kKey.high}, text)));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = static_cast<char>(other[i] + 1);
    EXPECT_NE(hash, (siphash<1, 3>(kKey, other)));
    EXPECT_NE(hash, (siphash<1, 3>(kKey, text.substr(0, i))));
  }
}

TEST(KeyedHash, IsTheSameWithinAProcess) {
  EXPECT_EQ(keyed_hash("host.test"), keyed_hash(std::string("host.test")));
  EXPECT_NE(keyed_hash("host.test"), keyed_hash("host.tesu"));
}

}  // namespace
}  // namespace bowerbird
