#include "parse/page_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/html_scanner.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;

struct Links {
  std::vector<std::string> urls;
  std::size_t rejected = 0;
};

Links links(std::string_view html, std::string_view own = "https://a.example/dir/page.html") {
  HtmlScanner scanner;
  HtmlPage page;
  scanner.scan(html, page);
  Url url;
  EXPECT_EQ(parse_url(own, nullptr, url) == UrlFault::kNone, !own.empty());
  LinkResolver resolver;
  Links found;
  found.rejected = resolver.resolve(
      page, url, [&](const HtmlLink&, const Url& target) { found.urls.push_back(target.text()); });
  return found;
}

TEST(LinkResolver, AreAbsoluteAndCanonicalInTheOrderOfThePage) {
  EXPECT_THAT(links("<a href=x.html#top><a href='../y?utm_source=z'><a href=//B.example>").urls,
              ElementsAre("https://a.example/dir/x.html", "https://a.example/y", "https://b.example/"));
}

TEST(LinkResolver, ThatAreNoneOfTheWebAreCountedAndLeftOut) {
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
TEST(LinkResolver, PassOverABaseThatIsNone) {
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

}  // namespace
}  // namespace bowerbird
