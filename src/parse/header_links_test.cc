#include "parse/header_links.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

// "kind rel URL" of each link.
std::vector<std::string> links_in(std::string_view fields, HtmlPage page = {}) {
  Url own;
  EXPECT_EQ(parse_url("http://a.example/x/y", nullptr, own), UrlFault::kNone);
  add_header_links("HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n\r\n", own, page);
  std::vector<std::string> found;
  for (const HtmlLink& link : page.links) {
    found.push_back(std::string(link_kind_name(link.kind)) + " " + rel_text(link.rel) + " " +
                    std::string(page.href(link)));
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(HeaderLinks, LinkFieldsAreLinkElements) {
  EXPECT_EQ(
      links_in("Link: <z>; rel=next, </c>; rel=\"canonical nofollow\"\r\nLink: <//b.example>; rel=prev"),
      (Found{"link next http://a.example/x/z", "link nofollow canonical http://a.example/c",
             "link prev http://b.example/"}));
  EXPECT_EQ(links_in("Link: </\xE9>; rel=next"), Found{"link next http://a.example/%E9"});
  EXPECT_EQ(links_in("Link: <mailto:x@y>; rel=next"), Found{});
}

// RFC 8288, section 3.2.
TEST(HeaderLinks, AnAnchorThatNamesAnotherPageMakesItALinkOfThatPage) {
  EXPECT_EQ(links_in("Link: <z>; rel=next; anchor=\"/other\""), Found{});
  EXPECT_EQ(links_in("Link: <z>; rel=next; anchor=\"urn:isbn:1\""), Found{});
  EXPECT_EQ(links_in("Link: <z>; rel=next; anchor=\"#part\"").size(), 1u);
  EXPECT_EQ(links_in("Link: <z>; rel=next; anchor=\"http://a.example/x/y\"").size(), 1u);
}

TEST(HeaderLinks, RefreshIsItsMetaElement) {
  EXPECT_EQ(links_in("Refresh: 5; url=z"), Found{"refresh  http://a.example/x/z"});
  EXPECT_EQ(links_in("Refresh: 0;URL='/\xE9'"), Found{"refresh  http://a.example/%E9"});
  EXPECT_EQ(links_in("Refresh: 5"), Found{});
  EXPECT_EQ(links_in("Refresh: soon; url=z"), Found{});
}

TEST(HeaderLinks, ComeBeforeThoseOfThePageAndIgnoreItsBase) {
  HtmlPage page;
  page.strings = "/basebody";
  page.has_base = true;
  page.base = {0, 5};
  page.links.emplace_back().href = {5, 4};
  EXPECT_EQ(links_in("Link: <z>; rel=next", page), (Found{"link next http://a.example/x/z", "a  body"}));
}

}  // namespace
}  // namespace bowerbird
