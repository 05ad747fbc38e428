// For tests: small webs, and a plain crawl of them through a Frontier.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "frontier/frontier.h"
#include "policy/registry.h"

namespace bowerbird::testing_web {

struct TestWeb {
  std::vector<std::vector<PageId>> out;
  std::vector<HostId> host;      // empty: all pages are one host
  std::vector<double> location;  // empty: 1 / (1 + page)

  PageId pages() const { return static_cast<PageId>(out.size()); }
  HostId host_of(PageId page) const { return host.empty() ? 0 : host[page]; }
  std::uint32_t group_of(PageId page) const { return host_of(page) * 4 + page % 4; }
  PageHints hints(PageId page) const {
    const double il = location.empty() ? 1.0 / (1.0 + page) : location[page];
    return {static_cast<float>(il), static_cast<std::uint16_t>(page % 5), draw(3, page) % 23 == 0};
  }
  // Any pages and links are on the topic, for `similar`.
  bool on_topic(PageId page) const { return draw(1, page) % 11 == 0; }
  bool on_topic(PageId from, PageId to) const { return draw(draw(2, from), to) % 13 == 0; }
  std::vector<Link> links(PageId page) const {
    std::vector<Link> links;
    for (const PageId to : out[page]) {
      links.push_back({to, host_of(to) != host_of(page), LinkRoute::kLocal, on_topic(page, to)});
    }
    return links;
  }
  // The true importance, for `omniscient`; any numbers do.
  std::vector<double> truth() const {
    std::vector<double> values(out.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = to_unit(draw(99, i));
    return values;
  }
  std::vector<PageId> reachable(const std::vector<PageId>& seeds) const {
    std::vector<bool> seen(out.size());
    std::vector<PageId> found;
    auto see = [&](PageId page) {
      if (!seen[page]) found.push_back(page);
      seen[page] = true;
    };
    for (const PageId page : seeds) see(page);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const PageId to : out[found[i]]) see(to);
    }
    return found;
  }
};

// Distinct ascending links, some pages without any, some to themselves, degrees that vary widely.
inline TestWeb random_web(std::uint64_t seed, PageId pages, HostId hosts = 5) {
  Rng rng(seed);
  TestWeb web;
  web.out.resize(pages);
  for (PageId page = 0; page < pages; ++page) {
    web.host.push_back(static_cast<HostId>(rng.below(hosts)));
    const std::uint64_t degree = rng.below(4) == 0 ? rng.below(pages) / 2 : rng.below(6);
    std::vector<PageId>& row = web.out[page];
    for (std::uint64_t i = 0; i < degree; ++i) {
      // Half of the links go to a few popular pages.
      row.push_back(static_cast<PageId>(rng.below(2) == 0 ? rng.below(pages) : rng.below(1 + pages / 8)));
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return web;
}

struct CrawlSetup {
  std::string policy = "bfs";
  std::string strategy = "all";
  std::vector<PageId> seeds = {0};
  std::uint64_t seed = 1;
  unsigned threads = 1;
  // Of the ordering's growing graph.
  SpillStore* spill = nullptr;
  std::uint64_t graph_bytes = ~std::uint64_t{0};
  CrawledRows rows = {};
};

inline std::unique_ptr<Frontier> make_frontier(const TestWeb& web, const CrawlSetup& setup,
                                               const std::vector<double>& truth) {
  const std::uint64_t expected = web.reachable(setup.seeds).size();
  auto policy = make_policy(setup.policy, {.expected_pages = expected,
                                           .seed = setup.seed,
                                           .importance = truth,
                                           .threads = setup.threads,
                                           .hosts = [&web](PageId page) { return web.host_of(page); },
                                           .groups = [&web](PageId page) { return web.group_of(page); },
                                           .spill = setup.spill,
                                           .graph_bytes = setup.graph_bytes,
                                           .rows = setup.rows});
  EXPECT_TRUE(policy.ok()) << setup.policy << ": " << policy.error().text;
  auto frontier = Frontier::make(
      {.strategy = setup.strategy, .expected_pages = expected, .seed = setup.seed}, std::move(*policy),
      [&web](PageId page) { return web.hints(page); }, [&web](PageId page) { return web.host_of(page); });
  EXPECT_TRUE(frontier.ok()) << setup.strategy << ": " << frontier.error().text;
  return std::move(*frontier);
}

inline void give_seeds(Frontier& frontier, const std::vector<PageId>& seeds) {
  std::vector<SeedPage> pages;
  for (const PageId page : seeds) pages.push_back({page, 1});
  frontier.seed(pages);
}

// Crawls on to the end, or `most` visits further; the pages in the order of their crawl, each once.
inline std::vector<PageId> crawl_on(Frontier& frontier, const TestWeb& web, std::uint64_t most = ~0ull) {
  std::vector<PageId> order;
  for (std::uint64_t i = 0; i < most; ++i) {
    const auto job = frontier.next(Time{});
    if (!job) break;
    if (!job->links_only) order.push_back(job->page);
    frontier.complete(job->page, web.links(job->page), web.on_topic(job->page));
  }
  return order;
}

inline std::vector<PageId> crawl(const TestWeb& web, const CrawlSetup& setup) {
  const std::vector<double> truth = web.truth();
  const auto frontier = make_frontier(web, setup, truth);
  give_seeds(*frontier, setup.seeds);
  return crawl_on(*frontier, web);
}

}  // namespace bowerbird::testing_web
