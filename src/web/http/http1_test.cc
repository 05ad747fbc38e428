#include "web/http/http1.h"

#include <gtest/gtest.h>

#include <string>

namespace bowerbird {
namespace {

using namespace std::string_literals;

struct Parsed {
  Http1Parse parse;
  Http1Request request;
  std::string bytes;  // what the views point into
};

std::unique_ptr<Parsed> parse(std::string bytes, const Http1Limits& limits = {}) {
  auto parsed = std::make_unique<Parsed>();
  parsed->bytes = std::move(bytes);
  parsed->parse = parse_http1_request(parsed->bytes, limits, parsed->request);
  return parsed;
}

int status_of(std::string bytes) {
  const auto parsed = parse(std::move(bytes));
  return parsed->parse.state == Http1Parse::kBad ? parsed->parse.status : 0;
}

bool accepted(std::string bytes) {
  const std::size_t size = bytes.size();
  const auto parsed = parse(std::move(bytes));
  return parsed->parse.state == Http1Parse::kDone && parsed->parse.used == size;
}

TEST(Http1, TakesAPlainRequest) {
  const auto p = parse("GET /a?b HTTP/1.1\r\nHost: www.a.org:81\r\nAccept:  x \t\r\n\r\nrest");
  ASSERT_EQ(p->parse.state, Http1Parse::kDone);
  EXPECT_EQ(p->bytes.substr(p->parse.used), "rest");
  EXPECT_EQ(p->request.method, "GET");
  EXPECT_EQ(p->request.target, "/a?b");
  EXPECT_EQ(p->request.authority, "www.a.org:81");
  EXPECT_EQ(p->request.minor, 1);
  EXPECT_TRUE(p->request.keep_alive);
  ASSERT_EQ(p->request.fields.size(), 2u);
  EXPECT_EQ(p->request.fields[1].name, "Accept");
  EXPECT_EQ(p->request.fields[1].value, "x");
}

// RFC 9112, 2.2: a server SHOULD ignore at least one empty line before the request line.
TEST(Http1, EmptyLinesBeforeTheRequestAreSkipped) {
  EXPECT_TRUE(accepted("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_TRUE(accepted("\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_EQ(status_of("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
            400);  // our choice: not for ever
}

// RFC 9112, 2.2: a recipient MAY recognise a single LF as a line terminator (ours does) ...
TEST(Http1, ALoneLineFeedEndsALine) {
  EXPECT_TRUE(accepted("GET / HTTP/1.1\nHost: a\n\n"));
  EXPECT_TRUE(accepted("GET / HTTP/1.1\r\nHost: a\n\r\n"));
}

// ... but a bare CR makes the element invalid.
TEST(Http1, ABareCarriageReturnIsRefused) {
  EXPECT_EQ(status_of("GET /\r HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n"), 400);
  EXPECT_EQ(status_of("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

// RFC 9112, 2.2: no white space between the request line and the first field.
TEST(Http1, BlanksBeforeTheFirstFieldAreRefused) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n Host: a\r\n\r\n"), 400);
}

// RFC 9112, 2.3: HTTP-version is case-sensitive, two digits; RFC 9110, 15.6.6: 505.
TEST(Http1, VersionsOtherThanOneAreRefused) {
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/0.9\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / http/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.10\r\nHost: a\r\n\r\n"), 400);
  EXPECT_TRUE(accepted("GET / HTTP/1.7\r\nHost: a\r\n\r\n"));  // a later minor version is understood
}

// RFC 9112, 3: method SP request-target SP HTTP-version.
TEST(Http1, TheRequestLineHasThreePartsAndSingleBlanks) {
  EXPECT_EQ(status_of("GET /\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET  / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / x HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of(" GET / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

// RFC 9112, 3: a long request line is 414, and 8000 octets are supported.
TEST(Http1, TheRequestLineIsBounded) {
  const std::string fits = "GET /" + std::string(8000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_TRUE(accepted(fits));
  EXPECT_EQ(status_of("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"), 414);
  EXPECT_EQ(status_of("GET /" + std::string(9000, 'a')), 414);  // without waiting for its end
}

// RFC 9112, 3.1: the method is a token, case-sensitive.
TEST(Http1, TheMethodIsAToken) {
  EXPECT_EQ(parse("get / HTTP/1.1\r\nHost: a\r\n\r\n")->request.method, "get");
  EXPECT_EQ(status_of("G(T / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

// RFC 9112, 3.2: exactly one Host field in HTTP/1.1, and a valid one; 400 otherwise.
TEST(Http1, HostIsThereOnceAndValid) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a:x\r\n\r\n"), 400);
  EXPECT_TRUE(accepted("GET / HTTP/1.1\r\nHost:\r\n\r\n"));
  EXPECT_TRUE(accepted("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"));
  EXPECT_TRUE(accepted("GET / HTTP/1.0\r\n\r\n"));
}

// RFC 9112, 3.2.1: origin-form; RFC 9110, 4.2.5: no fragment.
TEST(Http1, TheTargetIsVisibleAsciiWithoutAFragment) {
  EXPECT_TRUE(
      accepted("GET /a|b[c]\\^ HTTP/1.1\r\nHost: a\r\n\r\n"));  // our choice: what browsers leave unescaped
  EXPECT_EQ(status_of("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /\x80 HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET a HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

// RFC 9112, 3.2.2: a server MUST accept absolute-form, and its host goes before the Host field.
TEST(Http1, TheAbsoluteFormIsTakenApart) {
  const auto p = parse("GET HTTP://b.org:8/x?y HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_EQ(p->parse.state, Http1Parse::kDone);
  EXPECT_EQ(p->request.authority, "b.org:8");
  EXPECT_EQ(p->request.target, "/x?y");
  EXPECT_FALSE(p->request.https);
  const auto bare = parse("GET https://b.org HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(bare->request.target, "/");
  EXPECT_TRUE(bare->request.https);
  EXPECT_EQ(status_of("GET ftp://b.org/ HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET http://u@b.org/x HTTP/1.1\r\nHost: a\r\n\r\n"), 400);  // RFC 9110, 4.2.4
}

// RFC 9112, 3.2.3 and 3.2.4.
TEST(Http1, AuthorityFormIsForConnectAndTheAsteriskForOptions) {
  EXPECT_TRUE(accepted("CONNECT a.org:443 HTTP/1.1\r\nHost: a.org:443\r\n\r\n"));
  EXPECT_EQ(status_of("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_TRUE(accepted("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_EQ(status_of("GET * HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
}

// RFC 9112, 5.1: no white space between the name and the colon: 400.
TEST(Http1, AFieldNameEndsAtItsColon) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost : a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nb\x80: c\r\n\r\n"), 400);
}

// RFC 9112, 5.2: obs-fold is refused.
TEST(Http1, FoldedLinesAreRefused) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nb: c\r\n d\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nb: c\r\n\td\r\n\r\n"), 400);
}

// RFC 9110, 5.5: CR, LF and NUL in a value are dangerous; our choice: so is any control character but the
// tab.
TEST(Http1, ControlCharactersInValuesAreRefused) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nb: c\0d\r\n\r\n"s), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nb: \x1b[2J\r\n\r\n"), 400);
  EXPECT_TRUE(accepted("GET / HTTP/1.1\r\nHost: a\r\nb: c\td\x80\r\n\r\n"));
}

// RFC 9110, 5.4 and RFC 6585, 5: too large is 431.
TEST(Http1, TheFieldsAreBounded) {
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 99; ++i) many += "a: b\r\n";
  EXPECT_TRUE(accepted(many + "\r\n"));
  EXPECT_EQ(status_of(many + "a: b\r\n\r\n"), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nb: " + std::string(40'000, 'x')), 431);
}

// RFC 9112, 6.1 and 6.3: a request with doubtful framing is refused.
TEST(Http1, DoubtfulFramingIsRefused) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(status_of(head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(status_of(head + "Content-Length: 3\r\nContent-Length: 3\r\n\r\n"), 400);
  EXPECT_EQ(status_of(head + "Content-Length: -3\r\n\r\n"), 400);
  EXPECT_EQ(status_of(head + "Content-Length: 3,3\r\n\r\n"), 400);
  EXPECT_EQ(status_of(head + "Content-Length: 99999999999999999999\r\n\r\n"), 400);
  EXPECT_EQ(status_of(head + "Transfer-Encoding: gzip\r\n\r\n"), 501);
  EXPECT_EQ(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(parse(head + "Content-Length: 3\r\n\r\n")->request.content_length, 3u);
  EXPECT_TRUE(parse(head + "Transfer-Encoding: Chunked\r\n\r\n")->request.chunked);
}

// RFC 9112, 9.3: persistence.
TEST(Http1, ConnectionsPersistUnlessToldOtherwise) {
  const auto keeps = [](const char* version, const char* connection) {
    return parse(std::string("GET / ") + version + "\r\nHost: a\r\n" + connection + "\r\n")
        ->request.keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", ""));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: x, , Close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: keep-alive\r\nConnection: close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.0", ""));
  EXPECT_TRUE(keeps("HTTP/1.0", "Connection: Keep-Alive\r\n"));
}

TEST(Http1, EveryPrefixOfAGoodRequestWaitsForMore) {
  const std::string whole = "\r\nGET http://b/x HTTP/1.1\r\nHost: a\nAccept: *\r\nContent-Length: 2\r\n\r\n";
  ASSERT_TRUE(accepted(whole));
  for (std::size_t n = 0; n < whole.size(); ++n) {
    // A buffer of exactly its size: an over-read is seen by a sanitizer.
    const std::unique_ptr<char[]> exact(new char[n]);
    whole.copy(exact.get(), n);
    Http1Request request;
    EXPECT_EQ(parse_http1_request({exact.get(), n}, {}, request).state, Http1Parse::kMore) << n;
  }
}

TEST(Http1, ListsSkipEmptyElements) {
  std::string_view rest = ", a ,,b,";
  EXPECT_EQ(next_element(rest), "a");
  EXPECT_EQ(next_element(rest), "b");
  EXPECT_EQ(next_element(rest), "");
}

}  // namespace
}  // namespace bowerbird
