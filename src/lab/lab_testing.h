// Small webs for the tests of the lab.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "graph/csr.h"
#include "graph/web.h"
#include "lab/run.h"
#include "lab/setting.h"

namespace bowerbird {

inline Web web_of(std::vector<std::vector<PageId>> rows) {
  CsrBuilder builder;
  for (auto& row : rows) builder.add(row);
  Web web;
  web.graph = std::make_unique<CsrGraph>(std::move(builder).finish());
  return web;
}

// Page 0 links to a few, each of those to later pages and back: all are reachable from page 0. Hosts are
// runs of ten pages, the first page of each is its home page.
inline Web random_web(PageId pages, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<std::vector<PageId>> rows(pages);
  for (PageId page = 1; page < pages; ++page) {
    rows[rng.below(page)].push_back(page);
    for (int i = 0; i < 3; ++i) rows[page].push_back(static_cast<PageId>(rng.below(rng.below(pages) + 1)));
  }
  Web web = web_of(std::move(rows));
  std::vector<HostId> host_of(pages);
  auto names = std::make_unique<StoredNames>();
  for (PageId page = 0; page < pages; ++page) {
    host_of[page] = page / 10;
    const std::string path = page % 10 == 0  ? ""
                             : page % 3 == 0 ? "a/" + std::to_string(page)
                                             : std::to_string(page);
    names->add("http://h" + std::to_string(page / 10) + ".org/" + path);
  }
  web.hosts = std::make_unique<StoredHosts>(host_of);
  web.names = std::move(names);
  return web;
}

inline Setting setting_of(Web web, const std::string& seeds = "ids:0",
                          Importance importance = Importance::kPageRank, std::uint64_t budget = 0) {
  SettingOptions options;
  options.name = "test";
  options.seeds = SeedSpec::parse(seeds).value();
  options.importance = importance;
  options.page_budget = budget;
  return prepare_setting(std::move(web), options).value();
}

inline RunResult run_whole(const Setting& setting, const RunRequest& request) {
  RunMonitor monitor;
  const std::atomic<bool> stop{false};
  auto result = run_crawl(setting, request, monitor, stop);
  CHECK(result.ok());
  return std::move(result).value();
}

}  // namespace bowerbird
