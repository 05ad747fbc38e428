#include "cmd/fleet_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/units.h"
#include "cmd/terminal.h"
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

// What a process that does not respond has done, as far as its folder or record tells.
Heartbeat last_of(const FleetMember& one) {
  if (one.heartbeat) return *one.heartbeat;
  Heartbeat heartbeat;
  if (!one.record) return heartbeat;
  heartbeat.pages = one.record->pages;
  heartbeat.bytes = one.record->bytes;
  if (one.record->machine != machine_name() || !CrawlReader::holds_crawl(one.record->folder))
    return heartbeat;
  if (const auto counts = counts_in(one.record->folder)) {
    heartbeat.pages = counts->pages;
    heartbeat.completed = counts->completed;
    heartbeat.bytes = counts->bytes;
  }
  return heartbeat;
}

std::string state_of(const FleetMember& one) {
  if (one.heartbeat) {
    if (one.record && one.record->state == MemberRecord::State::kLeaving) return "leaving";
    return one.heartbeat->quiet ? "quiet" : "crawling";
  }
  if (!one.record) return "unknown";
  return one.record->state == MemberRecord::State::kIn ? "silent" : std::string(name_of(one.record->state));
}

void print_members(const FleetView& view) {
  fmt::print("{:<12} {:<12} {:>10} {:>8} {:>10} {:>6} {:>10} {:>10} {:>10}  {}\n", "process", "state",
             "pages", "pages/s", "queued", "parts", "sent", "received", "exchanged", "folder");
  for (const auto& [name, one] : view.members) {
    const Heartbeat heartbeat = last_of(one);
    fmt::print("{:<12} {:<12} {:>10} {:>8.1f} {:>10} {:>6} {:>10} {:>10} {:>10}  {}\n", name, state_of(one),
               format_count(heartbeat.pages), heartbeat.pages_per_second, format_count(heartbeat.queued),
               heartbeat.held.size(), format_count(heartbeat.urls_sent),
               format_count(heartbeat.urls_received), format_bytes(heartbeat.bytes_sent),
               printable(one.record ? one.record->folder : heartbeat.folder));
  }
  for (const auto& [name, one] : view.members) {
    if (!one.record || one.record->problem.empty()) continue;
    fmt::print("{} cannot be taken over: {}\n", name, printable(one.record->problem));
  }
}

nlohmann::json members_json(const FleetView& view) {
  nlohmann::json members = nlohmann::json::object();
  for (const auto& [name, one] : view.members) {
    nlohmann::json member = nlohmann::json::parse(last_of(one).to_json());
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

// What is known of a fleet at one moment.
struct Standing {
  FolderSums sums;
  std::optional<PageCheck> check;
  std::optional<FleetView> view;
  bool exchanges = false;
  bool running = false;
  std::string silent;  // why there is no more to be said
  std::vector<std::string> elsewhere;
};

void print_json(const Standing& standing, bool owners) {
  nlohmann::json json = {{"pages", standing.sums.counts.pages},
                         {"completed", standing.sums.counts.completed},
                         {"bytes", standing.sums.counts.bytes},
                         {"folders", standing.sums.folders},
                         {"running", standing.running}};
  if (!standing.silent.empty()) json["trouble"] = standing.silent;
  if (!standing.elsewhere.empty()) json["elsewhere"] = standing.elsewhere;
  if (const auto& view = standing.view) {
    json["members"] = members_json(*view);
    json["ended"] = view->control.ended;
    if (owners && view->plan) json["owners"] = view->plan->owners;
  }
  if (standing.check) json["check"] = json_of(*standing.check);
  print_json_line(json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

void print_text(const Standing& standing, bool owners) {
  const FolderSums& sums = standing.sums;
  if (sums.folders > 0) {
    fmt::print("committed: {} fetched, {} done, {} in {}\n", plural(sums.counts.pages, "page"),
               format_count(sums.counts.completed), format_bytes(sums.counts.bytes),
               plural(sums.folders, "folder"));
  }
  if (standing.check) fmt::print("{}\n", text_of(*standing.check, standing.exchanges));
  if (!standing.view) {
    fmt::print("{}\n", !standing.silent.empty() ? standing.silent
                       : standing.running       ? "running"
                                                : "not running");
    return;
  }
  const FleetView& view = *standing.view;
  std::map<std::string, std::uint64_t> pages;
  for (const auto& [name, one] : view.members) pages[name] = last_of(one).pages;
  fmt::print("{}{}\n", standing.running ? "now: " + line_of(view, pages) : "not running",
             view.control.ended  ? ": nothing left to fetch"
             : view.control.stop ? ": " + view.control.reason
                                 : "");
  print_members(view);
  for (const std::string& name : standing.elsewhere) {
    fmt::print("not counted: {}, whose folder cannot be read from here\n", printable(name));
  }
  if (!owners || !view.plan) return;
  for (std::size_t p = 0; p < view.plan->owners.size(); ++p) {
    fmt::print("partition {:>5}  {}\n", p, view.plan->owners[p]);
  }
}

}  // namespace

std::string line_of(const FleetView& view, std::map<std::string, std::uint64_t>& pages) {
  Heartbeat sum;
  std::size_t alive = 0;
  for (const auto& [name, one] : view.members) {
    std::uint64_t& known = pages[name];
    if (one.record) known = std::max(known, one.record->pages);
    if (one.heartbeat) known = std::max(known, one.heartbeat->pages);
    sum.pages += known;
    if (!one.heartbeat) continue;
    ++alive;
    sum.queued += one.heartbeat->queued;
    sum.pages_per_second += one.heartbeat->pages_per_second;
    sum.urls_sent += one.heartbeat->urls_sent;
  }
  return fmt::format("{}, {} fetched, {:.0f}/s, {} queued, {} sent", plural(alive, "process", "processes"),
                     plural(sum.pages, "page"), sum.pages_per_second, format_count(sum.queued),
                     plural(sum.urls_sent, "URL"));
}

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

nlohmann::json json_of(const PageCheck& check) {
  return {{"pages", check.pages}, {"repeats", check.repeats}, {"left", check.left}};
}

Result<FleetSetup> setup_of(const std::string& where, const std::string& fleet_name) {
  if (!where.starts_with("nats://") && !where.starts_with("tls://")) return FleetSetup::load(where);
  FleetSetup setup;
  setup.url = where;
  setup.fleet = fleet_name;
  return setup;
}

Status show_fleet(const std::string& where, const std::string& fleet_name, const FleetQuestions& questions,
                  const CommonOptions& common) {
  BB_TRY(const FleetSetup setup, setup_of(where, fleet_name));
  Standing standing;
  standing.exchanges = setup.exchanges();
  standing.sums = sum_folders(where);
  const bool is_server = setup.url == where;
  if (questions.check) {
    if (is_server) return error("--check reads folders: give the folder of the fleet, not its server");
    BB_TRY(standing.check, check_pages(fleet_folders(where)));
  }
  if (const auto url = fleet_url(where, setup); url.ok()) {
    const auto admin = FleetAdmin::open(*url, setup.fleet);
    auto looked = admin.ok() ? (*admin)->look() : Result<FleetView>(admin.error());
    if (looked.ok()) {
      standing.view = std::move(looked).value();
    } else if (standing.sums.folders == 0) {
      return looked.error();
    } else {
      standing.silent = fmt::format(
          "{}\nProcesses that still run wait for it. After they have ended, `bowerbird fleet resume {}` "
          "continues from the last commits",
          printable(looked.error().text), printable(where));
    }
  }
  standing.running = !standing.exchanges && fleet_runner(where) > 0;
  if (const auto& view = standing.view) {
    standing.running = std::any_of(view->members.begin(), view->members.end(),
                                   [](const auto& one) { return one.second.heartbeat.has_value(); });
    if (!is_server) standing.elsewhere = FleetLauncher::elsewhere(where, *view);
  }
  if (common.json) {
    print_json(standing, questions.owners);
  } else {
    print_text(standing, questions.owners);
  }
  return {};
}

}  // namespace bowerbird
