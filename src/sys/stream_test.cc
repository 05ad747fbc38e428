#include "sys/stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/rng.h"
#include "sys/line_reader.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

std::string packed(Compression compression, std::string_view text) {
  std::string bytes;
  auto sink = compressing(compression, std::make_unique<StringSink>(bytes));
  EXPECT_TRUE(sink->write(text).ok());
  EXPECT_TRUE(sink->finish().ok());
  return bytes;
}

// Reads it from a buffer of exactly its size, in pieces of `piece` bytes.
Result<std::string> unpacked(std::string_view stored, std::size_t piece = 7) {
  const std::unique_ptr<char[]> exact(new char[stored.size()]);
  std::copy(stored.begin(), stored.end(), exact.get());
  const auto in = InputStream::from_memory({exact.get(), stored.size()}, "X");
  std::string text;
  std::vector<char> buffer(piece);
  for (;;) {
    BB_TRY(const std::size_t n, in->read(buffer.data(), buffer.size()));
    if (n == 0) return text;
    text.append(buffer.data(), n);
  }
}

std::string long_text() {
  Rng rng(1);
  std::string text;
  for (int i = 0; i < 20000; ++i) text += fmt::format("{} ", rng.below(1000000));
  return text;
}

TEST(Stream, ReadsPlainBytesUnchanged) {
  EXPECT_EQ(*unpacked(""), "");
  EXPECT_EQ(*unpacked("a"), "a");
  EXPECT_EQ(*unpacked(std::string_view("\x1f", 1)), "\x1f");
  EXPECT_EQ(*unpacked(long_text(), 1 << 20), long_text());
}

TEST(Stream, RecognisesCompressionByTheFirstBytes) {
  for (const Compression c : {Compression::kGzip, Compression::kZstd}) {
    const std::string stored = packed(c, long_text());
    EXPECT_LT(stored.size(), long_text().size());
    EXPECT_EQ(*unpacked(stored), long_text());
    EXPECT_EQ(*unpacked(packed(c, "")), "");
    const auto in = InputStream::from_memory(stored, "X");
    EXPECT_EQ(in->peek(5)->size(), 5u);
    EXPECT_EQ(in->compression(), c);
  }
}

TEST(Stream, JoinsMembersAndFrames) {
  for (const Compression c : {Compression::kGzip, Compression::kZstd}) {
    const std::string stored = packed(c, "one ") + packed(c, "") + packed(c, "two ") + packed(c, long_text());
    EXPECT_EQ(*unpacked(stored), "one two " + long_text());
  }
}

TEST(Stream, SkipsSkippableFrames) {
  const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  EXPECT_EQ(*unpacked(skippable + packed(Compression::kZstd, "text")), "text");
}

TEST(Stream, AllowsZerosButNothingElseAfterGzipData) {
  const std::string stored = packed(Compression::kGzip, "text");
  EXPECT_EQ(*unpacked(stored + std::string(512, '\0')), "text");
  EXPECT_FALSE(unpacked(stored + "more").ok());
  EXPECT_FALSE(unpacked(stored + std::string(2, '\0') + stored).ok());
  EXPECT_FALSE(unpacked(packed(Compression::kZstd, "text") + "more").ok());
}

TEST(Stream, EveryTruncationOfCompressedDataIsAnErrorThatNamesFileAndByte) {
  for (const Compression c : {Compression::kGzip, Compression::kZstd}) {
    const std::string stored = packed(c, "some text that is not very long");
    for (std::size_t n = 4; n < stored.size(); ++n) {
      const auto result = unpacked(std::string_view(stored).substr(0, n));
      ASSERT_FALSE(result.ok()) << n;
      EXPECT_NE(result.error().text.find(fmt::format("X: the {} data ends at byte {}",
                                                     c == Compression::kGzip ? "gzip" : "zstd", n)),
                std::string::npos)
          << result.error().text;
    }
  }
}

TEST(Stream, EveryFlippedBitOfTheTextIsNoticed) {
  for (const Compression c : {Compression::kGzip, Compression::kZstd}) {
    const std::string stored = packed(c, "some text that is not very long");
    for (std::size_t i = 12; i < stored.size(); ++i) {
      std::string damaged = stored;
      damaged[i] = static_cast<char>(damaged[i] ^ 4);
      const auto result = unpacked(damaged);
      EXPECT_TRUE(!result.ok() || *result == *unpacked(stored)) << i;
    }
  }
}

TEST(Stream, PeeksWithoutTaking) {
  const auto in = InputStream::from_memory("abcdef", "X");
  EXPECT_EQ(*in->peek(2), "ab");
  EXPECT_EQ(*in->peek(4), "abcd");
  char c = 0;
  EXPECT_EQ(*in->read(&c, 1), 1u);
  EXPECT_EQ(c, 'a');
  EXPECT_EQ(*in->peek(100), "bcdef");
}

TEST(Stream, MissingFilesAndFoldersAreErrors) {
  EXPECT_NE(InputStream::open("/no/such/file").error().text.find("/no/such/file: cannot open"),
            std::string::npos);
  EXPECT_NE(InputStream::open("/").error().text.find("folder"), std::string::npos);
}

TEST(Sink, CompressesByTheExtensionAndLeavesNothingBehindUnfinished) {
  const std::string folder = ::testing::TempDir();
  for (const std::string name : {"sink.txt", "sink.txt.gz", "sink.txt.zst"}) {
    const std::string path = fmt::format("{}/{}-{}", folder, ::getpid(), name);
    {
      auto sink = create_output(path);
      ASSERT_TRUE(sink.ok());
      ASSERT_TRUE((*sink)->write("lost").ok());
    }
    EXPECT_FALSE(file_exists(path));
    auto sink = create_output(path);
    ASSERT_TRUE(sink.ok());
    ASSERT_TRUE((*sink)->write(long_text()).ok());
    ASSERT_TRUE((*sink)->finish().ok());
    auto in = InputStream::open(path);
    ASSERT_TRUE(in.ok());
    EXPECT_EQ((*in)->peek(1 << 20)->size(), long_text().size());
    EXPECT_EQ((*in)->compression(), compression_by_name(name));
    EXPECT_EQ((*in)->position(), (*in)->stored_size());
    std::filesystem::remove(path);
  }
}

std::vector<std::string> lines(std::string_view text, std::size_t limit = LineReader::kDefaultLimit) {
  const auto in = InputStream::from_memory(text, "X");
  LineReader reader(*in, limit);
  std::vector<std::string> found;
  std::string_view line;
  for (;;) {
    const auto more = reader.next(line);
    if (!more.ok()) {
      found.push_back("! " + more.error().text);
      return found;
    }
    if (!*more) return found;
    EXPECT_EQ(reader.line_number(), found.size() + 1);
    found.emplace_back(line);
  }
}

using Lines = std::vector<std::string>;

TEST(LineReader, KnowsBothKindsOfLineEndsAndALastLineWithoutOne) {
  EXPECT_EQ(lines(""), Lines{});
  EXPECT_EQ(lines("\n"), Lines{""});
  EXPECT_EQ(lines("a"), Lines{"a"});
  EXPECT_EQ(lines("a\n"), Lines{"a"});
  EXPECT_EQ(lines("a\r\nb\r\n\r\nc\r"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(lines("a\rb\n\nc"), (Lines{"a\rb", "", "c"}));
}

TEST(LineReader, SkipsAByteOrderMarkBeforeTheFirstLineOnly) {
  EXPECT_EQ(lines("\xef\xbb\xbf"), Lines{});
  EXPECT_EQ(lines("\xef\xbb\xbf"
                  "1\n\xef\xbb\xbf"
                  "2"),
            (Lines{"1",
                   "\xef\xbb\xbf"
                   "2"}));
  EXPECT_EQ(lines("\xef\xbb"), Lines{"\xef\xbb"});
}

TEST(LineReader, GrowsForLongLinesAndStopsAtItsLimit) {
  const std::string longer(1 << 20, 'x');
  EXPECT_EQ(lines("a\n" + longer + "\nb"), (Lines{"a", longer, "b"}));
  const std::string complaint = "! X: line 2 is longer than 10 B: is this a text file of the right kind?";
  EXPECT_EQ(lines("a\n0123456789\n", 10), (Lines{"a", "0123456789"}));
  EXPECT_EQ(lines("a\n01234567890\n", 10), (Lines{"a", complaint}));
  EXPECT_EQ(lines("a\n01234567890", 10), (Lines{"a", complaint}));
  EXPECT_EQ(lines("a\n" + longer, 10), (Lines{"a", complaint}));
}

TEST(LineReader, AgreesWithSplittingByHandWhereverTheBufferEnds) {
  Rng rng(7);
  std::string text;
  Lines expected;
  while (text.size() < 900'000) {
    std::string line(rng.below(rng.below(20) == 0 ? 100'000 : 50), 'a');
    for (char& c : line) c = static_cast<char>('a' + rng.below(26));
    text += line + (rng.below(2) == 0 ? "\n" : "\r\n");
    expected.push_back(std::move(line));
  }
  EXPECT_EQ(lines(text), expected);
  EXPECT_EQ(lines(packed(Compression::kZstd, text)), expected);
}

}  // namespace
}  // namespace bowerbird
