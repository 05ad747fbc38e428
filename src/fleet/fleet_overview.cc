#include "fleet/fleet_overview.h"

#include <algorithm>

#include "fleet/identity.h"
#include "fleet/launcher.h"
#include "store/crawl_reader.h"

namespace bowerbird {

namespace {

std::optional<CrawlCounts> counts_in(const std::string& folder) {
  const auto reader = CrawlReader::open(folder);
  CrawlCounts counts;
  CrawlEnd end;
  if (!reader.ok() || !counts_from_state((*reader)->state(), counts, end)) return std::nullopt;
  return counts;
}

nlohmann::json members_json(const FleetView& view) {
  nlohmann::json members = nlohmann::json::object();
  for (const auto& [name, one] : view.members) {
    nlohmann::json member = nlohmann::json::parse(last_heartbeat(one).to_json());
    if (one.record) {
      member["state"] = std::string(name_of(one.record->state));
      member["by"] = one.record->by;
      member["folder"] = one.record->folder;
      member["machine"] = one.record->machine;
      if (!one.record->problem.empty()) member["problem"] = one.record->problem;
    }
    member["alive"] = one.heartbeat.has_value();
    members[name] = std::move(member);
  }
  return members;
}

}  // namespace

FolderSums sum_folders(const std::string& folder) {
  FolderSums sums;
  for (const std::string& one : fleet_folders(folder)) {
    const auto counts = counts_in(one);
    if (!counts) continue;
    ++sums.folders;
    sums.counts.add(*counts);
  }
  return sums;
}

Heartbeat last_heartbeat(const FleetMember& member) {
  if (member.heartbeat) return *member.heartbeat;
  Heartbeat heartbeat;
  if (!member.record) return heartbeat;
  heartbeat.pages = member.record->pages;
  heartbeat.bytes = member.record->bytes;
  if (!is_folder_of(member.record->folder, member.record->id)) return heartbeat;
  if (const auto counts = counts_in(member.record->folder)) {
    heartbeat.pages = counts->pages;
    heartbeat.completed = counts->completed;
    heartbeat.bytes = counts->bytes;
  }
  return heartbeat;
}

std::string member_state(const FleetMember& member) {
  if (member.heartbeat) {
    if (member.record && member.record->state == MemberRecord::State::kLeaving) return "leaving";
    return member.heartbeat->quiet ? "quiet" : "crawling";
  }
  if (!member.record) return "unknown";
  const MemberRecord::State state = member.record->state;
  if (state == MemberRecord::State::kIn) return member.record->stopped ? "stopped" : "silent";
  return std::string(name_of(state));
}

FleetTotals add_up(const FleetView& view, std::map<std::string, std::uint64_t>& pages) {
  FleetTotals totals;
  for (const auto& [name, one] : view.members) {
    std::uint64_t& known = pages[name];
    if (one.record) known = std::max(known, one.record->pages);
    if (one.heartbeat) known = std::max(known, one.heartbeat->pages);
    totals.pages += known;
    if (!one.heartbeat) continue;
    ++totals.processes;
    totals.queued += one.heartbeat->queued;
    totals.pages_per_second += one.heartbeat->pages_per_second;
    totals.urls_sent += one.heartbeat->urls_sent;
  }
  return totals;
}

Result<FleetOverview> look_at_fleet(const std::string& where, const FleetSetup& setup, bool check) {
  FleetOverview fleet;
  fleet.exchanges = setup.exchanges();
  fleet.sums = sum_folders(where);
  const bool is_server = setup.url == where;
  if (check) {
    if (is_server)
      return error("{}: --check reads folders: give the folder of the fleet, not its server", where);
    BB_TRY(fleet.check, check_pages(fleet_folders(where)));
  }
  if (const auto url = fleet_url(where, setup); url.ok()) {
    const auto admin = FleetAdmin::open(*url, setup.fleet);
    auto looked = admin.ok() ? (*admin)->look() : Result<FleetView>(admin.error());
    if (looked.ok()) {
      fleet.view = std::move(looked).value();
    } else if (fleet.sums.folders == 0) {
      return looked.error();
    } else {
      fleet.problem = looked.error().text;
    }
  }
  fleet.running = !fleet.exchanges && fleet_runner(where) > 0;
  if (const auto& view = fleet.view) {
    fleet.running = std::any_of(view->members.begin(), view->members.end(),
                                [](const auto& one) { return one.second.heartbeat.has_value(); });
    if (!is_server) fleet.elsewhere = FleetLauncher::elsewhere(where, *view);
  }
  return fleet;
}

nlohmann::json to_json(const PageCheck& check) {
  return {{"pages", check.pages}, {"repeats", check.repeats}, {"left", check.left}};
}

nlohmann::json to_json(const FleetOverview& fleet, bool owners) {
  nlohmann::json json = {{"pages", fleet.sums.counts.pages},
                         {"completed", fleet.sums.counts.completed},
                         {"bytes", fleet.sums.counts.bytes},
                         {"folders", fleet.sums.folders},
                         {"running", fleet.running}};
  if (!fleet.problem.empty()) json["trouble"] = fleet.problem;
  if (!fleet.elsewhere.empty()) json["elsewhere"] = fleet.elsewhere;
  if (const auto& view = fleet.view) {
    json["members"] = members_json(*view);
    json["ended"] = view->control.ended;
    if (owners && view->plan) json["owners"] = view->plan->owners;
  }
  if (fleet.check) json["check"] = to_json(*fleet.check);
  return json;
}

}  // namespace bowerbird
