#include "store/warc_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/arc_head.h"
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

// The problem found in a file; empty: none.
std::string problem_in(std::string_view bytes) {
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  const WarcReport report = check_warc(reader);
  return report.problems.empty() ? "" : report.problems[0].text;
}

TEST(WarcReader, RecordsOfOtherWritersAreRead) {
  // Field names in any case, folded fields, extra line ends between records, LF alone.
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

TEST(WarcReader, ErrorsHaveTheirPosition) {
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

TEST(WarcReader, AForgedLengthAllocatesNoMemory) {
  EXPECT_THAT(problem_in("WARC/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nx"),
              HasSubstr("no WARC-Type"));
  const std::string bytes = "WARC/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nx";
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  ASSERT_TRUE(*reader.next());
  EXPECT_FALSE(reader.read_all(1 << 20).ok());
}

TEST(WarcReader, AnEndlessHeaderIsRejected) {
  EXPECT_THAT(problem_in("WARC/1.1\r\n" + std::string(3 << 20, 'x')), HasSubstr("longer than a megabyte"));
}

TEST(WarcReader, RecordsThatShareAMemberAreCounted) {
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
  // Digests of "hello", by sha1sum, sha256sum and md5sum.
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

TEST(WarcCheck, ThePayloadOfAResponseFollowsTheEmptyLine) {
  const std::string fields =
      "Content-Type: application/http; msgtype=response\r\nWARC-Payload-Digest: "
      "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n";
  EXPECT_EQ(problem_in(record("response", "HTTP/1.1 200 OK\r\n\r\nhello", fields)), "");
  EXPECT_THAT(problem_in(record("response", "HTTP/1.1 200 OK\r\n\r\nhullo", fields)), HasSubstr("Payload"));
  // Still chunked: the payload is ambiguous.
  EXPECT_EQ(problem_in(record("response",
                              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                              fields)),
            "");
  // A revisit has no payload.
  EXPECT_EQ(problem_in(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", fields)), "");
}

TEST(HttpSplitter, FindsTheBodyInPiecesOfAnySize) {
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

TEST(ArcFiles, AreReadAsWarcRecords) {
  const std::string about = "2 0 Archive\n";
  const std::string page = "HTTP/1.0 200 OK\r\n\r\nhello";
  const std::string bytes =
      fmt::format("filedesc://x.arc 0.0.0.0 20050801000000 text/plain 200 - - 0 x.arc {}\n{}\n", about.size(),
                  about) +
      fmt::format("http://a.test/a b 192.0.2.1 20050801123456 text/html {}\n{}\n\n", page.size(), page) +
      fmt::format("http://a.test/2 192.0.2.1 20050801123457 text/html 200 X - 99 x.arc {}\n{}\n", page.size(),
                  page) +
      "dns:a.test 192.0.2.53 20050801123455 text/dns 2\nok\n";
  for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
    RecordCompressor packer(compression, 0);
    const std::string stored = compression == Compression::kNone ? bytes : std::string(packer.pack(bytes));
    WarcReader reader(InputStream::from_memory(stored, "X"));
    std::vector<std::string> seen;
    for (;;) {
      const auto more = reader.next();
      ASSERT_TRUE(more.ok()) << more.error().text;
      if (!*more) break;
      EXPECT_TRUE(reader.is_arc());
      const WarcHead head = reader.head();
      seen.push_back(fmt::format("{} {} {} {} {}", head.type(), head.field("WARC-Target-URI"),
                                 head.field("WARC-Date"), head.field("Content-Type"),
                                 *reader.read_all(1000)));
    }
    EXPECT_EQ(seen,
              (std::vector<std::string>{
                  "warcinfo  2005-08-01T00:00:00Z text/plain 2 0 Archive\n",
                  "response http://a.test/a b 2005-08-01T12:34:56Z application/http;msgtype=response " + page,
                  "response http://a.test/2 2005-08-01T12:34:57Z application/http;msgtype=response " + page,
                  "response dns:a.test 2005-08-01T12:34:55Z text/dns ok"}));
  }
}

TEST(ArcFiles, OtherLinesAreNotHeaders) {
  for (const char* line :
       {"", " ", "a", "http://a.test/ 192.0.2.1 20050801123456 text/html x",
        "http://a.test/ 192.0.2.1 2005 text/html 1", "192.0.2.1 20050801123456 text/html 1",
        "http://a.test/ 192.0.2.1 20050801123456 text/html 99999999999999999999", "WARC/1.1",
        "a b c d e f g h i j"}) {
    EXPECT_FALSE(arc_head(line, 0)) << line;
  }
}

TEST(DigestText, AllEncodingsAreAccepted) {
  const std::string_view body = "hello";
  for (const char* digest :
       {"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", "SHA-1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
        "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=",
        "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "sha-256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
        "sha256:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "md5:5d41402abc4b2a76b9719d911017c592",
        "md5:XUFAKrxLKna5cZ2REBfFkg==", "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======"}) {
    DigestCheck check(digest);
    check.add(body);
    EXPECT_EQ(check.finish(), DigestCheck::Answer::kRight) << digest;
    DigestCheck wrong(digest);
    wrong.add("hullo");
    EXPECT_EQ(wrong.finish(), DigestCheck::Answer::kWrong) << digest;
  }
  for (const char* digest : {"sha1:abc", "crc32:3610a686", "x", "sha1:!L2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"}) {
    DigestCheck check(digest);
    check.add(body);
    EXPECT_EQ(check.finish(), DigestCheck::Answer::kUnknown) << digest;
  }
}

}  // namespace
}  // namespace bowerbird
