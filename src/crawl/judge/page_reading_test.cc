// Content-Type decides how a page is read: its encoding, and HTML or XML syntax.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawl/judge/page_parser.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;

std::vector<std::string> links_of(std::string_view head, std::string_view body, bool sitemap = false) {
  const ParserSettings settings;
  FetchedPage page;
  page.url = "http://a.example/p";
  page.sitemap = sitemap;
  page.fetch.end = FetchEnd::kAnswered;
  page.fetch.status = head.starts_with("Location") ? 301 : 200;
  page.fetch.head = "HTTP/1.1 200 OK\r\n" + std::string(head) + "\r\n\r\n";
  page.fetch.body = body;
  const ParsedPage parsed = PageParser(settings).parse(std::move(page));
  std::vector<std::string> links;
  for (const FoundLink& link : parsed.links) links.emplace_back(link.text(parsed.texts));
  return links;
}

TEST(PageReading, QueriesAreRequestedInTheEncodingOfThePage) {
  EXPECT_THAT(links_of("Content-Type: text/html; charset=windows-1251", "<a href='?q=\xC6'>"),
              ElementsAre("http://a.example/p?q=%C6"));
  EXPECT_THAT(links_of("Content-Type: text/html; charset=utf-8", "<a href='?q=\u0416'>"),
              ElementsAre("http://a.example/p?q=%D0%96"));
}

TEST(PageReading, RedirectsAndSitemapsAreAlwaysUtf8) {
  EXPECT_THAT(links_of("Location: /?\u0416\r\nContent-Type: text/html; charset=windows-1251", ""),
              ElementsAre("http://a.example/?%D0%96"));
  EXPECT_THAT(links_of("Content-Type: text/xml",
                       "<?xml version='1.0' encoding='windows-1251'?>"
                       "<urlset><url><loc>http://a.example/?\xC6</loc></url></urlset>",
                       /*sitemap=*/true),
              ElementsAre("http://a.example/?%D0%96"));
}

TEST(PageReading, ContentTypeNamesTheEncodingOfASitemap) {
  EXPECT_THAT(links_of("Content-Type: text/xml; charset=windows-1251",
                       "<urlset><url><loc>http://a.example/?\xC6</loc></url></urlset>", /*sitemap=*/true),
              ElementsAre("http://a.example/?%D0%96"));
}

TEST(PageReading, XhtmlIsParsedAsXmlIfItsTypeSaysSo) {
  constexpr std::string_view kPage =
      "<html xmlns='http://www.w3.org/1999/xhtml'><script src='x'/><a href='1'/></html>";
  EXPECT_THAT(links_of("Content-Type: application/xhtml+xml; charset=utf-8", kPage),
              ElementsAre("http://a.example/1"));
  EXPECT_THAT(links_of("Content-Type: text/html", kPage), ElementsAre());
}

}  // namespace
}  // namespace bowerbird
