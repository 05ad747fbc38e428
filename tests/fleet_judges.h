// Checks that must hold for a fleet's crawl, whatever happened to its processes.
#pragma once

#include <gtest/gtest.h>

#include "fleet_accounts.h"
#include "fleet_testing.h"

namespace bowerbird {

// A Web whose pages take a moment, so that something can happen meanwhile.
inline SiteOptions slow() {
  SiteOptions site;
  site.latency_ms = 20;
  return site;
}

// By the server's log.
inline void all_once(FleetBench& bench, PageId pages) {
  const auto fetches = bench.fetches();
  EXPECT_EQ(fetches.size(), pages);
  for (const auto& [page, count] : fetches) EXPECT_EQ(count, 1) << page;
}

// Every page is stored, and after merging none twice.
inline void all_merged(FleetBench& bench, PageId pages) {
  const Finished merged =
      run_bowerbird({"fleet", "merge", bench.folder / "", "--into", bench.dir("merged"), "-q"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  const auto stored = bench.stored_by({"merged"});
  EXPECT_EQ(stored.size(), pages);
  EXPECT_EQ(std::set<std::string>(stored.begin(), stored.end()).size(), pages);
  const Finished sound = run_bowerbird({"warc", "verify", bench.dir("merged")});
  EXPECT_EQ(sound.code, 0) << sound.out << sound.err;
}

// By the accounts that the ordering (opic) keeps in every process, read from the folders' last commits, or
// from the log of a process that was taken over. Each page gets cash 1, once in the whole fleet. What a
// process sends must have been received, and as all pages are crawled, all cash must be in the sinks.
inline void cash_is_conserved(FleetBench& bench, const std::vector<std::string>& names, PageId pages) {
  const TemporaryFolder logs;
  std::vector<std::string> folders;
  for (const std::string& name : names) {
    const std::string restored = logs / name;
    const auto from_log = write_folder_from_log(bench.nats->url(), name, restored, WhichLogs::kClaimed);
    ASSERT_TRUE(from_log.ok()) << from_log.error().text;
    folders.push_back(*from_log ? restored : bench.dir(name));
  }
  const auto accounts = fleet_accounts(folders);
  ASSERT_TRUE(accounts.ok()) << accounts.error().text;
  const auto& sums = *accounts;
  EXPECT_NEAR(sums.at("issued"), pages, 1e-9);
  EXPECT_NEAR(sums.at("sink"), pages, 1e-9);
  EXPECT_NEAR(sums.at("sent"), sums.at("received"), 1e-9);
  EXPECT_GT(sums.at("sent"), 1);
}

}  // namespace bowerbird
