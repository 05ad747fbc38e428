#include "store/warc_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/record_compressor.h"
#include "store/warc_check.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

std::string record(std::string_view type, std::string_view block, std::string_view further = "") {
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: "
      "2025-11-16T05:20:00Z\r\n{}Content-Length: "
      "{}\r\n\r\n{}\r\n\r\n",
      type, further, block.size(), block);
}

// The problem found in a file, or "".
std::string problem_in(std::string_view bytes) {
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  const WarcReport report = check_warc(reader);
  return report.problems.empty() ? "" : report.problems[0].text;
}

TEST(WarcReader, RecordsOfOthersAreReadToo) {
  // Fields in any case and folded, further line ends between records, LF alone.
  const std::string bytes =
      "\r\nWARC/0.18\nwarc-TYPE: resource\nX: a\n  b\nContent-Length: 2\n\nok\r\n\r\n\r\n\r\n" +
      record("response", "");
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.head().type(), "resource");
  EXPECT_EQ(reader.head().field("x"), "a b");
  EXPECT_EQ(reader.offset(), 2u);
  ASSERT_TRUE(*reader.next());
  EXPECT_EQ(reader.head().type(), "response");
  EXPECT_FALSE(*reader.next());
}

TEST(WarcReader, WhatIsWrongIsSaidWithItsPosition) {
  const std::string good = record("response", "hello");
  EXPECT_EQ(problem_in(good), "");
  EXPECT_THAT(problem_in(""), HasSubstr("there is no record"));
  EXPECT_THAT(problem_in("<html>"), HasSubstr("ends within the head"));
  EXPECT_THAT(problem_in("<html>\n\n"), HasSubstr("not a WARC record"));
  EXPECT_THAT(problem_in(good.substr(0, good.size() - 1)), HasSubstr("the file ends before the empty lines"));
  EXPECT_THAT(problem_in(good.substr(0, good.size() - 6)),
              HasSubstr("the file ends 2 bytes before the record"));
  EXPECT_THAT(problem_in(good + "x"),
              HasSubstr(fmt::format("X: record at byte {}: the file ends", good.size())));
  EXPECT_THAT(problem_in(good + record("response", "x", "Content-Length: 2\r\n")),
              HasSubstr(fmt::format("X: record at byte {}: the block is not followed", good.size())));
  for (const char* length : {"", "x", "-1", "99999999999999999999", "1 2"}) {
    EXPECT_THAT(problem_in(fmt::format("WARC/1.1\r\nContent-Length: {}\r\n\r\n", length)),
                HasSubstr("Content-Length"));
  }
  EXPECT_THAT(problem_in("WARC/1.1\r\nno field\r\n\r\n"), HasSubstr("not a field"));
  EXPECT_THAT(problem_in("WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
              HasSubstr("there is no WARC-Type"));
}

TEST(WarcReader, AClaimedLengthTakesNoMemory) {
  EXPECT_THAT(problem_in("WARC/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nx"),
              HasSubstr("no WARC-Type"));
  const std::string bytes = "WARC/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nx";
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  ASSERT_TRUE(*reader.next());
  EXPECT_FALSE(reader.read_all(1 << 20).ok());
}

TEST(WarcReader, AnEndlessHeadIsTurnedDown) {
  EXPECT_THAT(problem_in("WARC/1.1\r\n" + std::string(3 << 20, 'x')), HasSubstr("longer than a megabyte"));
}

TEST(WarcReader, RecordsThatShareAMemberAreNoticed) {
  RecordCompressor gzip(WarcCompression::kGzip, 0);
  const std::string bytes(gzip.pack(record("response", "a") + record("response", "b")));
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  const WarcReport report = check_warc(reader);
  EXPECT_EQ(report.records, 2u);
  EXPECT_EQ(report.shared_members, 1u);
  EXPECT_EQ(report.problem_count, 0u);
}

TEST(WarcReader, ADamagedMemberIsReported) {
  RecordCompressor gzip(WarcCompression::kGzip, 0);
  std::string bytes(gzip.pack(record("response", std::string(1000, 'a'))));
  const std::size_t first = bytes.size();
  bytes.append(gzip.pack(record("response", std::string(1000, 'b'))));
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] + 1);  // its CRC-32
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  const WarcReport report = check_warc(reader);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_THAT(report.problems[0].text, HasSubstr("gzip data is damaged"));
  EXPECT_EQ(report.problems[0].offset, first);
}

TEST(WarcCheck, KnowsDigestsInBase32AndHexadecimal) {
  // Of "hello", by sha1sum, sha256sum and md5sum.
  for (const char* digest :
       {"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
        "SHA-256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
        "md5:5d41402abc4b2a76b9719d911017c592"}) {
    EXPECT_EQ(problem_in(record("resource", "hello", fmt::format("WARC-Block-Digest: {}\r\n", digest))), "")
        << digest;
    EXPECT_THAT(problem_in(record("resource", "hullo", fmt::format("WARC-Block-Digest: {}\r\n", digest))),
                HasSubstr("WARC-Block-Digest"))
        << digest;
  }
  EXPECT_EQ(problem_in(record("resource", "x", "WARC-Block-Digest: blake3:00\r\n")), "");
}

TEST(WarcCheck, ThePayloadOfAnAnswerIsWhatFollowsTheEmptyLine) {
  const std::string fields =
      "Content-Type: application/http; msgtype=response\r\nWARC-Payload-Digest: "
      "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n";
  EXPECT_EQ(problem_in(record("response", "HTTP/1.1 200 OK\r\n\r\nhello", fields)), "");
  EXPECT_THAT(problem_in(record("response", "HTTP/1.1 200 OK\r\n\r\nhullo", fields)), HasSubstr("Payload"));
  // Still in chunks: nobody knows what was meant.
  EXPECT_EQ(problem_in(record("response",
                              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                              fields)),
            "");
  // A revisit has no payload.
  EXPECT_EQ(problem_in(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", fields)), "");
}

TEST(HttpSplitter, FindsTheBodyHoweverThePiecesAreCut) {
  const std::string message =
      "HTTP/1.1 404 Not Found\r\nA: 1\r\ncontent-TYPE:  text/html\r\n\r\nbody\r\n\r\nmore";
  for (std::size_t cut = 0; cut <= message.size(); ++cut) {
    HttpSplitter http;
    std::string body(http.feed(std::string_view(message).substr(0, cut)));
    body += http.feed(std::string_view(message).substr(cut));
    EXPECT_EQ(body, "body\r\n\r\nmore");
    EXPECT_EQ(http.status(), 404);
    EXPECT_EQ(http.field("Content-Type"), "text/html");
    EXPECT_EQ(http.field("B"), "");
  }
}

}  // namespace
}  // namespace bowerbird
