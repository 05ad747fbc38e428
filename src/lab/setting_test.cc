#include "lab/setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/lab_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

// Links computed, their number unknown, as in a procedural web.
class Ring final : public Graph {
 public:
  explicit Ring(PageId pages) : pages_(pages) {}
  PageId pages() const override { return pages_; }
  std::optional<std::uint64_t> links() const override { return std::nullopt; }
  std::span<const PageId> out(PageId page, LinkBuffer& buffer) const override {
    buffer.links = {(page + 1) % pages_};
    return buffer.links;
  }

 private:
  PageId pages_;
};

Web ring(PageId pages) {
  Web web;
  web.graph = std::make_unique<Ring>(pages);
  return web;
}

TEST(Setting, StatesTheFactsOfTheGraph) {
  Web web = web_of({{1, 2}, {2}, {0}, {0}});
  web.hosts = std::make_unique<StoredHosts>(std::vector<HostId>{0, 0, 1, 1});
  const Setting setting = setting_of(std::move(web));
  EXPECT_EQ(setting.facts.pages, 4u);
  EXPECT_EQ(setting.facts.links, 5u);
  EXPECT_EQ(setting.facts.reachable, 3u);
  EXPECT_EQ(setting.facts.hosts, 2u);
  EXPECT_DOUBLE_EQ(setting.facts.interhost.value(), 4.0 / 5);
  EXPECT_EQ(setting.expected_pages(), 3u);
  EXPECT_EQ(setting.points.pages(), 3u);
}

TEST(Setting, ScatteredHostsGiveTheSameShareAsContiguousOnes) {
  Web web = web_of({{1, 2}, {2, 3}, {0}, {1}});
  web.hosts = std::make_unique<StoredHosts>(std::vector<HostId>{0, 1, 0, 1});
  ASSERT_FALSE(web.hosts->contiguous());
  EXPECT_DOUBLE_EQ(setting_of(std::move(web)).facts.interhost.value(), 2.0 / 6);
}

TEST(Setting, MeasuresByTheChosenImportanceFirst) {
  const Setting by_rank = setting_of(random_web(50));
  ASSERT_EQ(by_rank.yardsticks.size(), 3u);
  EXPECT_EQ(by_rank.yardsticks[0].name(), "pagerank");
  EXPECT_EQ(by_rank.yardsticks[1].name(), "indegree");
  EXPECT_EQ(by_rank.yardsticks[2].name(), "home");
  EXPECT_FALSE(by_rank.yardsticks[2].graded());
  const Setting by_links = setting_of(web_of({{1}, {0}}), "ids:0", Importance::kBacklink);
  ASSERT_EQ(by_links.yardsticks.size(), 2u);
  EXPECT_EQ(by_links.yardsticks[0].name(), "backlink");
  EXPECT_EQ(by_links.yardsticks[1].name(), "pagerank");
}

TEST(Setting, WithoutImportanceNothingGrowsWithTheWeb) {
  const Setting setting = setting_of(ring(3'000'000'000), "random:50", Importance::kNone);
  EXPECT_TRUE(setting.yardsticks.empty());
  EXPECT_EQ(setting.seeds.size(), 50u);
  EXPECT_FALSE(setting.facts.reachable || setting.facts.links);
  EXPECT_EQ(setting.expected_pages(), 3'000'000'000u);
}

TEST(Setting, AWebThatIsTooLargeToJudgeIsRefused) {
  SettingOptions options;
  options.name = "ring";
  const auto setting = prepare_setting(ring(4'000'000'000), options);
  ASSERT_FALSE(setting.ok());
  EXPECT_THAT(setting.error().text, HasSubstr("--importance none"));
}

TEST(Setting, TopSeedsOfAComputedWebAreRefusedWhereNothingIsJudged) {
  SettingOptions options;
  options.importance = Importance::kNone;
  options.seeds = SeedSpec::parse("top:3").value();
  const auto setting = prepare_setting(ring(100), options);
  ASSERT_FALSE(setting.ok());
  EXPECT_THAT(setting.error().text, HasSubstr("seeds 'top:3' need PageRank"));
}

TEST(Setting, SeedsDefaultToTheTopPages) {
  SettingOptions options;
  EXPECT_EQ(prepare_setting(random_web(300), options).value().seeds.size(), 160u);
  options.importance = Importance::kNone;
  EXPECT_EQ(prepare_setting(random_web(300), options).value().seed_spec.text, "random:50");
}

TEST(Setting, WithoutAnyImportanceThereIsNothingToCompare) {
  SettingOptions options;
  options.name = "isles";
  options.importance = Importance::kBacklink;
  const auto setting = prepare_setting(web_of({{}, {}}), options);
  ASSERT_FALSE(setting.ok());
  EXPECT_THAT(setting.error().text, HasSubstr("isles: the importance 'backlink' of every page is 0"));
}

TEST(Setting, AStopDuringPreparationIsAnError) {
  SettingOptions options;
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  EXPECT_FALSE(prepare_setting(random_web(300), options, stop).ok());
}

}  // namespace
}  // namespace bowerbird
