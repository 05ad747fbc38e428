#include "parse/http1_response.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using namespace std::string_literals;
using Step = Http1ResponseReader::Step;

struct Read {
  int status = 0;
  std::string head;
  std::string body;
  std::string rest;  // behind the end
  bool ended = false;
  bool keep_alive = false;
  ResponseFault fault = ResponseFault::kNone;
};

// In pieces of this size; then the input ends.
Read read_all(std::string_view bytes, std::size_t piece = 1'000'000, std::size_t max_head = 1000) {
  Http1ResponseReader reader(max_head);
  Read read;
  Step step = Step::kMore;
  while (step != Step::kEnd && step != Step::kBad) {
    const std::size_t size = std::min(piece, bytes.size());
    std::string_view in = bytes.substr(0, size);
    do {
      step = reader.read(in);
      if (step == Step::kHead) read.head = reader.head();
      if (step == Step::kBody) read.body += reader.piece();
    } while (step == Step::kHead || step == Step::kBody);
    bytes.remove_prefix(size - in.size());
    if (step == Step::kMore && bytes.empty()) step = reader.end_of_input();
  }
  read.status = reader.status();
  read.rest = bytes;
  read.ended = step == Step::kEnd;
  read.keep_alive = reader.keep_alive();
  read.fault = reader.fault();
  return read;
}

TEST(Http1Response, ABodyEndsAtItsLength) {
  for (const std::size_t piece : {1u, 2u, 7u, 1000u}) {
    const Read read = read_all("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP", piece);
    EXPECT_TRUE(read.ended);
    EXPECT_EQ(read.status, 200);
    EXPECT_EQ(read.head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    EXPECT_EQ(read.body, "hello");
    EXPECT_EQ(read.rest, "HTTP");
    EXPECT_TRUE(read.keep_alive);
  }
}

TEST(Http1Response, ChunksAreJoinedAndTrailersSkipped) {  // RFC 9112, 7.1
  const Read read = read_all(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "3;a=b\r\nabc\r\n0A \r\n0123456789\r\n0\r\nX: y\r\n\r\nmore");
  EXPECT_TRUE(read.ended);
  EXPECT_EQ(read.body, "abc0123456789");
  EXPECT_EQ(read.rest, "more");
  EXPECT_TRUE(read.keep_alive);
}

TEST(Http1Response, WithoutLengthTheBodyLastsUntilTheEnd) {
  const Read read = read_all("HTTP/1.1 200\n\nall of it");
  EXPECT_TRUE(read.ended);
  EXPECT_EQ(read.body, "all of it");
  EXPECT_FALSE(read.keep_alive);
}

TEST(Http1Response, SomeStatusesHaveNoBody) {  // RFC 9112, 6.3, item 1
  for (const char* status : {"204", "304"}) {
    const Read read = read_all(std::string("HTTP/1.1 ") + status + " X\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_TRUE(read.ended);
    EXPECT_EQ(read.body, "");
    EXPECT_TRUE(read.keep_alive);
  }
}

TEST(Http1Response, ProvisionalResponsesAreSkipped) {  // RFC 9110, 15.2
  const Read read = read_all(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
      "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
  EXPECT_TRUE(read.ended);
  EXPECT_EQ(read.status, 404);
  EXPECT_EQ(read.head, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
}

TEST(Http1Response, TheConnectionIsKeptIfBothVersionAndFieldsAllow) {  // RFC 9112, 9.3
  EXPECT_FALSE(read_all("HTTP/1.1 204 X\r\nConnection: x, CLOSE\r\n\r\n").keep_alive);
  EXPECT_FALSE(read_all("HTTP/1.0 204 X\r\n\r\n").keep_alive);
  EXPECT_TRUE(read_all("HTTP/1.0 204 X\r\nConnection: Keep-Alive\r\n\r\n").keep_alive);
}

TEST(Http1Response, FoldedLinesAndUnusualBlanksAreNormalised) {
  const Read read =
      read_all("HTTP/1.1 200 OK\r\nX: a\r\n\tb\r\nContent-Length : 2\r\nnonsense\r\nY: a\0b\rc\r\n\r\nok"s);
  EXPECT_EQ(read.body, "ok");
  EXPECT_EQ(read.head, "HTTP/1.1 200 OK\r\nX: a  \tb\r\nContent-Length: 2\r\nnonsense\r\nY: a b c\r\n\r\n");
  EXPECT_FALSE(read.keep_alive);
}

TEST(Http1Response, LengthsThatContradictEachOtherAreFaults) {  // RFC 9112, 6.3, item 5
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  for (const char* fields :
       {"Content-Length: 5\r\nContent-Length: 7\r\n", "Content-Length: 5, 6\r\n", "Content-Length: -5\r\n",
        "Content-Length: \r\n", "Content-Length: 99999999999999999999\r\n", "Content-Length: 5x\r\n",
        "Content-Length:\r\n 5\r\n 6\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"}) {
    EXPECT_EQ(read_all(ok + fields + "\r\nhello").fault, ResponseFault::kMalformed) << fields;
  }
  EXPECT_EQ(read_all(ok + "Content-Length: 5, 5\r\n\r\nhello").body, "hello");
  const Read both =
      read_all(ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n");
  EXPECT_EQ(both.body, "ab");
  EXPECT_FALSE(both.keep_alive);
}

TEST(Http1Response, OtherProtocolsAreRecognisedAtTheFirstByte) {
  for (const char* bytes : {"\r\n", "<html>", "HTTP/2 200\r\n", "HTTP/1.1 abc\r\n", "HTTP/1.1 000 X\r\n\r\n",
                            "HTTP/1.1200 OK\r\n", "HTTP/1.1 200 OK\r\n folded\r\n", "HTTP/1.1 2000\r\n",
                            "HTTP/1.1 101 Switching\r\n\r\n", "ICY 200 OK\r\n"}) {
    EXPECT_EQ(read_all(bytes).fault, ResponseFault::kMalformed) << bytes;
  }
  Http1ResponseReader reader(1000);
  std::string_view in = "x";
  EXPECT_EQ(reader.read(in), Step::kBad);
}

TEST(Http1Response, HeadsAndTrailersHaveALimit) {
  const std::string long_field = "X: " + std::string(2000, 'x') + "\r\n";
  EXPECT_EQ(read_all("HTTP/1.1 200 OK\r\n" + long_field).fault, ResponseFault::kHeadTooLarge);
  EXPECT_EQ(read_all("HTTP/1.1 200 OK\r\n" + long_field, 1).status, 200);
  EXPECT_EQ(read_all("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + long_field).fault,
            ResponseFault::kHeadTooLarge);
  std::string hints;
  for (int i = 0; i < 100; ++i) hints += "HTTP/1.1 103 X\r\n\r\n";
  EXPECT_EQ(read_all(hints).fault, ResponseFault::kHeadTooLarge);
  // The lines of chunks do not count.
  std::string chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 1000; ++i) chunks += "1\r\nx\r\n";
  EXPECT_EQ(read_all(chunks + "0\r\n\r\n").body, std::string(1000, 'x'));
}

TEST(Http1Response, AHeadAtTheLimitHasTheSameFaultHoweverItIsCut) {
  const std::string provisional = "HTTP/1.1 103 Hints\r\n\r\n";
  for (std::size_t room = 0; room < 9; ++room) {
    const ResponseFault expected = room < 6 ? ResponseFault::kHeadTooLarge : ResponseFault::kMalformed;
    for (const std::size_t piece : {1u, 3u, 1000u}) {
      EXPECT_EQ(read_all(provisional + "HTTP/0.9 200 OK\r\n\r\n", piece, provisional.size() + room).fault,
                expected)
          << room << " " << piece;
    }
  }
}

TEST(Http1Response, BadChunksAreFaults) {
  for (const char* body :
       {"zz\r\n", "fffffffffffffffff\r\nx", "\r\n", "2\r\nabc\r\n", "1\r\na0\r\n", "-1\r\n", "1 1\r\n"}) {
    const Read read = read_all(std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") + body);
    EXPECT_EQ(read.fault, ResponseFault::kBadChunk) << body;
  }
}

TEST(Http1Response, AnEarlyEndIsAFault) {
  EXPECT_EQ(read_all("").fault, ResponseFault::kNothing);
  EXPECT_EQ(read_all("HTTP/1.1 200 OK\r\nContent-").fault, ResponseFault::kEndedInHead);
  EXPECT_EQ(read_all("HTTP/1.1 103 X\r\n\r\n").fault, ResponseFault::kEndedInHead);
  EXPECT_EQ(read_all("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell").fault, ResponseFault::kCutShort);
  EXPECT_EQ(read_all("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n").fault,
            ResponseFault::kCutShort);
}

TEST(Http1Response, AReaderIsUsedAgain) {
  Http1ResponseReader reader(1000);
  for (int i = 0; i < 3; ++i) {
    std::string_view in = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    EXPECT_EQ(reader.read(in), Step::kHead);
    EXPECT_EQ(reader.length(), 2u);
    EXPECT_EQ(reader.read(in), Step::kBody);
    EXPECT_EQ(reader.piece(), "ok");
    EXPECT_EQ(reader.read(in), Step::kEnd);
    reader.reset();
  }
}

}  // namespace
}  // namespace bowerbird
