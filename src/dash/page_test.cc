#include "dash/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dash/assets.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

PageParts hostile_parts() {
  PageParts parts;
  parts.title = "</title><script>alert('title')</script>";
  parts.description = "\"><script>alert('description')</script>";
  parts.data = nlohmann::json({{"name", "</script><script>alert('data')</script>{{title}}"}}).dump();
  parts.script = "lab.js";
  parts.without_script = "</pre></noscript><script>alert('text')</script>";
  return parts;
}

TEST(Page, HoldsItsOwnScriptsAndNoOthers) {
  const std::string page = html_page(hostile_parts());
  // The three scripts and the block of data.
  EXPECT_EQ(occurrences(page, "<script"), 4u);
  EXPECT_EQ(occurrences(page, "</script>"), 4u);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_EQ(occurrences(page, "</noscript>"), 1u);
}

TEST(Page, TheDataComesBackAsItWas) {
  const PageParts parts = hostile_parts();
  const std::string page = html_page(parts);
  const std::string_view open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(open) + open.size();
  const std::string data = page.substr(from, page.find("</script>", from) - from);
  EXPECT_EQ(nlohmann::json::parse(data), nlohmann::json::parse(parts.data));
}

TEST(Page, NothingIsLoadedFromAnywhere) {
  const std::string page = html_page(hostile_parts());
  EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;"));
  EXPECT_EQ(occurrences(page.substr(0, page.find("<style>")), "sha256-"), 3u);
  for (const char* loads : {"src=", "@import", "url(http", "<link"}) {
    EXPECT_THAT(std::string(asset("page.html")) + std::string(asset("page.css")), Not(HasSubstr(loads)));
  }
}

TEST(Page, AssetsCanStandInAPage) {
  for (const Asset& one : all_assets()) {
    EXPECT_FALSE(one.text.empty()) << one.name;
    // Pages themselves, and what the live page loads as files, do not stand in a page.
    if (one.name == "page.html" || one.name.starts_with("live/")) continue;
    for (const char* ends : {"</script", "</style", "<!--", "\r"}) {
      EXPECT_THAT(std::string(one.text), Not(HasSubstr(ends))) << one.name;
    }
  }
}

}  // namespace
}  // namespace bowerbird
