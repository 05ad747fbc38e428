#include "cmd/fleet_status.h"

#include <fmt/format.h>

#include "base/option_row.h"
#include "base/units.h"
#include "cmd/terminal.h"

namespace bowerbird {

namespace {

// A process whose log is so many commits behind fetches nothing.
constexpr std::uint64_t kMuchLag = 2;

void print_members(const FleetView& view) {
  fmt::print("{:<12} {:<12} {:>10} {:>8} {:>10} {:>6} {:>10} {:>10} {:>10}  {}\n", "process", "state",
             "pages", "pages/s", "queued", "parts", "sent", "received", "exchanged", "folder");
  for (const auto& [name, one] : view.members) {
    const Heartbeat heartbeat = last_heartbeat(one);
    fmt::print("{:<12} {:<12} {:>10} {:>8.1f} {:>10} {:>6} {:>10} {:>10} {:>10}  {}\n", name,
               member_state(one), format_count(heartbeat.pages), heartbeat.pages_per_second,
               format_count(heartbeat.queued), heartbeat.held.size(), format_count(heartbeat.urls_sent),
               format_count(heartbeat.urls_received), format_bytes(heartbeat.bytes_sent),
               printable(one.record ? one.record->folder : heartbeat.folder));
  }
  for (const auto& [name, one] : view.members) {
    if (!one.heartbeat) continue;
    const LogLag& lag = one.heartbeat->lag;
    if (lag.commits >= kMuchLag) {
      fmt::print("{}: {} wait for the NATS server for {:.1f} s; nothing is fetched\n", name,
                 plural(lag.commits, "commit"), lag.seconds);
    }
    if (!one.heartbeat->no_room.empty())
      fmt::print("{} cannot take over a process: {}\n", name, printable(one.heartbeat->no_room));
  }
  for (const auto& [name, one] : view.members) {
    if (!one.record || one.record->problem.empty()) continue;
    fmt::print("{} cannot be taken over: {}\n", name, printable(one.record->problem));
  }
}

void print_text(const std::string& where, const FleetOverview& fleet, bool owners) {
  const FolderSums& sums = fleet.sums;
  if (sums.folders > 0) {
    fmt::print("committed: {} fetched, {} done, {} in {}\n", plural(sums.counts.pages, "page"),
               format_count(sums.counts.completed), format_bytes(sums.counts.bytes),
               plural(sums.folders, "folder"));
  }
  if (fleet.check) fmt::print("{}\n", text_of(*fleet.check, fleet.exchanges));
  if (!fleet.view) {
    if (fleet.problem.empty()) {
      fmt::print("{}\n", fleet.running ? "running" : "not running");
    } else {
      fmt::print(
          "{}\nProcesses that still run wait for it. After they have ended, `bowerbird fleet resume {}` "
          "continues from the last commits\n",
          printable(fleet.problem), printable(shown_place(where)));
    }
    return;
  }
  const FleetView& view = *fleet.view;
  std::map<std::string, std::uint64_t> pages;
  for (const auto& [name, one] : view.members) pages[name] = last_heartbeat(one).pages;
  fmt::print("{}{}\n", fleet.running ? "now: " + line_of(view, pages) : "not running",
             view.control.ended  ? ": nothing left to fetch"
             : view.control.stop ? ": " + view.control.reason
                                 : "");
  print_members(view);
  print_elsewhere(fleet.elsewhere);
  if (!owners || !view.plan) return;
  for (std::size_t p = 0; p < view.plan->owners.size(); ++p) {
    fmt::print("partition {:>5}  {}\n", p, view.plan->owners[p]);
  }
}

}  // namespace

std::string line_of(const FleetView& view, std::map<std::string, std::uint64_t>& pages) {
  const FleetTotals totals = add_up(view, pages);
  return fmt::format("{}, {} fetched, {:.0f}/s, {} queued, {} sent",
                     plural(totals.processes, "process", "processes"), plural(totals.pages, "page"),
                     totals.pages_per_second, format_count(totals.queued), plural(totals.urls_sent, "URL"));
}

std::string shown_place(const std::string& where) {
  return where.find("://") == where.npos ? where : without_secret(where);
}

void print_elsewhere(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    fmt::print("not counted: {}, whose folder cannot be read from here\n", printable(name));
  }
}

Status show_fleet(const std::string& where, const std::string& fleet_name, const FleetQuestions& questions,
                  const CommonOptions& common) {
  BB_TRY(const FleetSetup setup, FleetSetup::of(where, fleet_name));
  BB_TRY(const FleetOverview fleet, look_at_fleet(where, setup, questions.check));
  if (common.json) {
    print_json_line(
        to_json(fleet, questions.owners).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  } else {
    print_text(where, fleet, questions.owners);
  }
  return {};
}

}  // namespace bowerbird
