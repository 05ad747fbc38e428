#include "graph/io/bv_codes.h"

#include <gtest/gtest.h>

#include "graph/io/bv_testing.h"
#include "graph/io/bv_twin.h"

namespace bowerbird {
namespace {

using bv_testing::bytes_of;
using bv_testing::from_bits;
using bv_testing::StringSink;
using bv_testing::to_bits;

struct Answer {
  BvCode code;
  std::uint32_t parameter;
  std::uint64_t number;
  const char* bits;
};

// Gamma, delta and zeta: table 1 of Boldi and Vigna, Codes for the World-Wide Web, whose numbers begin at 1.
// The others by hand from their definitions.
const Answer kAnswers[] = {
    {BvCode::kUnary, 0, 0, "1"},
    {BvCode::kUnary, 0, 1, "01"},
    {BvCode::kUnary, 0, 5, "000001"},
    {BvCode::kGamma, 0, 0, "1"},
    {BvCode::kGamma, 0, 1, "010"},
    {BvCode::kGamma, 0, 2, "011"},
    {BvCode::kGamma, 0, 3, "00100"},
    {BvCode::kGamma, 0, 6, "00111"},
    {BvCode::kGamma, 0, 7, "0001000"},
    {BvCode::kGamma, 0, 14, "0001111"},
    {BvCode::kDelta, 0, 0, "1"},
    {BvCode::kDelta, 0, 1, "0100"},
    {BvCode::kDelta, 0, 2, "0101"},
    {BvCode::kDelta, 0, 3, "01100"},
    {BvCode::kDelta, 0, 7, "00100000"},
    {BvCode::kDelta, 0, 15, "001010000"},
    {BvCode::kZeta, 1, 4, "00101"},
    {BvCode::kZeta, 2, 0, "10"},
    {BvCode::kZeta, 2, 1, "110"},
    {BvCode::kZeta, 2, 2, "111"},
    {BvCode::kZeta, 2, 3, "01000"},
    {BvCode::kZeta, 2, 6, "01011"},
    {BvCode::kZeta, 2, 7, "011000"},
    {BvCode::kZeta, 3, 0, "100"},
    {BvCode::kZeta, 3, 1, "1010"},
    {BvCode::kZeta, 3, 6, "1111"},
    {BvCode::kZeta, 3, 7, "0100000"},
    {BvCode::kZeta, 3, 14, "0100111"},
    {BvCode::kZeta, 3, 15, "01010000"},
    {BvCode::kZeta, 4, 0, "1000"},
    {BvCode::kZeta, 4, 15, "010000000"},
    {BvCode::kGolomb, 1, 2, "001"},
    {BvCode::kGolomb, 3, 0, "10"},
    {BvCode::kGolomb, 3, 1, "110"},
    {BvCode::kGolomb, 3, 2, "111"},
    {BvCode::kGolomb, 3, 3, "010"},
    {BvCode::kGolomb, 3, 8, "001 11"},
    {BvCode::kGolomb, 4, 7, "01 11"},
    {BvCode::kSkewedGolomb, 2, 0, "1 0"},
    {BvCode::kSkewedGolomb, 2, 1, "1 1"},
    {BvCode::kSkewedGolomb, 2, 2, "01 00"},
    {BvCode::kSkewedGolomb, 2, 5, "01 11"},
    {BvCode::kSkewedGolomb, 2, 6, "001 000"},
    {BvCode::kSkewedGolomb, 3, 3, "01 00"},
    {BvCode::kSkewedGolomb, 3, 5, "01 100"},
    {BvCode::kNibble, 0, 0, "1000"},
    {BvCode::kNibble, 0, 7, "1111"},
    {BvCode::kNibble, 0, 8, "0001 1000"},
    {BvCode::kNibble, 0, 100, "0001 0100 1100"},
};

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ') result += c;
  }
  return result;
}

TEST(BvCodes, AreTheOnesOfTheirDefinitions) {
  for (const Answer& answer : kAnswers) {
    const std::string expected = without_blanks(answer.bits);
    SCOPED_TRACE(testing::Message() << "code " << static_cast<int>(answer.code) << ", parameter "
                                    << answer.parameter << ", number " << answer.number);
    StringSink sink;
    BitWriter out(sink);
    bv::write_code(out, answer.code, answer.parameter, answer.number);
    EXPECT_EQ(out.position(), expected.size());
    ASSERT_TRUE(out.finish().ok());
    EXPECT_EQ(to_bits(sink.text(), expected.size()), expected);
    EXPECT_EQ(bv::code_length(answer.code, answer.parameter, answer.number), expected.size());

    const std::string bytes = from_bits(expected);
    BitReader in(bytes_of(bytes));
    EXPECT_EQ(bv::read_code(in, answer.code, answer.parameter), answer.number);
    EXPECT_EQ(in.position(), expected.size());
    EXPECT_FALSE(in.failed());
    EXPECT_EQ(BvTwin::number(bytes_of(bytes), answer.code, answer.parameter), answer.number);
  }
}

// Small numbers, and those around each power of two.
std::vector<std::uint64_t> telling_numbers(unsigned most_bits) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t x = 0; x < 300; ++x) numbers.push_back(x);
  for (unsigned bit = 9; bit < most_bits; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t x : {power - 2, power - 1, power, power + 1, power + power / 3})
      numbers.push_back(x);
  }
  return numbers;
}

// Writes the numbers one after the other, then reads them back with both readers.
void expect_round_trip(BvCode code, std::uint32_t parameter, unsigned most_bits) {
  SCOPED_TRACE(testing::Message() << "code " << static_cast<int>(code) << ", parameter " << parameter);
  const std::vector<std::uint64_t> numbers = telling_numbers(most_bits);
  StringSink sink;
  BitWriter out(sink);
  for (const std::uint64_t x : numbers) {
    const std::uint64_t before = out.position();
    bv::write_code(out, code, parameter, x);
    EXPECT_EQ(out.position() - before, bv::code_length(code, parameter, x)) << x;
  }
  ASSERT_TRUE(out.finish().ok());
  BitReader in(bytes_of(sink.text()));
  for (const std::uint64_t x : numbers) {
    const std::uint64_t start = in.position();
    ASSERT_EQ(bv::read_code(in, code, parameter), x);
    const std::uint64_t length = in.position() - start;
    BitReader again(bytes_of(sink.text()));
    again.seek(start);
    StringSink one;
    BitWriter copy(one);
    for (std::uint64_t i = 0; i < length; ++i) copy.bits(again.bits(1), 1);
    ASSERT_TRUE(copy.finish().ok());
    ASSERT_EQ(BvTwin::number(bytes_of(one.text()), code, parameter), x);
  }
  EXPECT_FALSE(in.failed());
}

TEST(BvCodes, ReadBackWhatTheyWrite) {
  expect_round_trip(BvCode::kUnary, 0, 12);
  expect_round_trip(BvCode::kGamma, 0, 55);
  expect_round_trip(BvCode::kDelta, 0, 55);
  expect_round_trip(BvCode::kNibble, 0, 53);
  for (std::uint32_t k = 1; k <= BvOptions::kMaxZetaK; ++k) expect_round_trip(BvCode::kZeta, k, 34);
  for (const std::uint32_t b : {1u, 2u, 3u, 5u, 8u, 100u, 1u << 20, 0x7fffffffu}) {
    expect_round_trip(BvCode::kGolomb, b, b < 100 ? 12 : 16);
    expect_round_trip(BvCode::kSkewedGolomb, b, b < 100 ? 24 : 32);
  }
}

TEST(BvCodes, NeverEndingPrefixFailsInsteadOfReadingOn) {
  const std::string zeros(40, '\0');
  for (const BvCode code : {BvCode::kUnary, BvCode::kGamma, BvCode::kDelta, BvCode::kZeta, BvCode::kGolomb,
                            BvCode::kSkewedGolomb, BvCode::kNibble}) {
    BitReader in(bytes_of(zeros));
    bv::read_code(in, code, 3);
    EXPECT_TRUE(in.failed()) << static_cast<int>(code);
  }
}

TEST(BvCodes, NumberTooLargeForAnyGraphFails) {
  const std::string gamma = from_bits(std::string(60, '0') + "1" + std::string(60, '1'));
  const std::string delta = from_bits("00000111100" + std::string(60, '1'));
  const std::string zeta = from_bits(std::string(19, '0') + "1" + std::string(60, '1'));
  for (const auto& [code, bytes] :
       {std::pair{BvCode::kGamma, gamma}, {BvCode::kDelta, delta}, {BvCode::kZeta, zeta}}) {
    BitReader in(bytes_of(bytes));
    bv::read_code(in, code, 3);
    EXPECT_TRUE(in.failed()) << static_cast<int>(code);
  }
}

TEST(BvBits, ReadingPastTheEndGivesZerosAndShowsInThePosition) {
  const std::string bytes = "\xff\xff\xff";
  BitReader in(bytes_of(bytes));
  EXPECT_EQ(in.bits(20), 0xfffffu);
  EXPECT_EQ(in.left(), 4u);
  EXPECT_EQ(in.bits(12), 0xf00u);
  EXPECT_EQ(in.position(), 32u);
  EXPECT_GT(in.position(), in.size_in_bits());
  EXPECT_EQ(in.left(), 0u);
}

TEST(BvBits, SeekGoesToAnyBit) {
  Rng rng(1);
  std::string bytes;
  for (int i = 0; i < 40; ++i) bytes.push_back(static_cast<char>(rng.next()));
  const std::string digits = to_bits(bytes, 320);
  BitReader in(bytes_of(bytes));
  for (unsigned at = 0; at < 320; ++at) {
    in.seek(at);
    EXPECT_EQ(in.position(), at);
    EXPECT_EQ(in.bits(1), digits[at] == '1' ? 1u : 0u) << at;
  }
}

TEST(BvBits, LongRunsOfZerosAreCounted) {
  for (const unsigned zeros : {55u, 56u, 57u, 63u, 64u, 111u, 112u, 113u, 1000u}) {
    StringSink sink;
    BitWriter out(sink);
    out.unary(zeros);
    out.bits(5, 3);
    ASSERT_TRUE(out.finish().ok());
    BitReader in(bytes_of(sink.text()));
    EXPECT_EQ(in.unary(), zeros);
    EXPECT_EQ(in.bits(3), 5u);
  }
}

TEST(BvBits, WriterReportsAFullDisk) {
  bv_testing::FullSink sink;
  BitWriter out(sink);
  out.bits(1, 1);
  EXPECT_FALSE(out.finish().ok());
}

TEST(BvCodes, SignedNumbersAlternate) {
  const std::int64_t expected[] = {0, -1, 1, -2, 2, -3};
  for (std::uint64_t x = 0; x < 6; ++x) {
    EXPECT_EQ(bv::to_signed(x), expected[x]);
    EXPECT_EQ(bv::to_natural(expected[x]), x);
  }
}

}  // namespace
}  // namespace bowerbird
