#include "crawl/judge/page_parser.h"

#include <gtest/gtest.h>

#include <tuple>

#include "base/compress_testing.h"
#include "pdf/pdf_testing.h"

namespace bowerbird {
namespace {

class PageParserTest : public testing::Test {
 protected:
  PageParserTest() { settings_.token = "bowerbird"; }

  // A response for http://a.example/x/y with these header fields ("A: b\r\n") and this body.
  ParsedPage parse(std::string_view fields, std::string_view body, int status = 200) {
    FetchedPage page;
    page.url = "http://a.example/x/y";
    page.fetch.end = FetchEnd::kAnswered;
    page.fetch.status = status;
    page.fetch.head = "HTTP/1.1 " + std::to_string(status) + " x\r\n" + std::string(fields) + "\r\n";
    page.fetch.body = body;
    page.last_digest = last_digest_;
    return PageParser(settings_).parse(std::move(page));
  }
  static std::string links(const ParsedPage& page) {
    std::string text;
    for (const FoundLink& link : page.links) {
      text.append(text.empty() ? "" : " ").append(link.text(page.texts));
      if ((link.flags & kLinkNofollow) != 0) text += "(nofollow)";
    }
    return text;
  }

  ParserSettings settings_;
  std::uint64_t last_digest_ = 0;
};

TEST_F(PageParserTest, LinkHeaderFieldsAreLinksOfThePage) {
  EXPECT_EQ(links(parse("Content-Type: text/html\r\nLink: <2>; rel=next\r\nRefresh: 3; url=/r\r\n",
                        "<base href=/b/><a href=2>")),
            "http://a.example/x/2 http://a.example/r http://a.example/b/2");
  // As <link rel=alternate>, which is not followed.
  EXPECT_EQ(links(parse("Content-Type: text/html\r\nLink: <2>; rel=alternate\r\n", "")), "");
}

TEST_F(PageParserTest, BodiesOfOtherTypesHaveOnlyTheLinksOfTheirHeader) {
  EXPECT_EQ(links(parse("Content-Type: application/pdf\r\nLink: <2>; rel=canonical\r\n", "%PDF-<a href=3>")),
            "http://a.example/x/2");
}

TEST_F(PageParserTest, ARedirectKeepsRawBytes) {
  EXPECT_EQ(links(parse("Location: /\xE9\r\n", "", 301)), "http://a.example/%E9");
}

TEST_F(PageParserTest, XRobotsTagAppliesToEveryType) {
  EXPECT_EQ(links(parse("Location: /z\r\nX-Robots-Tag: nofollow\r\n", "", 302)),
            "http://a.example/z(nofollow)");
  EXPECT_TRUE(parse("Location: /z\r\nX-Robots-Tag: noarchive\r\n", "", 302).noarchive);
  const ParsedPage pdf =
      parse("Content-Type: application/pdf\r\nLink: <2>; rel=next\r\nX-Robots-Tag: noarchive, nofollow\r\n",
            "%PDF-");
  EXPECT_TRUE(pdf.noarchive);
  EXPECT_EQ(links(pdf), "http://a.example/x/2(nofollow)");
}

TEST_F(PageParserTest, DirectivesForOtherRobotsAreNotForUs) {
  EXPECT_EQ(links(parse("Content-Type: text/html\r\n", "<meta name=otherbot content=nofollow><a href=/z>")),
            "http://a.example/z");
  EXPECT_EQ(links(parse("Content-Type: text/html\r\n", "<meta name=Bowerbird content=nofollow><a href=/z>")),
            "http://a.example/z(nofollow)");
}

TEST_F(PageParserTest, AGenericTypeIsSniffed) {
  const std::string page = "<html><a href=/z>";
  EXPECT_EQ(links(parse("", page)), "http://a.example/z");
  EXPECT_EQ(links(parse("Content-Type: application/unknown\r\n", page)), "http://a.example/z");
  EXPECT_EQ(links(parse("Content-Type: junk\r\n", page)), "http://a.example/z");
  EXPECT_EQ(links(parse("X-Content-Type-Options: nosniff\r\n", page)), "");
  EXPECT_EQ(links(parse("Content-Type: text/plain\r\n", page)), "");
}

TEST_F(PageParserTest, ASniffedTypeThatIsNotWantedIsUnwanted) {
  const BodyTypes types = std::move(BodyTypes::make(std::vector<std::string>{"html"})).value();
  settings_.types = &types;
  EXPECT_EQ(parse("", "GIF89a").outcome, Outcome::kUnwanted);
  EXPECT_EQ(parse("", "GIF89a").sniffed_type, "image/gif");
  EXPECT_EQ(parse("Content-Type: unknown/unknown\r\n", "text").sniffed_type, "text/plain");
  EXPECT_EQ(parse("", "<html>").outcome, Outcome::kFetched);
  EXPECT_EQ(parse("", "").outcome, Outcome::kFetched);
}

TEST_F(PageParserTest, ABodyThatIsNotCompressedIsKept) {
  for (const char* coding : {"none", "UTF-8", "x-unknown", "gzip"}) {
    const ParsedPage page = parse(
        "Content-Type: text/html\r\nContent-Encoding: " + std::string(coding) + "\r\n", "<html><a href=/z>");
    EXPECT_EQ(page.outcome, Outcome::kFetched) << coding;
    EXPECT_EQ(links(page), "http://a.example/z") << coding;
  }
  EXPECT_EQ(parse("Content-Type: text/html\r\nContent-Encoding: x\r\n", "\x01\x02").outcome,
            Outcome::kBadCoding);
}

// RFC 1952, 2.3.1 and RFC 1950, 2.2: checksum and length are the last bytes.
TEST_F(PageParserTest, ABodyThatOnlyLacksItsChecksumIsKept) {
  const std::string text = "<html><a href=/z>" + std::string(1000, 'x');
  for (const auto& [coding, window, end] : {std::tuple("gzip", 31, 8u), std::tuple("deflate", 15, 4u)}) {
    const std::string fields = "Content-Type: text/html\r\nContent-Encoding: " + std::string(coding) + "\r\n";
    const std::string whole = compressed_for_test(text, window);
    for (std::size_t missing = 0; missing <= end; ++missing) {
      const ParsedPage page = parse(fields, whole.substr(0, whole.size() - missing));
      EXPECT_EQ(page.outcome, Outcome::kFetched) << coding << " " << missing;
      EXPECT_EQ(links(page), "http://a.example/z") << coding << " " << missing;
    }
    for (std::size_t missing = end + 1; missing < end + 4; ++missing) {
      EXPECT_EQ(parse(fields, whole.substr(0, whole.size() - missing)).outcome, Outcome::kBadCoding)
          << coding << " " << missing;
    }
  }
}

TEST_F(PageParserTest, LinksOfPdfFilesAreFollowed) {
  const PdfReader pdf;
  if (!pdf.available()) GTEST_SKIP() << "poppler-utils is not installed";
  settings_.pdf = &pdf;
  EXPECT_EQ(links(parse("Content-Type: application/pdf\r\nLink: <2>; rel=next\r\n",
                        small_pdf("T", "A bower", "http://b.example/?a=1&b=2"))),
            "http://a.example/x/2 http://b.example/?a=1&b=2");
  EXPECT_EQ(links(parse("Content-Type: application/pdf\r\n", "%PDF-1.4 damaged")), "");
}

TEST_F(PageParserTest, BytesAreComparedUnlessRefreshingComparesTexts) {
  const std::string fields = "Content-Type: text/html\r\n";
  settings_.digests = true;
  const std::uint64_t bytes = parse(fields, "<p>one 1").digest;
  EXPECT_TRUE(is_bytes_digest(bytes));
  EXPECT_EQ(parse(fields, "<p>one 1").digest, bytes);
  EXPECT_NE(parse(fields, "<p>one 2").digest, bytes);
  settings_.text_digests = true;
  last_digest_ = bytes;
  const ParsedPage same = parse(fields, "<p>one 1");
  EXPECT_FALSE(is_bytes_digest(same.digest));
  EXPECT_EQ(same.last_digest, same.digest);
  const ParsedPage other = parse(fields, "<p>one 2");
  EXPECT_NE(other.last_digest, other.digest) << "there is no archive";
  last_digest_ = same.digest;
  EXPECT_EQ(parse(fields, "<p>one 2").last_digest, parse(fields, "<p>one 2").digest);
}

TEST_F(PageParserTest, FindsTheMainTextIfAsked) {
  std::string page = "<title>T</title><nav><a href=/>Home</a></nav><article><h1>T</h1>";
  for (int i = 0; i < 5; ++i)
    page += "<p>This is a sentence of a story that is told to those who like stories.</p>";
  const std::string fields = "Content-Type: text/html\r\n";
  EXPECT_EQ(parse(fields, page).main_text, "");
  settings_.main_text = true;
  const std::string text = parse(fields, page).main_text;
  EXPECT_TRUE(text.starts_with("This is a sentence")) << text;
  EXPECT_EQ(text.find("Home"), text.npos);
  EXPECT_EQ(parse(fields, "").main_text, "");
}

}  // namespace
}  // namespace bowerbird
