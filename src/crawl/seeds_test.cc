#include "crawl/seeds.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Seeds, AreReadLineByLine) {
  const auto seeds = parse_seed_file("# mine\n\nhttp://A.example/x#top 2.5\r\nexample.org\n", "s.txt");
  ASSERT_TRUE(seeds.ok()) << seeds.error().text;
  ASSERT_EQ(seeds->size(), 2u);
  EXPECT_EQ((*seeds)[0].url, "http://a.example/x");
  EXPECT_EQ((*seeds)[0].weight, 2.5);
  EXPECT_EQ((*seeds)[1].url, "https://example.org/");
}

TEST(Seeds, ComplaintsNameTheirLines) {
  const auto seeds = parse_seed_file("mailto:a@b.example\nhttp://a/ 0\nhttp://a/ 1 2\nhttp://b/\n", "s.txt");
  ASSERT_FALSE(seeds.ok());
  for (const char* place : {"s.txt:1: ", "s.txt:2: ", "s.txt:3: "}) {
    EXPECT_NE(seeds.error().text.find(place), std::string::npos) << seeds.error().text;
  }
}

TEST(Seeds, ComeOnceInTheirOrder) {
  CrawlOptions options;
  options.seeds = {"http://b/", "http://a/", "http://b/#x"};
  options.sitemaps = {"http://a/sitemap.xml"};
  const auto seeds = std::move(gather_seeds(options)).value();
  ASSERT_EQ(seeds.size(), 3u);
  EXPECT_EQ(seeds[0].url, "http://b/");
  EXPECT_EQ(seeds[1].url, "http://a/");
  EXPECT_TRUE(seeds[2].sitemap);
}

}  // namespace
}  // namespace bowerbird
