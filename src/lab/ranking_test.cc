#include "lab/ranking.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "lab/lab_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// 0 and 1 link to 2; 2 links to 0.
Web triangle() {
  return web_of({{2}, {2}, {0}});
}

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Ranking, ByDegreeAndPageRank) {
  const Web web = triangle();
  EXPECT_EQ(rank_pages(web, RankBy::kInDegree)->value, (std::vector<double>{1, 0, 2}));
  EXPECT_EQ(rank_pages(web, RankBy::kOutDegree)->value, (std::vector<double>{1, 1, 1}));
  const Ranking ranks = rank_pages(web, RankBy::kPageRank).value();
  EXPECT_TRUE(ranks.converged);
  EXPECT_GT(ranks.iterations, 0u);
  EXPECT_GT(ranks.value[2], ranks.value[0]);
  EXPECT_GT(ranks.value[0], ranks.value[1]);
  EXPECT_FALSE(rank_pages(web, RankBy::kLocation).ok()) << "it has no URLs";
}

TEST(Ranking, MetricsHaveNames) {
  EXPECT_EQ(parse_rank_by("in-degree").value(), RankBy::kInDegree);
  EXPECT_FALSE(parse_rank_by("beauty").ok());
}

TEST(Ranking, IsWrittenAsTheExtensionSays) {
  TemporaryFolder folder;
  const Web web = triangle();
  const std::vector<double> value = {0.5, 2, -1};
  ASSERT_TRUE(write_vector(folder / "v.csv", web, value).ok());
  EXPECT_EQ(text_of_file(folder / "v.csv"), "page,score\n0,0.5\n1,2\n2,-1\n");
  ASSERT_TRUE(write_vector(folder / "v.json", web, value).ok());
  EXPECT_EQ(text_of_file(folder / "v.json"),
            "[\n{\"page\":0,\"score\":0.5},\n{\"page\":1,\"score\":2.0},\n{\"page\":2,\"score\":-1.0}\n]\n");
  ASSERT_TRUE(write_vector(folder / "v.f64", web, value).ok());
  const std::string bytes = text_of_file(folder / "v.f64");
  ASSERT_EQ(bytes.size(), 24u);
  EXPECT_EQ(std::memcmp(bytes.data(), value.data(), 24), 0);
  EXPECT_FALSE(write_vector(folder / "v.txt", web, value).ok());
}

}  // namespace
}  // namespace bowerbird
