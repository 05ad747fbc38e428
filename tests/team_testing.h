// The lab's prediction for the processes of a live crawl.
#pragma once

#include <gtest/gtest.h>

#include "crawl_testing.h"
#include "lab/lab_testing.h"
#include "lab/parallel/team_run.h"
#include "lab/run.h"
#include "url/host.h"

namespace bowerbird {

// The bench's web under the names by which it is served.
inline Setting setting_for(const CrawlBench& bench, const std::string& seeds) {
  const PageId pages = bench.web.graph->pages();
  std::vector<std::vector<PageId>> rows(pages);
  std::vector<HostId> host_of(pages);
  std::vector<std::string> hosts;
  auto names = std::make_unique<StoredNames>();
  LinkBuffer buffer;
  for (PageId page = 0; page < pages; ++page) {
    const auto out = bench.web.graph->out(page, buffer);
    rows[page].assign(out.begin(), out.end());
    host_of[page] = bench.web.hosts->host(page);
    hosts.resize(std::max<std::size_t>(hosts.size(), host_of[page] + 1));
    hosts[host_of[page]] = host_of_url(bench.page_url(page));
    names->add(bench.page_url(page));
  }
  Web web = web_of(std::move(rows));
  web.hosts = std::make_unique<StoredHosts>(host_of, hosts);
  web.names = std::move(names);
  return setting_of(std::move(web), seeds);
}

inline RunResult lab(const Setting& setting, const TeamOptions& team, const std::string& policy = "bfs") {
  RunMonitor monitor;
  const std::atomic<bool> stop{false};
  RunRequest request;
  request.policy = policy;
  request.team = team;
  auto result = run_crawl(setting, request, monitor, stop);
  EXPECT_TRUE(result.ok()) << result.error().text;
  return std::move(result).value();
}

}  // namespace bowerbird
