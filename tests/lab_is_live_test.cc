// What the lab predicts is what the crawler does: a graph served over HTTP, one connection, no delay, is
// crawled in exactly the order of the lab, for every ordering.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "crawl_testing.h"
#include "frontier/frontier.h"
#include "lab/hosts.h"
#include "policy/registry.h"
#include "url/host.h"
#include "url/location.h"

namespace bowerbird {
namespace {

constexpr PageId kPages = 150;

std::vector<PageId> lab_order(const CrawlBench& bench, const std::string& policy,
                              const std::string& strategy) {
  const auto hosts = [&](PageId page) { return bench.web.hosts->host(page); };
  std::map<std::string, std::uint32_t> directories;
  PolicyContext context;
  context.expected_pages = kPages;
  context.hosts = hosts;
  context.groups = [&](PageId page) {
    const std::string url = bench.page_url(page);
    const auto next = static_cast<std::uint32_t>(directories.size());
    return directories.emplace(url.substr(0, url.rfind('/') + 1), next).first->second;
  };
  FrontierOptions options;
  options.strategy = strategy;
  options.expected_pages = kPages;
  const auto hints = [&](PageId page) {
    const std::string url = bench.page_url(page);
    PageHints made;
    made.location = static_cast<float>(location_score(url));
    made.depth = static_cast<std::uint16_t>(path_depth(url));
    return made;
  };
  auto frontier =
      std::move(Frontier::make(options, std::move(make_policy(policy, context)).value(), hints, hosts))
          .value();
  const SeedPage seed{0, 1};
  frontier->seed({&seed, 1});
  std::vector<PageId> order;
  LinkBuffer buffer;
  std::vector<Link> links;
  while (const auto job = frontier->next(0)) {
    flag_hosts(bench.web.hosts.get(), job->page, bench.web.graph->out(job->page, buffer), links);
    frontier->complete(job->page, links);
    if (!job->links_only) order.push_back(job->page);
  }
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

// The specs of ordering and strategy are parted by a space.
TEST_P(LabIsLive, InOrder) {
  CrawlBench bench(random_web(kPages, 10, 4));
  const std::string policy = GetParam().substr(0, GetParam().find(' '));
  const std::string strategy = GetParam() == policy ? "all" : GetParam().substr(policy.size() + 1);
  bench.options.policy = policy;
  bench.options.strategy = strategy;
  bench.options.expected_pages = kPages;
  bench.options.connections = 1;
  bench.options.connections_per_host = 1;
  bench.options.url_memory = 1;  // most of what is known is on disk: that changes nothing
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  std::vector<PageId> live;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) live.push_back(entry.page);
  }
  EXPECT_EQ(live, lab_order(bench, policy, strategy));
  EXPECT_GT(bench.last.memory.urls_on_disk, 0u);
  if (strategy.find("budget") == strategy.npos) {
    EXPECT_EQ(live.size(), kPages);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& one) {
  std::string name = one.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryOrdering, LabIsLive, testing::ValuesIn(live_specs()), test_name);
INSTANTIATE_TEST_SUITE_P(Strategies, LabIsLive,
                         testing::Values("bfs sydney@2", "fpr@100 sydney@2", "opic sydney@3", "lipr sydney@2",
                                         "bfs shallow@2", "fpr shallow@1", "bfs sydney@2:budget=20",
                                         "fpr sydney@2:budget=20"),
                         test_name);

}  // namespace
}  // namespace bowerbird
