// The cash of a fleet's ordering, as its folders say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "crawl/state/restored_crawl.h"
#include "fleet/member_log.h"
#include "fleet/stores.h"

namespace bowerbird {

enum class WhichLogs { kAll, kClaimed };  // claimed: of a member that another process has taken over

// Writes a folder with the state at the last commit in the log of a member: what counts after a takeover,
// even if the member's own folder is newer. False: there is no such log.
inline Result<bool> write_folder_from_log(const std::string& url, const std::string& member,
                                          const std::string& folder, WhichLogs which) {
  BB_TRY(const auto bus, Bus::connect(url));
  FleetNames names{"crawl"};
  BB_TRY(const FleetStoresMade stores, make_stores(*bus, names, 4));
  names.key = stores.key;
  BB_TRY(const auto fleet, stores.records->get(kFleetKey));
  BB_TRY(const auto record, stores.records->get(FleetNames::member(member)));
  if (!fleet || !record) return error("{}: there is no such member", member);
  BB_TRY(const FleetRecord known, FleetRecord::from_json(fleet->value));
  BB_TRY(const MemberRecord lost, MemberRecord::from_json(record->value));
  const MemberLog log = MemberLog::of(names, known.id, member, lost.id);
  BB_TRY(const auto tail, read_tail(*bus, log));
  if (!tail || (which == WhichLogs::kClaimed && !tail->claim)) return false;
  BB_TRY_VOID(restore_log(*bus, log, *tail, folder));
  return true;
}

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
