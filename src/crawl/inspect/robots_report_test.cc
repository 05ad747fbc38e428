#include "crawl/inspect/robots_report.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(RobotsReport, NamesTheLineThatDecides) {
  const auto json = robots_report(
      "User-agent: bot\r\nDisallow: /a\r\nAllow: /a/b  \r\nCrawl-delay: 3\r\n\r\nUser-agent: *\r\nDisallow: "
      "/\r\n",
      "bot", {"http://x.test/a/c", "/a/b/d", "/", "mailto:x"});
  EXPECT_EQ(json["group"][0]["line"], 1);
  EXPECT_EQ(json["rules"], 2);
  EXPECT_EQ(json["crawl_delay"], 3);
  EXPECT_EQ(json["decisions"][0]["rule"], "Disallow: /a");
  EXPECT_EQ(json["decisions"][0]["allowed"], false);
  EXPECT_EQ(json["decisions"][1]["rule"], "Allow: /a/b");
  EXPECT_EQ(json["decisions"][2]["allowed"], true);
  EXPECT_FALSE(json["decisions"][2].contains("line"));
  EXPECT_TRUE(json["decisions"][3].contains("rejected"));
}

TEST(RobotsReport, LinesOfUtf16AreReadable) {
  std::string bytes = "\xff\xfe";
  for (const char c : std::string_view("User-agent: *\nDisallow: /a\n")) bytes.append({c, '\0'});
  const auto json = robots_report(bytes, "bot", {"/a"});
  EXPECT_EQ(json["decisions"][0]["rule"], "Disallow: /a");
}

TEST(RobotsReport, WithoutAMatchingGroupTheStarGroupApplies) {
  const auto json = robots_report("User-agent: *\nDisallow: /\n", "bot", {"/x"});
  EXPECT_EQ(json["group"][0]["text"], "*");
  EXPECT_EQ(json["decisions"][0]["allowed"], false);
  EXPECT_TRUE(robots_report("", "bot", {})["group"].empty());
}

}  // namespace
}  // namespace bowerbird
