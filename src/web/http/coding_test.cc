#include "web/http/coding.h"

#include <brotli/decode.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace bowerbird {
namespace {

std::string inflate_all(std::string_view bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 32), Z_OK);  // gzip or zlib
  std::string out(100'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string decode(Coding coding, const std::string& bytes) {
  std::string out(100'000, '\0');
  std::size_t size = out.size();
  switch (coding) {
    case Coding::kGzip:
    case Coding::kDeflate:
      return inflate_all(bytes);
    case Coding::kBrotli:
      EXPECT_EQ(BrotliDecoderDecompress(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                        &size, reinterpret_cast<std::uint8_t*>(out.data())),
                BROTLI_DECODER_RESULT_SUCCESS);
      break;
    case Coding::kZstd:
      size = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
      EXPECT_FALSE(ZSTD_isError(size));
      break;
    case Coding::kIdentity:
      return bytes;
  }
  out.resize(size);
  return out;
}

TEST(Coding, EachOneComesBackWholeAndIsTheSameEveryTime) {
  BodyEncoder encoder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "some text that can be made shorter ";
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kCodings; ++i) {
      const auto coding = static_cast<Coding>(i);
      std::string body = text;
      encoder.encode(coding, body);
      EXPECT_EQ(decode(coding, body), text) << coding_name(coding);
      EXPECT_TRUE(coding == Coding::kIdentity || body.size() < text.size() / 10);
      std::string again = text;
      BodyEncoder().encode(coding, again);
      EXPECT_EQ(again, body) << coding_name(coding);
    }
  }
}

TEST(Coding, AnEmptyBodyCanBeEncodedToo) {
  for (int i = 0; i < kCodings; ++i) {
    std::string body;
    BodyEncoder().encode(static_cast<Coding>(i), body);
    EXPECT_EQ(decode(static_cast<Coding>(i), body), "");
  }
}

// RFC 9110, 12.5.3.
TEST(Coding, AcceptEncodingIsReadWithItsWeights) {
  EXPECT_TRUE(accepted_codings("").empty());
  EXPECT_TRUE(accepted_codings("identity").empty());
  EXPECT_TRUE(accepted_codings("gzip, br").has(Coding::kGzip));
  EXPECT_TRUE(accepted_codings("GZIP;q=0.5").has(Coding::kGzip));
  EXPECT_TRUE(accepted_codings("x-gzip").has(Coding::kGzip));
  EXPECT_FALSE(accepted_codings("gzip;q=0, br").has(Coding::kGzip));
  EXPECT_FALSE(accepted_codings("gzip ; q=0.000, br").has(Coding::kGzip));
  EXPECT_TRUE(accepted_codings("gzip;q=0.001").has(Coding::kGzip));
  EXPECT_TRUE(accepted_codings("*").has(Coding::kZstd));
  EXPECT_FALSE(accepted_codings("*, zstd;q=0").has(Coding::kZstd));
  EXPECT_TRUE(accepted_codings("zstd, *;q=0").has(Coding::kZstd));
  EXPECT_FALSE(accepted_codings("zstd, *;q=0").has(Coding::kGzip));
}

TEST(Coding, PicksAnElementOfTheSet) {
  CodingSet set;
  EXPECT_EQ(set.pick(3), Coding::kIdentity);
  set.add(Coding::kBrotli);
  set.add(Coding::kGzip);
  EXPECT_EQ(set.pick(0), Coding::kGzip);
  EXPECT_EQ(set.pick(1), Coding::kBrotli);
  EXPECT_EQ(set.pick(2), Coding::kGzip);
}

}  // namespace
}  // namespace bowerbird
