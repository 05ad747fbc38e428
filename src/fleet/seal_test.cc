#include "fleet/seal.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

constexpr HashKey kKey{0x0123456789abcdefu, 0xfedcba9876543210u};

TEST(Seal, AMessageIsReadWithTheKeyOfItsFleetOnly) {
  const std::string message = sealed("some bytes", MessageKind::kEnvelope, kKey);
  EXPECT_EQ(unsealed(message, MessageKind::kEnvelope, kKey), "some bytes");
  EXPECT_FALSE(unsealed(message, MessageKind::kEnvelope, {kKey.low, kKey.high + 1}));
  EXPECT_FALSE(unsealed(message, MessageKind::kReceipts, kKey)) << "it is of another kind";
}

TEST(Seal, AChangedOrShortenedMessageIsRefused) {
  const std::string message = sealed("some bytes", MessageKind::kReceipts, kKey);
  for (std::size_t i = 0; i < message.size(); ++i) {
    std::string changed = message;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(unsealed(changed, MessageKind::kReceipts, kKey)) << i;
    EXPECT_FALSE(unsealed(std::string_view(message).substr(0, i), MessageKind::kReceipts, kKey)) << i;
  }
  EXPECT_FALSE(unsealed(message + "x", MessageKind::kReceipts, kKey));
  EXPECT_EQ(unsealed(sealed("", MessageKind::kReceipts, kKey), MessageKind::kReceipts, kKey), "");
}

TEST(Seal, AKeyComesBackFromItsText) {
  const auto key = read_key(key_text(kKey));
  ASSERT_TRUE(key);
  EXPECT_EQ(key->low, kKey.low);
  EXPECT_EQ(key->high, kKey.high);
  EXPECT_FALSE(read_key(""));
  EXPECT_FALSE(read_key(key_text(kKey) + "0"));
  EXPECT_FALSE(read_key("0123456789abcdef0123456789abcdeg"));
}

}  // namespace
}  // namespace bowerbird
