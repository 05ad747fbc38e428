#include "store/warc_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/warc_check.h"
#include "store/warc_reader.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TextSink final : public WarcSink {
 public:
  Status write(std::string_view packed) override {
    text.append(packed);
    return {};
  }
  std::uint64_t bytes() const override { return text.size(); }
  std::string text;
};

StoredFetch page() {
  StoredFetch fetch;
  fetch.url = "http://www.example.org/";
  fetch.time_us = 1'763'270'400'000'000;  // 2025-11-16T05:20:00Z
  fetch.request = "GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n";
  fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n";
  fetch.body = "hello";
  fetch.status = 200;
  fetch.mime = "text/html";
  fetch.ip = "192.0.2.7";
  append_warc_field(fetch.metadata, "score", "0.25");
  return fetch;
}

std::string written(const WarcWriter::Options& options, const StoredFetch& fetch,
                    const Original* original = nullptr) {
  TextSink sink;
  WarcWriter writer(options, {1, 2});
  EXPECT_TRUE(writer.write_info(sink, "x.warc", fetch.time_us).ok());
  const auto place = writer.write_fetch(sink, fetch, sha1(fetch.body), original);
  EXPECT_TRUE(place.ok());
  return sink.text;
}

struct ReadRecord {
  WarcHead head;
  std::string block;
  std::uint64_t offset;
};

std::vector<ReadRecord> read_back(const std::string& bytes) {
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  std::vector<ReadRecord> records;
  for (;;) {
    const auto more = reader.next();
    EXPECT_TRUE(more.ok()) << more.error().text;
    if (!more.ok() || !*more) return records;
    ReadRecord record{reader.head(), "", reader.offset()};
    EXPECT_TRUE(reader.packed_alone());
    const auto block = reader.read_all(1 << 20);
    EXPECT_TRUE(block.ok()) << block.error().text;
    record.block = block.ok() ? *block : "";
    records.push_back(std::move(record));
  }
}

class EachCompression : public testing::TestWithParam<WarcCompression> {};
INSTANTIATE_TEST_SUITE_P(Warc, EachCompression,
                         testing::Values(WarcCompression::kNone, WarcCompression::kGzip,
                                         WarcCompression::kZstd));

TEST_P(EachCompression, AnExchangeIsAResponseARequestAndMetadata) {
  const std::string bytes = written({.compression = GetParam(), .info = {{"operator", "me"}}}, page());
  const auto records = read_back(bytes);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].head.type(), "warcinfo");
  EXPECT_THAT(records[0].block, HasSubstr("operator: me\r\n"));
  EXPECT_EQ(records[0].head.field("WARC-Filename"), "x.warc");
  const ReadRecord& response = records[1];
  EXPECT_EQ(response.head.version, "WARC/1.1");
  EXPECT_EQ(response.head.type(), "response");
  EXPECT_EQ(response.head.field("WARC-Target-URI"), "http://www.example.org/");
  EXPECT_EQ(response.head.field("WARC-Date"), "2025-11-16T05:20:00Z");
  EXPECT_EQ(response.head.field("WARC-IP-Address"), "192.0.2.7");
  EXPECT_EQ(response.head.field("WARC-Warcinfo-ID"), records[0].head.field("WARC-Record-ID"));
  // printf hello | sha1sum, in base32
  EXPECT_EQ(response.head.field("WARC-Payload-Digest"), "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
  EXPECT_EQ(response.block, page().response_head + "hello");
  EXPECT_EQ(records[2].head.type(), "request");
  EXPECT_EQ(records[2].block, page().request);
  EXPECT_EQ(records[2].head.field("WARC-Concurrent-To"), response.head.field("WARC-Record-ID"));
  EXPECT_EQ(records[3].head.type(), "metadata");
  EXPECT_EQ(records[3].block, "score: 0.25\r\n");
}

TEST_P(EachCompression, EachRecordCanBeReadByItsOffset) {
  const std::string bytes = written({.compression = GetParam()}, page());
  for (const ReadRecord& record : read_back(bytes)) {
    const std::string rest = bytes.substr(record.offset);
    WarcReader reader(InputStream::from_memory(rest, "X"));
    ASSERT_TRUE(*reader.next());
    EXPECT_EQ(reader.head().field("WARC-Record-ID"), record.head.field("WARC-Record-ID"));
  }
}

TEST_P(EachCompression, EveryDigestIsRight) {
  const std::string bytes = written({.compression = GetParam(), .block_digests = true}, page());
  WarcReader reader(InputStream::from_memory(bytes, "X"));
  const WarcReport report = check_warc(reader);
  EXPECT_EQ(report.records, 4u);
  EXPECT_EQ(report.problem_count, 0u);
  EXPECT_EQ(report.digests_checked, 5u);  // a block digest of each record, and the payload digest
  EXPECT_EQ(report.shared_members, 0u);
}

// WARC 1.1, section 6.7.2
TEST(WarcWriter, ARevisitRefersToTheFirstResponseWithItsPayload) {
  const Original original{"http://www.example.org/first", 1'763'270'300'000'000};
  const auto records = read_back(written({.compression = WarcCompression::kNone}, page(), &original));
  ASSERT_EQ(records.size(), 4u);
  const WarcHead& head = records[1].head;
  EXPECT_EQ(head.type(), "revisit");
  EXPECT_EQ(head.field("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  EXPECT_EQ(head.field("WARC-Refers-To-Target-URI"), "http://www.example.org/first");
  EXPECT_EQ(head.field("WARC-Refers-To-Date"), "2025-11-16T05:18:20Z");
  EXPECT_EQ(records[1].block, page().response_head);
}

// WARC 1.1, section 6.7.3
TEST(WarcWriter, ANotModifiedResponseIsARevisit) {
  StoredFetch fetch = page();
  fetch.response_head = "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n";
  fetch.body.clear();
  fetch.not_modified = NotModified{fetch.url, 1'763'270'300'000'000, sha1("hello")};
  const Original original{fetch.url, 1'763'270'300'000'000, "<urn:uuid:1>"};
  const auto records = read_back(written({.compression = WarcCompression::kNone}, fetch, &original));
  const WarcHead& head = records[1].head;
  EXPECT_EQ(head.type(), "revisit");
  EXPECT_EQ(head.field("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
  EXPECT_EQ(head.field("WARC-Refers-To"), "<urn:uuid:1>");
  EXPECT_EQ(records[1].block, fetch.response_head);
}

TEST(WarcWriter, ATruncatedBodyHasTheReason) {
  StoredFetch fetch = page();
  fetch.truncated = Truncated::kTime;
  EXPECT_EQ(
      read_back(written({.compression = WarcCompression::kNone}, fetch))[1].head.field("WARC-Truncated"),
      "time");
}

TEST(WarcWriter, ValuesCannotInjectFields) {
  StoredFetch fetch = page();
  fetch.ip = "192.0.2.7\r\nWARC-Type: warcinfo";
  const auto records = read_back(written({.compression = WarcCompression::kNone}, fetch));
  EXPECT_EQ(records[1].head.field("WARC-IP-Address"), "192.0.2.7  WARC-Type: warcinfo");
}

std::string stored_head(std::string_view head, std::size_t size, bool decoded) {
  std::string out;
  append_stored_head(out, head, size, decoded);
  return out;
}

TEST(StoredHead, IsUnchangedIfItIsTrue) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n";
  EXPECT_EQ(stored_head(head, 9, false), head);
}

TEST(StoredHead, OfAChunkedBodyGetsItsLength) {
  EXPECT_EQ(stored_head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nServer: x\r\n\r\n", 7, false),
            "HTTP/1.1 200 OK\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\nServer: x\r\nContent-Length: "
            "7\r\n\r\n");
}

TEST(StoredHead, OfADecodedBodyHasTheCodingRenamed) {
  EXPECT_EQ(stored_head("HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 3\r\n\r\n", 70, true),
            "HTTP/1.1 200 OK\r\nX-Archive-Orig-content-encoding: br\r\nX-Archive-Orig-content-length: 3\r\n"
            "Content-Length: 70\r\n\r\n");
}

TEST(StoredHead, HasOnlyTheLengthOfTheStoredBody) {
  EXPECT_EQ(stored_head("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 7\r\n\r\n", 7, false),
            "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Length: 9\r\nContent-Length: 7\r\n\r\n");
  EXPECT_EQ(stored_head("HTTP/1.1 200 OK\r\nContent-Length: 7, 9\r\nContent-Length: 9\r\n\r\n", 7, false),
            "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Length: 7, 9\r\nX-Archive-Orig-Content-Length: 9\r\n"
            "Content-Length: 7\r\n\r\n");
  EXPECT_EQ(
      stored_head("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n", 7, false),
      "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Length: 9\r\nX-Archive-Orig-Transfer-Encoding: "
      "chunked\r\nContent-Length: 7\r\n\r\n");
  EXPECT_EQ(stored_head("HTTP/1.1 200 OK\r\n\r\n", 7, false), "HTTP/1.1 200 OK\r\n\r\n");
  EXPECT_EQ(stored_head("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 0, false),
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n");
}

TEST(StoredHead, AlwaysEnds) {
  EXPECT_EQ(stored_head("", 0, false), "\r\n");
  EXPECT_EQ(stored_head("HTTP/1.1 200", 0, false), "HTTP/1.1 200\r\n\r\n");
}

TEST(ResponseId, IsAVersion5UuidOfUrlTimeAndPayload) {
  const std::string id = response_id("http://a.test/", 5, sha1("x"));
  EXPECT_THAT(id, testing::MatchesRegex(
                      "<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>"));
  EXPECT_EQ(id, response_id("http://a.test/", 5, sha1("x")));
  EXPECT_NE(id, response_id("http://a.test/", 6, sha1("x")));
  EXPECT_NE(id, response_id("http://a.test/b", 5, sha1("x")));
  EXPECT_NE(id, response_id("http://a.test/", 5, sha1("y")));
}

TEST(RecordIds, AreVersion4Uuids) {
  RecordIds ids(1, 2);
  const std::string id = ids.next();
  EXPECT_THAT(id, testing::MatchesRegex(
                      "<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>"));
  EXPECT_NE(id, ids.next());
}

TEST(WarcWriter, TheMainTextIsAConversionOfItsResponse) {
  StoredFetch fetch = page();
  fetch.main_text = "Hello.\n";
  const auto records = read_back(written({}, fetch));
  ASSERT_EQ(records.size(), 5u);
  const WarcHead& head = records[4].head;
  EXPECT_EQ(head.type(), "conversion");
  EXPECT_EQ(head.field("WARC-Refers-To"), records[1].head.field("WARC-Record-ID"));
  EXPECT_EQ(head.field(kTextField), kMainText);
  EXPECT_EQ(records[4].block, "Hello.\n");
  // A revisit refers to a response whose text is already stored.
  const Original original{"http://www.example.org/first", fetch.time_us};
  EXPECT_EQ(read_back(written({}, fetch, &original)).size(), 4u);
}

}  // namespace
}  // namespace bowerbird
