#include "fetch/coding.h"

#include <gtest/gtest.h>

#include "fetch/coding_stream.h"
#include "web/http/coding.h"

namespace bowerbird {
namespace {

std::string encoded(Coding coding, std::string body) {
  BodyEncoder().encode(coding, body);
  return body;
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i * i) + " bowers\n";
  return text;
}

TEST(DecodeBody, RestoresTheEncodedText) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd}) {
    std::string out;
    EXPECT_EQ(decode_body(coding_name(coding), encoded(coding, sample()), {}, out), CodingResult::kWhole)
        << coding_name(coding);
    EXPECT_EQ(out, sample());
  }
}

// Decodes in pieces of `piece` bytes.
std::string decoded_in_pieces(std::string coding, const std::string& body, std::size_t piece) {
  DecodedSource source(std::move(coding), [&, at = std::size_t{0}](char* to, std::size_t size) mutable {
    const std::size_t n = std::min({size, piece, body.size() - at});
    std::copy_n(body.data() + at, n, to);
    at += n;
    return Result<std::size_t>(n);
  });
  std::string out;
  std::string buffer(1000, '\0');
  for (;;) {
    const auto got = source.read(buffer.data(), buffer.size());
    EXPECT_TRUE(got.ok());
    if (!got.ok() || *got == 0) return out;
    out.append(buffer, 0, *got);
  }
}

TEST(DecodeBody, InPiecesGivesTheSame) {
  std::string large;  // large even when compressed
  std::uint64_t state = 1;
  for (int i = 0; i < 300'000; ++i)
    large += static_cast<char>((state = state * 6364136223846793005u + 1) >> 57);
  for (const std::string& text : {sample(), large, std::string(9'000'000, 'x'), std::string()}) {
    for (const Coding coding : {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd}) {
      const std::string packed = encoded(coding, text);
      for (const std::size_t piece : {7, 65'536}) {
        EXPECT_TRUE(decoded_in_pieces(std::string(coding_name(coding)), packed, piece) == text)
            << coding_name(coding) << " " << text.size() << " " << piece;
      }
    }
    const std::string twice = encoded(Coding::kBrotli, encoded(Coding::kGzip, text));
    EXPECT_TRUE(decoded_in_pieces("gzip, br", twice, 1000) == text);
    EXPECT_TRUE(decoded_in_pieces("br", text, 1000) == text) << "not what its coding says";
    EXPECT_TRUE(decoded_in_pieces("none", text, 1000) == text);
  }
  const std::string packed = encoded(Coding::kGzip, large);
  EXPECT_TRUE(decoded_in_pieces("gzip", packed + packed, 1000) == large + large) << "two members";
  EXPECT_TRUE(large.starts_with(decoded_in_pieces("gzip", packed.substr(0, 150'000), 1000))) << "cut off";
}

TEST(DecodeBody, NoCodingIsPlain) {
  std::string out = "old";
  EXPECT_EQ(decode_body("", "body", {}, out), CodingResult::kPlain);
  EXPECT_EQ(decode_body(" Identity ", "body", {}, out), CodingResult::kPlain);
  EXPECT_EQ(out, "");
}

// RFC 9110, 8.4: listed in the order in which they were applied.
TEST(DecodeBody, SeveralCodingsAreUndoneFromTheLast) {
  std::string out;
  const std::string twice = encoded(Coding::kBrotli, encoded(Coding::kGzip, sample()));
  EXPECT_EQ(decode_body("GZIP, br", twice, {}, out), CodingResult::kWhole);
  EXPECT_EQ(out, sample());
}

TEST(DecodeBody, AnUncompressedBodyIsUnchanged) {
  for (const char* coding :
       {"none", "UTF-8", "compress", "gzip", "deflate", "br", "zstd", "gzip, br", "gzip,gzip,gzip,gzip"}) {
    std::string out = "old";
    EXPECT_EQ(decode_body(coding, "<html>no coding at all</html>", {}, out), CodingResult::kPlain) << coding;
    EXPECT_EQ(out, "");
  }
}

TEST(DecodeBody, Utf16AndImagesAreNotCompressed) {
  using namespace std::string_view_literals;
  std::string out;
  EXPECT_EQ(decode_body("none", "\xff\xfe<\0h\0>\0"sv, {}, out), CodingResult::kPlain);
  EXPECT_EQ(decode_body("none", "GIF89a\1\0\1\0"sv, {}, out), CodingResult::kPlain);
}

TEST(DecodeBody, ACodingThatWasNotAppliedIsSkipped) {
  for (const char* coding : {"gzip, none", "none, gzip", "gzip, gzip", "none"}) {
    std::string out;
    EXPECT_EQ(decode_body(coding, encoded(Coding::kGzip, sample()), {}, out), CodingResult::kWhole) << coding;
    EXPECT_EQ(out, sample());
  }
  std::string out;
  EXPECT_EQ(decode_body("none", encoded(Coding::kZstd, sample()), {}, out), CodingResult::kWhole);
  EXPECT_EQ(out, sample());
}

TEST(DecodeBody, UnknownCodingsAreReported) {
  std::string out;
  EXPECT_EQ(decode_body("compress", "\x1f\x9d\x90 lzw", {}, out), CodingResult::kUnknown);
  EXPECT_EQ(decode_body("gzip,gzip,gzip,gzip", "\x1f\x8b", {}, out), CodingResult::kUnknown);
}

// RFC 1952, 2.3.1: CRC32 and ISIZE are the last eight bytes; RFC 1950: ADLER32 the last four.
TEST(DecodeBody, AWrongChecksumIsReportedAndTheTextIsKept) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    const std::string whole = encoded(coding, sample());
    for (std::size_t from_end = 1; from_end <= (coding == Coding::kGzip ? 8 : 4); ++from_end) {
      std::string wrong = whole;
      wrong[wrong.size() - from_end] ^= 1;
      std::string out;
      EXPECT_EQ(decode_body(coding_name(coding), wrong, {}, out), CodingResult::kWrongChecksum);
      EXPECT_EQ(out, sample());
    }
  }
}

TEST(DecodeBody, ABombIsStoppedAtTheLimits) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd}) {
    const std::string bomb = encoded(coding, std::string(8 << 20, 'b'));
    std::string out;
    CodingLimits by_size;
    by_size.max_bytes = 1 << 20;
    EXPECT_EQ(decode_body(coding_name(coding), bomb, by_size, out), CodingResult::kTooLarge);
    EXPECT_LE(out.size(), by_size.max_bytes);
    CodingLimits by_ratio;
    by_ratio.ratio_from = 1 << 16;
    by_ratio.max_ratio = 10;
    EXPECT_EQ(decode_body(coding_name(coding), bomb, by_ratio, out), CodingResult::kTooLarge);
    EXPECT_LE(out.size(), std::max<std::size_t>(1 << 16, bomb.size() * 10));
  }
}

TEST(DecodeBody, DamageAndTruncationAreReported) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd}) {
    const std::string whole = encoded(coding, sample());
    std::string out;
    EXPECT_EQ(decode_body(coding_name(coding), std::string_view(whole).substr(0, whole.size() / 2), {}, out),
              CodingResult::kCut)
        << coding_name(coding);
    EXPECT_EQ(sample().substr(0, out.size()), out);
    EXPECT_EQ(decode_body(coding_name(coding), "\x01 no coding at all", {}, out), CodingResult::kDamaged)
        << coding_name(coding);
  }
}

TEST(DecodeBody, ConcatenatedGzipMembersAreDecoded) {
  std::string out;
  const std::string two = encoded(Coding::kGzip, "first ") + encoded(Coding::kGzip, "second");
  EXPECT_EQ(decode_body("gzip", two, {}, out), CodingResult::kWhole);
  EXPECT_EQ(out, "first second");
}

}  // namespace
}  // namespace bowerbird
