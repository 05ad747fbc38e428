#include "lab/seeds.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "graph/csr.h"

namespace bowerbird {
namespace {

Web web_with(PageId pages, const std::vector<std::string>& urls = {}) {
  CsrBuilder builder;
  std::vector<PageId> row;
  for (PageId page = 0; page < pages; ++page) builder.add(row);
  Web web;
  web.graph = std::make_unique<CsrGraph>(std::move(builder).finish());
  if (!urls.empty()) {
    auto names = std::make_unique<StoredNames>();
    for (const std::string& url : urls) names->add(url);
    web.names = std::move(names);
  }
  return web;
}

RankSource no_rank() {
  return []() -> Result<std::span<const double>> { return error("not asked for"); };
}

std::vector<PageId> chosen(const std::string& spec, const Web& web, const RankSource& rank = no_rank()) {
  const auto seeds = choose_seeds(SeedSpec::parse(spec).value(), web, rank, 1);
  EXPECT_TRUE(seeds.ok()) << seeds.error().text;
  std::vector<PageId> pages;
  for (const SeedPage& seed : seeds.value()) pages.push_back(seed.page);
  return pages;
}

std::string failure(const std::string& spec, const Web& web) {
  const auto parsed = SeedSpec::parse(spec);
  if (!parsed.ok()) return parsed.error().text;
  const auto seeds = choose_seeds(*parsed, web, no_rank(), 1);
  return seeds.ok() ? "" : seeds.error().text;
}

class SeedFile {
 public:
  explicit SeedFile(const std::string& text)
      : path_(testing::TempDir() + std::to_string(::getpid()) + "_seeds_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::ofstream(path_) << text;
  }
  ~SeedFile() { std::remove(path_.c_str()); }
  std::string spec() const { return "file:" + path_; }

 private:
  std::string path_;
};

TEST(Seeds, TopTakesTheHighestRanksTiesByLowerId) {
  const std::vector<double> rank = {.1, .3, .1, .3, .2};
  const auto source = [&]() -> Result<std::span<const double>> { return std::span<const double>(rank); };
  EXPECT_EQ(chosen("top:4", web_with(5), source), (std::vector<PageId>{1, 3, 4, 0}));
  EXPECT_EQ(chosen("top:99", web_with(5), source).size(), 5u);
}

TEST(Seeds, RandomOnesAreDifferentAndDependOnTheSeedAlone) {
  const Web web = web_with(1000);
  const auto fifty = chosen("random:50", web);
  EXPECT_EQ(std::set<PageId>(fifty.begin(), fifty.end()).size(), 50u);
  EXPECT_EQ(chosen("random:50", web), fifty);
  const auto twenty = chosen("random:20", web);
  EXPECT_TRUE(std::equal(twenty.begin(), twenty.end(), fifty.begin()));
  EXPECT_EQ(chosen("random:5000", web_with(7)).size(), 7u);
}

TEST(Seeds, IdsComeInTheOrderGivenAndOnce) {
  EXPECT_EQ(chosen("ids:3,1,3,0", web_with(4)), (std::vector<PageId>{3, 1, 0}));
  EXPECT_EQ(chosen("ids: 2", web_with(4)), (std::vector<PageId>{2}));
}

TEST(Seeds, HomeMeansEveryRootPage) {
  const Web web = web_with(4, {"http://a.org/", "http://a.org/x", "http://b.org/", "http://b.org/?q"});
  EXPECT_EQ(chosen("home", web), (std::vector<PageId>{0, 2}));
  EXPECT_EQ(chosen("home:1", web), (std::vector<PageId>{0}));
}

TEST(Seeds, AFileNamesIdsAndUrlsWithWeights) {
  const SeedFile file("# best first\n2 0.5\nhttp://a.org/x 3\r\n\n0 # the root\n");
  const Web web = web_with(3, {"http://a.org/", "http://a.org/x", "http://b.org/"});
  const auto seeds = choose_seeds(SeedSpec::parse(file.spec()).value(), web, no_rank(), 1).value();
  ASSERT_EQ(seeds.size(), 3u);
  EXPECT_EQ(seeds[0].page, 2u);
  EXPECT_EQ(seeds[0].weight, 0.5);
  EXPECT_EQ(seeds[1].page, 1u);
  EXPECT_EQ(seeds[1].weight, 3);
  EXPECT_EQ(seeds[2].page, 0u);
  EXPECT_EQ(seeds[2].weight, 1);
}

TEST(Seeds, ABadFileIsReportedWithItsLine) {
  const Web web = web_with(3, {"http://a.org/", "http://a.org/x", "http://b.org/"});
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(failure(SeedFile("0\n7\n").spec(), web), "line 2: page 7 is beyond"));
  EXPECT_TRUE(contains(failure(SeedFile("0\n\nhttp://c.org/\n").spec(), web), "line 3: no page"));
  EXPECT_TRUE(contains(failure(SeedFile("0 heavy\n").spec(), web), "line 1: 'heavy' is not a weight"));
  EXPECT_TRUE(contains(failure(SeedFile("0 -1\n").spec(), web), "line 1: '-1' is not a weight"));
  EXPECT_TRUE(contains(failure(SeedFile("# nothing\n").spec(), web), "contains no seeds"));
  EXPECT_TRUE(contains(failure(SeedFile("http://a.org/\n").spec(), web_with(3)), "has no URLs"));
  EXPECT_TRUE(contains(failure("file:/nowhere/at/all", web), "/nowhere/at/all"));
}

TEST(Seeds, ErrorsNameTheExpectedForm) {
  const Web web = web_with(3);
  for (const char* spec :
       {"", "top", "top:", "top:0", "best:3", "ids:", "ids:1,x", "ids:-1", "file:", "top:3x"}) {
    EXPECT_FALSE(SeedSpec::parse(spec).ok()) << spec;
  }
  EXPECT_NE(failure("ids:3", web).find("beyond this graph's 3 pages"), std::string::npos);
  EXPECT_NE(failure("home", web).find("no URLs"), std::string::npos);
  EXPECT_NE(failure("random:3", web_with(0)).find("no pages"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
