// The crawler does what the lab predicts: a graph served over HTTP, with one connection and no delay, is
// crawled in exactly the order of the lab, for every ordering and strategy.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "crawl_testing.h"
#include "lab/run.h"
#include "policy/registry.h"

namespace bowerbird {
namespace {

constexpr PageId kLabPages = 150;

// The Web that the bench serves, for the lab: the same links and hosts, under the served URLs.
Setting lab_setting(const CrawlBench& bench) {
  Web web = random_web(kLabPages, 10, 4);
  auto names = std::make_unique<StoredNames>();
  for (PageId page = 0; page < kLabPages; ++page) names->add(bench.page_url(page));
  web.names = std::move(names);
  SettingOptions options;
  options.seeds = SeedSpec::parse("ids:0").value();
  options.importance = Importance::kNone;
  return prepare_setting(std::move(web), options).value();
}

std::vector<PageId> lab_order(const CrawlBench& bench) {
  const Setting setting = lab_setting(bench);
  std::vector<PageId> order;
  RunRequest request;
  request.policy = bench.options.order.policy;
  request.strategy = bench.options.order.strategy;
  request.random_seed = bench.options.order.random_seed;
  request.visited = [&](PageId page) { order.push_back(page); };
  RunMonitor monitor;
  const std::atomic<bool> stop{false};
  const auto run = run_crawl(setting, request, monitor, stop);
  EXPECT_TRUE(run.ok()) << run.error().text;
  return order;
}

std::vector<std::string> live_specs() {
  std::vector<std::string> specs;
  for (const PolicyInfo& info : all_policies()) {
    if (has(info.needs, Need::kTruth)) continue;
    for (const std::string_view spec : info.in_all) specs.emplace_back(spec);
  }
  return specs;
}

class LabIsLive : public testing::TestWithParam<std::string> {};

// The specs of ordering and strategy are separated by a space.
TEST_P(LabIsLive, InOrder) {
  CrawlBench bench(random_web(kLabPages, 10, 4));
  const std::string policy = GetParam().substr(0, GetParam().find(' '));
  const std::string strategy = GetParam() == policy ? "all" : GetParam().substr(policy.size() + 1);
  bench.options.order.policy = policy;
  bench.options.order.strategy = strategy;
  bench.options.order.expected_pages = kLabPages;
  bench.options.politeness.connections = 1;
  bench.options.politeness.connections_per_host = 1;
  bench.options.memory.urls = 1;  // most known URLs are on disk, which must not change anything
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  std::vector<PageId> live;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) live.push_back(entry.page);
  }
  EXPECT_EQ(live, lab_order(bench));
  EXPECT_GT(bench.last.memory.urls_on_disk, 0u);
  const bool loses_links = strategy.starts_with("truncated") || strategy.find("budget") != strategy.npos;
  if (!loses_links) {
    EXPECT_EQ(live.size(), kLabPages);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& one) {
  std::string name = one.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

std::vector<std::string> every_pair() {
  std::vector<std::string> specs;
  for (const std::string& policy : live_specs()) {
    for (const char* strategy : {"sydney@2", "shallow@2", "truncated@2", "sydney@2:budget=20"}) {
      specs.push_back(policy + " " + strategy);
    }
  }
  return specs;
}

INSTANTIATE_TEST_SUITE_P(EveryOrdering, LabIsLive, testing::ValuesIn(live_specs()), test_name);
INSTANTIATE_TEST_SUITE_P(EveryStrategy, LabIsLive,
                         testing::Values("bfs sydney@2", "lipr sydney@2", "fpr shallow@1", "opic truncated@3",
                                         "fpr@100 sydney@2:budget=20"),
                         test_name);
INSTANTIATE_TEST_SUITE_P(EveryPair, LabIsLive, testing::ValuesIn(every_pair()),
                         [](const auto& one) { return test_name(one) + "Full"; });

}  // namespace
}  // namespace bowerbird
