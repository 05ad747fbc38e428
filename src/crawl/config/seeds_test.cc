#include "crawl/config/seeds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(Seeds, AreReadLineByLine) {
  const SeedFile file = parse_seed_file("# mine\n\nhttp://A.example/x#top 2.5\r\nexample.org\n", "s.txt");
  EXPECT_EQ(file.bad, 0u);
  ASSERT_EQ(file.seeds.size(), 2u);
  EXPECT_EQ(file.seeds[0].url, "http://a.example/x");
  EXPECT_EQ(file.seeds[0].weight, 2.5);
  EXPECT_EQ(file.seeds[1].url, "https://example.org/");
}

TEST(Seeds, ComplaintsNameTheirLines) {
  const SeedFile file =
      parse_seed_file("mailto:a@b.example\nhttp://a/ 0\nhttp://a/ 1 2\nhttp://b/\n", "s.txt");
  ASSERT_EQ(file.complaints.size(), 3u);
  EXPECT_TRUE(file.complaints[0].starts_with("s.txt:1: ")) << file.complaints[0];
  EXPECT_TRUE(file.complaints[1].starts_with("s.txt:2: ")) << file.complaints[1];
  EXPECT_TRUE(file.complaints[2].starts_with("s.txt:3: ")) << file.complaints[2];
}

TEST(Seeds, BadLinesAreAllCountedAndTheFirstOnesNamed) {
  std::string text = "http://good/\n";
  for (int i = 0; i < 57; ++i) text += "ftp://bad/\n";
  const TemporaryFolder folder;
  CrawlOptions options;
  options.start.seeds_file = folder / "seeds.txt";
  std::ofstream(options.start.seeds_file) << text;
  const auto refused = gather_seeds(options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(std::count(refused.error().text.begin(), refused.error().text.end(), '\n'), 20);
  EXPECT_NE(refused.error().text.find("57 bad lines, the first 20 named above"), std::string::npos)
      << refused.error().text;
  EXPECT_NE(refused.error().text.find("--skip-bad-seeds"), std::string::npos);
  options.start.skip_bad_seeds = true;
  const auto skipped = gather_seeds(options);
  ASSERT_TRUE(skipped.ok()) << skipped.error().text;
  EXPECT_EQ(skipped->seeds.size(), 1u);
  EXPECT_TRUE(skipped->skipped.ends_with("57 bad lines, the first 20 named above: skipped"))
      << skipped->skipped;
}

TEST(Seeds, ComeOnceInTheirOrder) {
  CrawlOptions options;
  options.start.seeds = {"http://b/", "http://a/", "http://b/#x"};
  options.start.sitemaps = {"http://a/sitemap.xml"};
  const auto seeds = std::move(gather_seeds(options)).value().seeds;
  ASSERT_EQ(seeds.size(), 3u);
  EXPECT_EQ(seeds[0].url, "http://b/");
  EXPECT_EQ(seeds[1].url, "http://a/");
  EXPECT_TRUE(seeds[2].sitemap);
}

}  // namespace
}  // namespace bowerbird
