#include "base/varint.h"

#include <gtest/gtest.h>

#include <limits>

namespace bowerbird {
namespace {

const std::uint64_t kValues[] = {0,   1,         127,        128,
                                 300, 1u << 21u, 0xffffffff, std::numeric_limits<std::uint64_t>::max()};

TEST(Varint, NumbersComeBackInTheOrderTheyWerePut) {
  std::string bytes;
  for (const std::uint64_t value : kValues) put_varint(bytes, value);
  VarintReader in(bytes);
  for (const std::uint64_t value : kValues) EXPECT_EQ(in.get(), value);
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.at_end());
}

TEST(Varint, SmallNumbersOfEitherSignTakeOneByte) {
  for (int value = -64; value < 64; ++value) {
    std::string bytes;
    put_signed(bytes, value);
    EXPECT_EQ(bytes.size(), 1u);
    EXPECT_EQ(VarintReader(bytes).get_signed(), value);
  }
  for (const std::int64_t value :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    std::string bytes;
    put_signed(bytes, value);
    EXPECT_EQ(VarintReader(bytes).get_signed(), value);
  }
}

TEST(Varint, EveryCutIsNoticed) {
  for (const std::uint64_t value : kValues) {
    std::string bytes;
    put_varint(bytes, value);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      VarintReader in(std::string_view(bytes).substr(0, size));
      EXPECT_EQ(in.get(), 0u);
      EXPECT_FALSE(in.ok());
    }
  }
}

TEST(Varint, MoreThan64BitsAreRejected) {
  VarintReader eleven("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01");
  eleven.get();
  EXPECT_FALSE(eleven.ok());
  VarintReader large("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
  large.get();
  EXPECT_FALSE(large.ok());
}

TEST(Varint, AStringCannotBeLongerThanItsInput) {
  std::string bytes;
  put_string(bytes, "page");
  VarintReader whole(bytes);
  EXPECT_EQ(whole.get_string(), "page");
  EXPECT_TRUE(whole.at_end());
  VarintReader cut(std::string_view(bytes).substr(0, 4));
  EXPECT_EQ(cut.get_string(), "");
  EXPECT_FALSE(cut.ok());
}

TEST(Varint, AfterAShortReadEverythingIsZero) {
  VarintReader in("\x05");
  EXPECT_EQ(in.get_bytes(2), "");
  EXPECT_EQ(in.get(), 0u);
  EXPECT_EQ(in.get_byte(), 0u);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace bowerbird
