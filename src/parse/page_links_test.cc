#include "parse/page_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/page_reader.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;

struct Links {
  std::vector<std::string> urls;
  std::size_t rejected = 0;
  std::size_t again = 0;  // of them, told by number
};

Links links(std::string_view html, std::string_view own = "https://a.example/dir/page.html") {
  PageReader reader;
  HtmlPage page;
  reader.read(html, {}, page);
  Url url;
  EXPECT_EQ(parse_url(own, nullptr, url) == UrlFault::kNone, !own.empty());
  LinkResolver resolver;
  Links found;
  std::vector<std::string> known;
  found.rejected = resolver.resolve(
      page, url, [](const HtmlLink&) { return true; },
      [&](const HtmlLink&, const Url& target) {
        found.urls.push_back(target.text());
        known.push_back(target.text());
        return static_cast<std::uint32_t>(known.size() - 1);
      },
      [&](const HtmlLink&, std::uint32_t place) {
        found.urls.push_back(known[place]);
        ++found.again;
      });
  return found;
}

TEST(LinkResolver, AreAbsoluteAndCanonicalInTheOrderOfThePage) {
  EXPECT_THAT(links("<a href=x.html#top><a href='../y?utm_source=z'><a href=//B.example>").urls,
              ElementsAre("https://a.example/dir/x.html", "https://a.example/y", "https://b.example/"));
}

TEST(LinkResolver, SkipsAndCountsLinksThatAreNotHttp) {
  const Links found = links("<a href=mailto:me@a.example><a href=javascript:void(0)><a href=z>");
  EXPECT_THAT(found.urls, ElementsAre("https://a.example/dir/z"));
  EXPECT_EQ(found.rejected, 2u);
}

// HTML standard 4.2.3: the first base that has an href counts, and for links before it as well.
TEST(LinkResolver, AreRelativeToTheBaseWhichIsRelativeToThePage) {
  EXPECT_THAT(links("<a href=1><base target=_top><base href=/other/><base href=/late/><a href=2>").urls,
              ElementsAre("https://a.example/other/1", "https://a.example/other/2"));
}

// HTML standard 2.4.2: a base that cannot be parsed, or is a data: or javascript: URL, is passed over.
// HTML standard 2.4.2, "encoding-parse a URL".
TEST(LinkResolver, WritesQueriesInTheEncodingOfThePage) {
  EXPECT_THAT(links("<meta charset=windows-1251><base href='/x?\xC6'><a href='?q=\xC6#\xC6'><a href=''>"
                    "<a href='/\xC6'><a href='?&#1046;&#937;'>")
                  .urls,
              ElementsAre("https://a.example/x?q=%C6", "https://a.example/x?%C6", "https://a.example/%D0%96",
                          "https://a.example/x?%C6%26%23937%3B"));
  EXPECT_THAT(links("<meta charset=koi8-r><a href='?q=&#1046;'>").urls,
              ElementsAre("https://a.example/dir/page.html?q=%F6"));
}

// A page in an attribute is UTF-8, and relative to the base of the page that it is in.
TEST(LinkResolver, WritesQueriesOfFramesInUtf8) {
  EXPECT_THAT(
      links("<meta charset=koi8-r><base href=/x/><a href='?\xF6'><iframe srcdoc='<a href=?\xF6>'>").urls,
      ElementsAre("https://a.example/x/?%F6", "https://a.example/x/?%D0%96"));
}

TEST(LinkResolver, IgnoresAnInvalidBase) {
  EXPECT_THAT(links("<base href='data:text/plain,x'><a href=1>").urls,
              ElementsAre("https://a.example/dir/1"));
  EXPECT_THAT(links("<base href='https://['><a href=1>").urls, ElementsAre("https://a.example/dir/1"));
}

TEST(LinkResolver, OfAPageWithoutAUrlAreTheAbsoluteOnes) {
  const Links found = links("<a href=1><a href=http://b.example/2>", "");
  EXPECT_THAT(found.urls, ElementsAre("http://b.example/2"));
  EXPECT_EQ(found.rejected, 1u);
  EXPECT_THAT(links("<base href=http://b.example/><a href=1>", "").urls, ElementsAre("http://b.example/1"));
}

TEST(LinkResolver, ResolvesLinksThatAreWrittenAlikeOnce) {
  const Links found =
      links("<a href=x#1><a href=x><a href=mailto:a#x><a href=x#2><a href=#a><a href=#b><a href=mailto:a>");
  EXPECT_THAT(found.urls,
              ElementsAre("https://a.example/dir/x", "https://a.example/dir/x", "https://a.example/dir/x",
                          "https://a.example/dir/page.html", "https://a.example/dir/page.html"));
  EXPECT_EQ(found.again, 3u);
  EXPECT_EQ(found.rejected, 2u);
}

// Blanks at the end of an href are cut off, but not in front of its fragment.
TEST(LinkResolver, KnowsThatABlankBeforeAFragmentCounts) {
  EXPECT_THAT(
      links("<a href='x '><a href='x #1'><a href='x #1'>").urls,
      ElementsAre("https://a.example/dir/x", "https://a.example/dir/x%20", "https://a.example/dir/x%20"));
}

// Against resolving each link alone, on pages of all short hrefs over a few telling characters.
TEST(LinkResolver, FindsWhatEachLinkAloneWouldFind) {
  constexpr std::string_view kLetters = "x#/ .?:\t";
  std::string html;
  std::vector<std::string> hrefs;
  for (std::size_t n = 0; n < 9 * 9 * 9 * 9; ++n) {
    std::string href;
    for (std::size_t rest = n; rest > 0; rest /= kLetters.size()) href += kLetters[rest % kLetters.size()];
    html += "<a href='" + href + "'>";
    hrefs.push_back(std::move(href));
  }
  Url own;
  ASSERT_EQ(parse_url("https://a.example/dir/page.html", nullptr, own), UrlFault::kNone);
  std::vector<std::string> alone;
  std::size_t rejected = 0;
  Url url;
  for (const std::string& href : hrefs) {
    if (canonical_url(href, &own, url) == UrlFault::kNone) {
      alone.push_back(url.text());
    } else {
      ++rejected;
    }
  }
  const Links found = links(html);
  EXPECT_EQ(found.urls, alone);
  EXPECT_EQ(found.rejected, rejected);
}

}  // namespace
}  // namespace bowerbird
