#include "crawl/inspect/url_report.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(UrlReport, ShowsTheCanonicalFormAndItsParts) {
  Url base;
  ASSERT_EQ(parse_url("http://www.example.co.uk/a/b", nullptr, base), UrlFault::kNone);
  const auto json = url_report("../c?x=1#top", &base, {});
  EXPECT_EQ(json["canonical"], "http://www.example.co.uk/c?x=1");
  EXPECT_EQ(json["site"], "example.co.uk");
  EXPECT_EQ(json["query"], "x=1");
  EXPECT_FALSE(json["changes"].empty());
}

TEST(UrlReport, SaysWhyATextIsRejected) {
  EXPECT_EQ(url_report(" mailto:a@b.example", nullptr, {})["rejected"], "not http or https: 'mailto'");
  EXPECT_TRUE(url_report("", nullptr, {}).contains("rejected"));
}

}  // namespace
}  // namespace bowerbird
