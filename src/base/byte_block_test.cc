#include "base/byte_block.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

namespace bowerbird {
namespace {

TEST(ByteBlock, SaysWhichBytesAreOfAKind) {
  for (unsigned c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    const std::string text(16, byte);
    const ByteBlock block(text.data(), text.data() + text.size());
    const auto all_or_none = [&](bool is) { return is ? 0xFFFFu : 0u; };
    const bool digit = byte >= '0' && byte <= '9' && c < 0x80;
    const bool letter = c < 0x80 && ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'));
    EXPECT_EQ(block.equal(byte), 0xFFFFu);
    EXPECT_EQ(block.equal(static_cast<char>(c + 1)), 0u);
    EXPECT_EQ(block.between('0', '9'), all_or_none(digit)) << c;
    EXPECT_EQ(block.between(' ', '~'), all_or_none(c >= 0x20 && c < 0x7F)) << c;
    EXPECT_EQ(block.letters(), all_or_none(letter)) << c;
    EXPECT_EQ(block.letters_and_digits(), all_or_none(letter || digit)) << c;
    EXPECT_EQ(block.high(), all_or_none(c >= 0x80)) << c;
    EXPECT_EQ(block.continuing(), all_or_none(c >= 0x80 && c < 0xC0)) << c;
  }
}

TEST(ByteBlock, TheFirstByteIsTheLowestBitAndNothingIsReadPastTheEnd) {
  const std::string text = "a1 b";
  const ByteBlock block(text.data(), text.data() + 3);
  EXPECT_EQ(block.letters(), 1u);
  EXPECT_EQ(block.letters_and_digits(), 3u);
  EXPECT_EQ(block.equal(' '), 4u);
  EXPECT_EQ(block.equal('\0'), 0xFFF8u);
  char out[16];
  block.store(out);
  EXPECT_EQ(std::string(out, 4), std::string("a1 \0", 4));
}

TEST(ByteBlock, CountsBits) {
  EXPECT_EQ(run_of(0), 0u);
  EXPECT_EQ(run_of(0x17), 3u);
  EXPECT_EQ(run_of(0xFFFF), 16u);
  EXPECT_EQ(count_of(0x8101), 3u);
  EXPECT_EQ(count_of(0xFFFF), 16u);
}

TEST(ByteBlock, FindsRunsHoweverLong) {
  const auto run_in = [](const std::string& text, std::size_t at) {
    const char* const end = text.data() + text.size();
    const ByteRun run =
        find_run(text.data() + at, end, [](const ByteBlock& block) { return block.letters(); });
    return std::make_pair(run.begin - text.data(), run.end - text.data());
  };
  using Pair = std::pair<std::ptrdiff_t, std::ptrdiff_t>;
  for (const std::size_t before : {0, 1, 15, 16, 17, 40}) {
    for (const std::size_t size : {1, 2, 15, 16, 17, 31, 32, 33, 100}) {
      const std::string text = std::string(before, '.') + std::string(size, 'x');
      const Pair wanted(before, before + size);
      EXPECT_EQ(run_in(text, 0), wanted);
      EXPECT_EQ(run_in(text + " and more words", 0), wanted);
      EXPECT_EQ(run_in(text + "\xC3\xA9", 0), wanted);
    }
    EXPECT_EQ(run_in(std::string(before, '.'), 0), Pair(before, before));
    EXPECT_EQ(run_in(std::string(before, '.') + "\xC3\xA9t\xC3\xA9", 0), Pair(before, before));
  }
}

}  // namespace
}  // namespace bowerbird
