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
  ASSERT_TRUE(refused.ok());
  EXPECT_EQ(std::count(refused->bad.begin(), refused->bad.end(), '\n'), 20);
  EXPECT_NE(refused->bad.find("57 bad lines, the first 20 named above"), std::string::npos) << refused->bad;
  EXPECT_NE(refused->bad.find("--skip-bad-seeds"), std::string::npos);
  options.start.skip_bad_seeds = true;
  const auto skipped = gather_seeds(options);
  ASSERT_TRUE(skipped.ok()) << skipped.error().text;
  EXPECT_EQ(skipped->seeds.size(), 1u);
  ASSERT_EQ(skipped->notes.size(), 1u);
  EXPECT_TRUE(skipped->notes[0].ends_with("57 bad lines, the first 20 named above: skipped"))
      << skipped->notes[0];
}

TEST(Seeds, AByteOrderMarkIsSkippedAndUtf16IsNamed) {
  const SeedFile file = parse_seed_file("\xef\xbb\xbfhttp://a.example/\r\nhttp://b.example/\r\n", "s.txt");
  EXPECT_EQ(file.bad, 0u);
  ASSERT_EQ(file.seeds.size(), 2u);
  EXPECT_EQ(file.seeds[0].url, "http://a.example/");
  const SeedFile wide = parse_seed_file(std::string_view("\xff\xfeh\0t\0", 6), "s.txt");
  ASSERT_EQ(wide.complaints.size(), 1u);
  EXPECT_EQ(wide.complaints[0], "s.txt: the file is in UTF-16; save it as UTF-8");
}

TEST(Seeds, ComplaintsAboutABinaryFileAreShort) {
  const SeedFile file = parse_seed_file(std::string(5000, '\0') + "\n" + std::string(5000, 'x'), "s");
  ASSERT_EQ(file.complaints.size(), 2u);
  EXPECT_EQ(file.complaints[0], "s:1: a zero byte; save the file as text in UTF-8");
  EXPECT_LT(file.complaints[1].size(), 700u);
}

TEST(Seeds, AFileThatCannotBeReadIsAnError) {
  CrawlOptions options;
  options.start.seeds_file = "/nowhere/seeds.txt";
  EXPECT_FALSE(gather_seeds(options).ok());
}

TEST(Seeds, WithoutASchemeHttpsIsAssumedAndNoted) {
  const TemporaryFolder folder;
  CrawlOptions options;
  options.start.seeds = {"example.org", "http://a/"};
  options.start.seeds_file = folder / "seeds.txt";
  std::ofstream(options.start.seeds_file) << "www.example.org/x 2\nhttps://b/\n";
  const auto seeds = gather_seeds(options);
  ASSERT_TRUE(seeds.ok()) << seeds.error().text;
  EXPECT_EQ(seeds->bad, "");
  EXPECT_EQ(seeds->seeds[2].url, "https://www.example.org/x");
  ASSERT_EQ(seeds->notes.size(), 1u);
  EXPECT_EQ(seeds->notes[0], "2 seeds without a scheme, https is used: https://example.org/, ...");
}

TEST(Seeds, AWordIsNotAUrl) {
  const auto word = canonical_seed("not");
  ASSERT_FALSE(word.ok());
  EXPECT_NE(word.error().text.find("https://not/"), std::string::npos) << word.error().text;
  const SeedFile file = parse_seed_file("not a url\n", "seeds.txt");
  ASSERT_EQ(file.bad, 1u);
  EXPECT_TRUE(file.complaints[0].starts_with("seeds.txt:1: 'not' is not a URL")) << file.complaints[0];
  for (const char* text : {"/etc/passwd", "two words"}) {
    EXPECT_EQ(canonical_seed(text).error().text.find("https://"), std::string::npos) << text;
  }
  EXPECT_TRUE(canonical_seed("localhost/x").ok());
  EXPECT_TRUE(canonical_seed("[::1]/x").ok());
}

TEST(Seeds, AreUniqueAndKeepTheirOrder) {
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
