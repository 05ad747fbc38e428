#include "encoding/encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "encoding/decoder.h"
#include "encoding/encoder.h"

namespace bowerbird {
namespace {

using namespace std::literals;

std::string decoded(Encoding encoding, std::string_view bytes) {
  std::string utf8;
  append_decoded(utf8, encoding, bytes);
  return utf8;
}

// In two pieces, split anywhere, and byte by byte: the same text.
void expect_same_in_pieces(Encoding encoding, std::string_view bytes) {
  const std::string whole = decoded(encoding, bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    TextDecoder decoder(encoding);
    std::string utf8;
    decoder.decode(bytes.substr(0, cut), utf8, false);
    decoder.decode(bytes.substr(cut), utf8, true);
    EXPECT_EQ(utf8, whole) << encoding_name(encoding) << " cut at " << cut;
  }
  TextDecoder decoder(encoding);
  std::string utf8;
  for (const char& byte : bytes) decoder.decode({&byte, 1}, utf8, false);
  decoder.decode({}, utf8, true);
  EXPECT_EQ(utf8, whole) << encoding_name(encoding);
}

// Characters that the encoding lacks become "&#N;".
std::string encoded(Encoding encoding, std::u32string_view text) {
  TextEncoder encoder(encoding);
  std::string bytes;
  for (const char32_t c : text) {
    const char32_t lacking = encoder.encode(c, bytes);
    if (lacking != 0) bytes += "&#" + std::to_string(static_cast<std::uint32_t>(lacking)) + ";";
  }
  encoder.finish(bytes);
  return bytes;
}

std::vector<Encoding> all_encodings() {
  std::vector<Encoding> all;
  for (unsigned i = 0; i < kEncodingCount; ++i) all.push_back(static_cast<Encoding>(i));
  return all;
}

// Encoding Standard 4.2.
TEST(Encoding, LabelsAreReadInAnyCaseWithoutSurroundingSpace) {
  EXPECT_EQ(encoding_of_label(" Latin1\n"), Encoding::kWindows1252);
  EXPECT_EQ(encoding_of_label("ISO-8859-1"), Encoding::kWindows1252);
  EXPECT_EQ(encoding_of_label("UTF8"), Encoding::kUtf8);
  EXPECT_EQ(encoding_of_label("gb2312"), Encoding::kGbk);
  EXPECT_EQ(encoding_of_label("utf-16"), Encoding::kUtf16Le);
  EXPECT_EQ(encoding_of_label("utf-7"), std::nullopt);
  EXPECT_EQ(encoding_of_label("latin1 l1"), std::nullopt);
  EXPECT_EQ(encoding_of_label(""), std::nullopt);
  EXPECT_EQ(encoding_of_label(std::string(1000, 'x')), std::nullopt);
}

TEST(Encoding, EveryNameIsALabelOfItself) {
  EXPECT_EQ(kEncodingCount, 40u);
  for (const Encoding encoding : all_encodings()) {
    EXPECT_EQ(encoding_of_label(encoding_name(encoding)), encoding);
  }
}

// Bytes and their text, in both directions. The C library's iconv reads many differently.
struct Sample {
  Encoding encoding;
  std::string_view bytes;
  std::u32string_view text;
};

std::string utf8_of(std::u32string_view text) {
  std::string utf8;
  for (const char32_t c : text) append_utf8(utf8, c);
  return utf8;
}

class EncodingSample : public testing::TestWithParam<Sample> {};

TEST_P(EncodingSample, IsReadAndWritten) {
  const Sample& sample = GetParam();
  EXPECT_EQ(decoded(sample.encoding, sample.bytes), utf8_of(sample.text));
  expect_same_in_pieces(sample.encoding, sample.bytes);
  if (output_encoding(sample.encoding) == sample.encoding) {
    EXPECT_EQ(encoded(sample.encoding, sample.text), sample.bytes);
  }
}

constexpr Sample kSamples[] = {
    {Encoding::kUtf8, "caf\xC3\xA9 \xF0\x9F\x98\x80", U"caf\u00E9 \U0001F600"},
    {Encoding::kIbm866, "\x80\xF2\xFF", U"\u0410\u0404\u00A0"},
    {Encoding::kIso8859_2, "\x80\xA1\xFF", U"\u0080\u0104\u02D9"},
    {Encoding::kIso8859_3, "\xA1\xF8", U"\u0126\u011D"},
    {Encoding::kIso8859_4, "\xA2\xBF", U"\u0138\u014B"},
    {Encoding::kIso8859_5, "\xA1\xF0", U"\u0401\u2116"},
    {Encoding::kIso8859_6, "\xC7\xF2", U"\u0627\u0652"},
    {Encoding::kIso8859_7, "\xA4\xA5\xFE", U"\u20AC\u20AF\u03CE"},
    {Encoding::kIso8859_8, "\xE0\xFD", U"\u05D0\u200E"},
    {Encoding::kIso8859_8I, "\xE0\xFD", U"\u05D0\u200E"},
    {Encoding::kIso8859_10, "\xBD\xFF", U"\u2015\u0138"},
    {Encoding::kIso8859_13, "\xA1\xFF", U"\u201D\u2019"},
    {Encoding::kIso8859_14, "\xA1\xFF", U"\u1E02\u00FF"},
    {Encoding::kIso8859_15, "\xA4\xBE", U"\u20AC\u0178"},
    {Encoding::kIso8859_16, "\xA5\xDE", U"\u201E\u021A"},
    {Encoding::kKoi8R, "\xF0\xD2\x93", U"\u041F\u0440\u2320"},
    {Encoding::kKoi8U, "\x93\x97\x9F\xAE\xB4", U"\u2320\u2248\u00F7\u045E\u0404"},
    {Encoding::kMacintosh, "\xC6\xDB\xF0", U"\u2206\u20AC\uF8FF"},
    {Encoding::kWindows874, "\x80\x81\xA1", U"\u20AC\u0081\u0E01"},
    {Encoding::kWindows1250, "\x81\x8A", U"\u0081\u0160"},
    {Encoding::kWindows1251, "\x98\xC6", U"\u0098\u0416"},
    {Encoding::kWindows1252, "\x80\x81\xE9", U"\u20AC\u0081\u00E9"},
    {Encoding::kWindows1253, "\x81\xA2", U"\u0081\u0386"},
    {Encoding::kWindows1254, "\x8E\xD0", U"\u008E\u011E"},
    {Encoding::kWindows1255, "\x81\xCA\xE0", U"\u0081\u05BA\u05D0"},
    {Encoding::kWindows1256, "\x81\xFF", U"\u067E\u06D2"},
    {Encoding::kWindows1257, "\x81\x8D", U"\u0081\u00A8"},
    {Encoding::kWindows1258, "A\xCC.\x8A\xD2", U"A\u0300.\u008A\u0309"},
    {Encoding::kXMacCyrillic, "\xA2\xFF", U"\u0490\u20AC"},
    {Encoding::kGbk, "\x80\xD6\xD0\xFE\x6C", U"\u20AC\u4E2D\uE831"},
    {Encoding::kGb18030, "\xA2\xE3\xA6\xD9\x81\x30\x81\x30\x94\x39\xDA\x33", U"\u20AC\uFE10\u0080\U0001F4A9"},
    {Encoding::kBig5, "\xA4\xA4\xA3\xE1\xA2\x40\xF9\xF9\xFA\x40", U"\u4E2D\u20AC\uFF3C\u2550\U00020547"},
    {Encoding::kEucJp, "\xC6\xFC\xAD\xA1\xF9\xA1\x8E\xB1", U"\u65E5\u2460\u7E8A\uFF71"},
    {Encoding::kIso2022Jp, "a\x1B$BF|y!\x1B(J\\~x\x1B(B", U"a\u65E5\u7E8A\u00A5\u203Ex"},
    {Encoding::kShiftJis, "\x80\x93\xFA\x5C\xB1\xFA\x5C", U"\u0080\u65E5\\\uFF71\u7E8A"},
    {Encoding::kEucKr, "\xC7\xD1\x81\x41\xC6\x52", U"\uD55C\uAC02\uD7A3"},
    {Encoding::kReplacementEncoding, "anything", U"\uFFFD"},
    {Encoding::kUtf16Be, "\0a\xD8=\xDE\0"sv, U"a\U0001F600"},
    {Encoding::kUtf16Le, "a\0=\xD8\0\xDE"sv, U"a\U0001F600"},
    {Encoding::kXUserDefined, "a\x80\xFF", U"a\uF780\uF7FF"},
};

std::string test_name(const testing::TestParamInfo<Sample>& sample) {
  std::string name(encoding_name(sample.param.encoding));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Encodings, EncodingSample, testing::ValuesIn(kSamples), test_name);

TEST(Encoding, HasASampleOfEach) {
  std::set<Encoding> seen;
  for (const Sample& sample : kSamples) seen.insert(sample.encoding);
  EXPECT_EQ(seen.size(), kEncodingCount);
}

// JIS X 0212, which EUC-JP reads but does not write (index jis0212).
TEST(TextDecoder, DecodesBytesThatNoEncoderWrites) {
  EXPECT_EQ(decoded(Encoding::kEucJp, "\x8F\xB0\xA1\x8F\xA2\xB7"), "\u4E02\uFF5E");
  EXPECT_EQ(decoded(Encoding::kIso2022Jp, "\x1B(I1\x1B$@F|"), "\uFF71\u65E5");
  EXPECT_EQ(decoded(Encoding::kShiftJis, "\xF0\x40"), "\uE000");  // private use
  EXPECT_EQ(decoded(Encoding::kBig5, "\x88\x62\x88\xA5\x8E\x69"), "\u00CA\u0304\u00EA\u030C\u7BB8");
  EXPECT_EQ(decoded(Encoding::kGb18030, "\x81\x35\xF4\x37\xA3\xA0"), "\uE7C7\u3000");
}

// The standard's decoders define which bytes an error consumes.
TEST(TextDecoder, ReplacesInvalidBytes) {
  EXPECT_EQ(decoded(Encoding::kUtf8, "a\xFFz\xE2\x82"), "a\uFFFDz\uFFFD");
  EXPECT_EQ(decoded(Encoding::kWindows1253, "\xAA"), "\uFFFD");
  EXPECT_EQ(decoded(Encoding::kShiftJis, "a\xFDz\x81\x21\x85\xA5z"), "a\uFFFDz\uFFFD!\uFFFDz");
  EXPECT_EQ(decoded(Encoding::kEucKr, "\x81\x20\xC9\xA1\xFF"), "\uFFFD \uFFFD\uFFFD");
  EXPECT_EQ(decoded(Encoding::kBig5, "\x81\x40\xA4\x7F\x80"), "\uFFFD@\uFFFD\x7F\uFFFD");
  EXPECT_EQ(decoded(Encoding::kEucJp, "\x8F\xA1\x41\x8E\xE0\x8F\x8F\xA1\x80z"),
            "\uFFFD"
            "A\uFFFD\uFFFD\uFFFDz");
  EXPECT_EQ(decoded(Encoding::kEucJp, "\x8F\xB0"), "\uFFFD");
  EXPECT_EQ(decoded(Encoding::kGbk, "z\xD6"), "z\uFFFD");
  EXPECT_EQ(decoded(Encoding::kGb18030, "\x81\x30z\x81\x30\x81!"), "\uFFFD0z\uFFFD0\uFFFD!");
  EXPECT_EQ(decoded(Encoding::kGb18030, "\x81\x30\x81"), "\uFFFD");
  EXPECT_EQ(decoded(Encoding::kGb18030, "\xFE\x39\xFE\x39\xFF"), "\uFFFD\uFFFD");
}

// 12.2.1.
TEST(TextDecoder, ReadsTheEscapeSequencesOfIso2022Jp) {
  const auto read = [](std::string_view bytes) {
    expect_same_in_pieces(Encoding::kIso2022Jp, bytes);
    return decoded(Encoding::kIso2022Jp, bytes);
  };
  EXPECT_EQ(read("\x1B(J\\~"), "\u00A5\u203E");
  EXPECT_EQ(read("\x1B$B\x1B(B"), "\uFFFD");      // nothing between two sequences
  EXPECT_EQ(read("\x1B$BF\x1B(Ba"), "\uFFFDa");   // half a character
  EXPECT_EQ(read("\x1B$BF\na"), "\uFFFD\uFFFD");  // a line end in place of the second half
  EXPECT_EQ(read("\x1B$BF"), "\uFFFD");
  EXPECT_EQ(read("\x1B"), "\uFFFD");
  EXPECT_EQ(read("\x1B$"), "\uFFFD$");
  EXPECT_EQ(read("\x1B(Xa"), "\uFFFD(Xa");
  EXPECT_EQ(read("\x1B(\x81."), "\uFFFD(\uFFFD.");  // read again, and not a character either
  EXPECT_EQ(read("\x1B$\x0E."), "\uFFFD$\uFFFD.");
  EXPECT_EQ(read("\x1B(\x1B(B."), "\uFFFD(.");
  EXPECT_EQ(read("\x1B\x1B(B."), "\uFFFD.");
  EXPECT_EQ(read("\x0E\x0F\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(read("\x1B(I\x60"), "\uFFFD");
}

// 14.2.1.
TEST(TextDecoder, ReplacesSurrogatesThatStandAlone) {
  EXPECT_EQ(decoded(Encoding::kUtf16Le,
                    "=\xD8"
                    "a\0\0\xDE"
                    "b"sv),
            "\uFFFDa\uFFFD\uFFFD");
  EXPECT_EQ(decoded(Encoding::kUtf16Le,
                    "=\xD8"
                    "b"sv),
            "\uFFFD");
  EXPECT_EQ(decoded(Encoding::kUtf16Be, "\xD8"), "\uFFFD");
}

TEST(TextDecoder, AnyBytesBecomeValidUtf8InEveryEncoding) {
  std::string bytes;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; b += 7) bytes += {static_cast<char>(a), static_cast<char>(b)};
  }
  for (const Encoding encoding : all_encodings()) {
    const std::string utf8 = decoded(encoding, bytes);
    EXPECT_TRUE(is_valid_utf8(utf8)) << encoding_name(encoding);
    EXPECT_LE(utf8.size(), 3 * bytes.size());
  }
}

TEST(TextDecoder, ReadsPlainAscii) {
  for (const Encoding encoding : all_encodings()) {
    if (encoding != Encoding::kReplacementEncoding && !is_utf16(encoding)) {
      EXPECT_EQ(decoded(encoding, "plain <text> \\ ~"), "plain <text> \\ ~");
    }
  }
}

// Characters that are written as others: section 12 and the table in 10.2.2.
bool is_written_as_another(Encoding encoding, char32_t c) {
  const bool japanese = encoding == Encoding::kEucJp || encoding == Encoding::kShiftJis;
  if (japanese && (c == 0xA5 || c == 0x203E || c == 0x2212)) return true;
  if (encoding == Encoding::kIso2022Jp) return c == 0x2212 || (c >= 0xFF61 && c <= 0xFF9F);
  return (encoding == Encoding::kGbk || encoding == Encoding::kGb18030) && c >= 0xE78D && c <= 0xE864;
}

// The planes that have characters in legacy encodings.
TEST(TextEncoder, DecodedTextIsTheEncodedText) {
  for (const Encoding encoding : all_encodings()) {
    if (output_encoding(encoding) != encoding) continue;
    std::u32string text;
    std::string bytes;
    TextEncoder encoder(encoding);
    for (char32_t c = 0x20; c < 0x30000; c = c == 0xFFFF ? 0x20000 : c + 1) {
      if ((c >= 0xD800 && c < 0xE000) || is_written_as_another(encoding, c)) continue;
      const bool lacks = encoder.encode(c, bytes) != 0;
      if (lacks) encoder.encode('?', bytes);
      text += lacks ? U'?' : c;
    }
    encoder.finish(bytes);
    EXPECT_EQ(decoded(encoding, bytes), utf8_of(text)) << encoding_name(encoding);
  }
}

TEST(TextEncoder, NamesWhatTheEncodingLacks) {
  EXPECT_EQ(encoded(Encoding::kWindows1251, U"\u0416\u65E5"), "\xC6&#26085;");
  EXPECT_EQ(encoded(Encoding::kGbk, U"\uE5E5\u0080"), "&#58853;&#128;");
  EXPECT_EQ(encoded(Encoding::kGb18030, U"\uE5E5"), "&#58853;");
  EXPECT_EQ(encoded(Encoding::kXUserDefined, U"\u00E9"), "&#233;");
  EXPECT_EQ(encoded(Encoding::kEucJp, U"\u4E02"), "&#19970;");  // JIS X 0212
  EXPECT_EQ(encoded(Encoding::kWindows1252, U"\U0001F600"), "&#128512;");
}

TEST(TextEncoder, WritesSomeCharactersAsOthers) {
  EXPECT_EQ(encoded(Encoding::kShiftJis, U"\u00A5\u203E\u2212\u7E8A"), "\\~\x81\x7C\xFA\x5C");
  EXPECT_EQ(encoded(Encoding::kEucJp, U"\u00A5\u203E\u2212"), "\\~\xA1\xDD");
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\u2212\uFF71\uFF9E"), "\x1B$B!]%\"!+\x1B(B");
  EXPECT_EQ(encoded(Encoding::kGb18030, U"\uE81E\uE796\uE7C7"), "\xFE\x59\xA6\xF3\x81\x35\xF4\x37");
  EXPECT_EQ(encoded(Encoding::kBig5, U"\u5341\u5345\u256A\u4E00"), "\xA4\x51\xA4\xCA\xF9\xEA\xA4\x40");
}

// 12.2.2: what is returned in an error depends on the character set, and the text ends in ASCII.
TEST(TextEncoder, Iso2022JpChangesItsCharacterSet) {
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\u65E5"), "\x1B$BF|\x1B(B");
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\u00A5a\\"), "\x1B(J\\a\x1B(B\\");
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\u65E5\U0001F600"), "\x1B$BF|\x1B(B&#128512;");
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\u00A5\U0001F600"), "\x1B(J\\&#128512;\x1B(B");
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\u65E5\x1B"), "\x1B$BF|\x1B(B&#65533;");
  EXPECT_EQ(encoded(Encoding::kIso2022Jp, U"\x0E\x0F"), "&#65533;&#65533;");
}

}  // namespace
}  // namespace bowerbird
