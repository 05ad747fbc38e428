// The cash of a fleet's ordering, as its folders say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// The sum of the accounts of the orderings of all these processes, at their last commits, after giving away
// their partitions, as in a takeover, when a process also applies the messages it had sent to itself.
inline Result<std::map<std::string, double>> fleet_accounts(const std::vector<std::string>& folders) {
  std::map<std::string, double> sums;
  for (const std::string& folder : folders) {
    BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
    BB_TRY_VOID(crawl->restore());
    CrawlState& state = crawl->state();
    if (state.fleet() == nullptr) return error("{}: this crawl is not of a fleet", folder);
    if (const auto held = state.fleet()->held(); !held.empty()) state.give(held);
    for (const Account& account : state.frontier().policy().accounts()) {
      sums[std::string(account.name)] += account.value;
    }
  }
  return sums;
}

}  // namespace bowerbird
