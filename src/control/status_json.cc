#include "control/status_json.h"

#include "version.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "crawl/config/option_table.h"
#include "crawl/state/page_facts.h"
#include "policy/reported_score.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

struct BudgetRow {
  const char* name;
  const char* unit;
  double limit;
  double used;
  double rate;  // per second; 0: unknown
};

Json budget_object(const BudgetRow& row) {
  const double left = std::max(0.0, row.limit - row.used);
  return {{"name", row.name},
          {"unit", row.unit},
          {"limit", row.limit},
          {"used", row.used},
          {"share", row.used / row.limit},
          {"seconds_left", row.rate > 0 ? finite(left / row.rate) : Json(nullptr)}};
}

// The budget that will be used up first comes first.
Json budgets_array(const LiveSnapshot& snapshot) {
  const CrawlStatus& status = snapshot.status;
  std::vector<Json> rows;
  const auto add = [&](const BudgetRow& row) {
    if (row.limit > 0) rows.push_back(budget_object(row));
  };
  const double share = snapshot.options ? snapshot.options->budget.stop_at_importance : 0;
  add({"pages", "pages", static_cast<double>(status.budgets.pages), static_cast<double>(status.counts.pages),
       status.rates.steady_pages});
  add({"bytes", "bytes", static_cast<double>(status.budgets.bytes), static_cast<double>(status.counts.bytes),
       status.rates.steady_bytes});
  add({"time", "seconds", status.budgets.seconds, status.seconds, 1});
  if (status.guaranteed >= 0) add({"stop-at-importance", "share", share, status.guaranteed, 0});
  std::ranges::stable_sort(rows, [](const Json& a, const Json& b) {
    const auto key = [](const Json& row) {
      return row["seconds_left"].is_null() ? 1e18 - row["share"].get<double>()
                                           : row["seconds_left"].get<double>();
    };
    return key(a) < key(b);
  });
  return rows;
}

std::string phase_of(const LiveSnapshot& snapshot) {
  if (!snapshot.is_live || snapshot.status.phase == CrawlPhase::kFinished) return "finished";
  if (snapshot.status.phase == CrawlPhase::kStopping) return "stopping";
  return snapshot.is_paused() ? "paused" : "running";
}

std::string sentence_of(const LiveSnapshot& snapshot, const std::string& phase) {
  const CrawlStatus& status = snapshot.status;
  if (phase == "finished") {
    return fmt::format("This crawl has ended: {}.", snapshot.end == CrawlEnd::kNotYet
                                                        ? std::string("it was killed and can be resumed")
                                                        : std::string(crawl_end_text(snapshot.end)));
  }
  if (phase == "stopping")
    return fmt::format("Stopping: {} still in progress.", plural(status.under_way, "request"));
  if (phase == "paused") {
    return status.under_way > 0
               ? fmt::format("Paused; {} still in progress.", plural(status.under_way, "request"))
               : std::string("Paused: nothing is fetched until you resume it.");
  }
  if (!status.stall.empty()) return fmt::format("Nothing is being fetched: {}.", status.stall);
  // Hosts that wait for their delay count too.
  return fmt::format("Fetching {:.{}f} pages per second from {}, {} queued.", status.rates.pages,
                     status.rates.pages < 10 ? 1 : 0,
                     plural(status.hosts.active + status.hosts.waiting, "host"),
                     plural(status.queued, "page"));
}

Json rules_array(const std::vector<RuleView>& rules) {
  Json all = Json::array();
  for (const RuleView& one : rules) {
    all.push_back({{"what", one.target == RuleTarget::kEverything ? "everything"
                            : one.target == RuleTarget::kHost     ? "host"
                                                                  : "pattern"},
                   {"value", one.value},
                   {"since", time_text(static_cast<std::int64_t>(one.since))}});
  }
  return all;
}

Json refresh_object(const VisitCounts& counts) {
  if (counts.freshness < 0 && counts.visits == 0) return nullptr;
  return {{"visits", counts.visits},
          {"changed", counts.changed},
          {"not_modified", counts.not_modified},
          {"failed", counts.failed},
          {"gone", counts.gone},
          {"freshness", counts.freshness < 0 ? Json(nullptr) : Json(counts.freshness)},
          {"age", counts.age < 0 ? Json(nullptr) : Json(counts.age)}};
}

Json importance_object(double covered) {
  if (covered < 0) return nullptr;
  return {{"covered", std::min(1.0, covered)},
          {"of", "the PageRank personalised to the seeds"},
          {"text", fmt::format("at least {:.1f} % of the PageRank personalised to the seeds",
                               std::min(1.0, covered) * 100)}};
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace

Json memory_object_of(const MemoryUse& use) {
  Json parts = Json::object();
  for (const MemoryPart& part : use.parts) parts[part.name] = part.bytes;
  return {{"budget", use.budget},
          {"resident", use.resident},
          {"most", use.most},
          {"stage", memory_stage_text(use.stage)},
          {"parts", std::move(parts)}};
}

Json disk_object(const DiskSpace& disk) {
  return {{"free", disk.free}, {"total", disk.total}, {"crawl", nullptr}};
}

Json status_object(const LiveSnapshot& snapshot) {
  const CrawlStatus& status = snapshot.status;
  const CrawlCounts& counts = status.counts;
  const std::string phase = phase_of(snapshot);
  Json json = {{"version", BOWERBIRD_VERSION},
               {"folder", snapshot.folder},
               {"now", time_text(snapshot.now_ms)},
               {"started", time_text(snapshot.started_ms)},
               {"phase", phase},
               {"end", phase == "finished" ? Json(snapshot.end == CrawlEnd::kNotYet
                                                      ? std::string_view("killed, can be resumed")
                                                      : crawl_end_text(snapshot.end))
                                           : Json(nullptr)},
               {"sentence", sentence_of(snapshot, phase)},
               {"stall", phase == "running" ? text_or_null(status.stall) : Json(nullptr)},
               {"commands", phase == "running" || phase == "paused"},
               {"pages_per_second", status.rates.pages},
               {"bytes_per_second", status.rates.bytes},
               {"errors_per_second", snapshot.errors_per_second},
               {"in_flight", status.under_way},
               {"connections", snapshot.connections},
               {"pages", counts.pages},
               {"bytes", counts.bytes},
               {"completed", counts.completed},
               {"failed", failed_pages(counts)},
               {"retries", counts.retries},
               {"queued", status.queued},
               {"known", status.known},
               {"links", counts.links},
               {"requisites", counts.requisites.fetched()},
               {"requisites_pending", status.requisites_pending},
               {"seconds", status.seconds},
               {"seconds_all", static_cast<double>(counts.run_ms) / 1000}};
  json["hosts"] = {{"known", status.hosts.known},         {"active", status.hosts.active},
                   {"waiting", status.hosts.waiting},     {"given_up", status.hosts.given_up},
                   {"at_budget", status.hosts.at_budget}, {"repeating", status.hosts.repeating}};
  json["budgets"] = budgets_array(snapshot);
  json["importance"] = importance_object(status.guaranteed);
  json["refresh"] = refresh_object(counts.refresh);
  json["memory"] = memory_object_of(status.memory);
  json["disk"] = disk_object(snapshot.disk);
  json["policy"] = status.policy;
  json["pauses"] = rules_array(snapshot.pauses);
  json["blocks"] = rules_array(snapshot.blocks);
  json["last_url"] = text_or_null(snapshot.last_url);
  json["last_error"] = text_or_null(status.last_error.empty() ? status.failure : status.last_error);
  json["problems"] = failure_kinds(counts);
  json["fleet"] = status.sharing.on;
  json["changes"] = snapshot.changes_made;
  return json;
}

Json options_object(const LiveSnapshot& snapshot) {
  const CrawlOptions defaults;
  const CrawlOptions& options = snapshot.options ? *snapshot.options : defaults;
  Json rows = Json::array();
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const bool command = snapshot.by_command &&
                         std::ranges::find(*snapshot.by_command, row.name) != snapshot.by_command->end();
    const bool usual = row.texts(options) == row.texts(defaults);
    rows.push_back({{"name", row.name},
                    {"group", row.group},
                    {"unit", row.unit},
                    {"help", row.help},
                    {"default", row.default_text()},
                    {"values", row.shown(options)},
                    {"list", row.is(kMany)},
                    {"words", row.field.words},
                    {"may_change", row.is(kLive)},
                    {"from", command ? "command"
                             : usual ? "default"
                                     : "start"}});
  }
  return {{"options", std::move(rows)}};
}

Json change_object(const Change& change, std::uint64_t number) {
  Json arguments = Json::parse(change.arguments, nullptr, false);
  if (!arguments.is_object()) arguments = Json::object();
  return {{"number", number},        {"time", time_text(static_cast<std::int64_t>(change.time))},
          {"origin", change.origin}, {"command", change.command},
          {"text", change.text},     {"arguments", std::move(arguments)}};
}

Json changes_object(const LiveSnapshot& snapshot, std::size_t most) {
  Json all = Json::array();
  if (snapshot.changes) {
    std::uint64_t number = snapshot.changes_made;
    for (auto at = snapshot.changes->rbegin(); at != snapshot.changes->rend() && all.size() < most; ++at)
      all.push_back(change_object(*at, number--));
  }
  return {{"changes", std::move(all)}};
}

Json seconds_until(Time opens, Time now) {
  if (opens >= kNever) return nullptr;
  return opens > now ? Seconds(opens - now).count() : 0.0;
}

Json queued_object(const QueuedView& view, const std::string& policy, Time now) {
  const ReportedScore reported = reported_score(policy, view.score);
  Json json = {{"url", view.url},
               {"host", view.host},
               {"score", reported.first ? Json(nullptr) : Json(reported.score)},
               {"depth", view.depth < PageFacts::kExcludedDepth ? Json(view.depth) : Json(nullptr)},
               {"tries", view.tries},
               {"state", view.state},
               {"reason", view.reason},
               {"opens_in", seconds_until(view.opens, now)}};
  if (!reported.queue.empty()) json["queue"] = reported.queue;
  return json;
}

Json robots_array(const std::vector<RulesView>& rules, Time now) {
  Json list = Json::array();
  for (const RulesView& view : rules) {
    list.push_back({{"origin", view.origin},
                    {"text", view.text},
                    {"crawl_delay", view.crawl_delay ? Json(*view.crawl_delay) : Json(nullptr)},
                    {"reached", view.reached},
                    {"expires_in", seconds_until(view.until, now)}});
  }
  return list;
}

Json excluded_array(const CrawlCounts& counts) {
  Json list = Json::array();
  for (const ExclusionRule& rule : exclusion_table()) {
    const std::uint64_t links = counts.excluded[static_cast<std::size_t>(rule.rule)];
    if (links > 0)
      list.push_back({{"rule", rule.name}, {"what", rule.what}, {"links", links}, {"remedy", rule.remedy}});
  }
  return list;
}

Json dead_seeds_array(const CrawlCounts& counts) {
  Json list = Json::array();
  for (const FailedSeed& seed : counts.failed_seeds)
    list.push_back({{"url", seed.url}, {"reason", seed.reason}});
  return list;
}

std::string dump_json(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bowerbird
