#include "control/folder_backend.h"

#include <algorithm>
#include <deque>

#include "control/folder_jobs.h"
#include "control/forward_backend.h"
#include "control/status_json.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/crawl_log.h"
#include "crawl/state/restored_crawl.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

Json summary_object(const HostSummary& host) {
  const std::uint64_t queued = host.known - std::min(host.known, host.done);
  return {{"host", host.name},
          {"state", "idle"},
          {"reason", "the crawl has ended"},
          {"queued", queued},
          {"known", host.known},
          {"fetched", host.fetched()},
          {"failed", host.failed()},
          {"bytes", host.bytes},
          {"active", 0},
          {"delay", 0},
          {"next_in", nullptr},
          {"response_ms", host.answered > 0
                              ? Json(static_cast<double>(host.answer_ms) / static_cast<double>(host.answered))
                              : Json(nullptr)},
          {"failures", 0},
          {"robots", "unknown"},
          {"last_error", host.failed() > 0 ? Json(rule_of(host.main_trouble()).what) : Json(nullptr)}};
}

}  // namespace

Result<std::unique_ptr<FolderBackend>> FolderBackend::open(const std::string& folder) {
  std::unique_ptr<FolderBackend> made(new FolderBackend());
  BB_TRY(const CrawlHistory history, read_crawl_history(folder));
  auto snapshot = std::make_shared<LiveSnapshot>();
  snapshot->folder = folder;
  snapshot->now_ms = history.seen_us / 1000;
  snapshot->started_ms = history.began_us / 1000;
  snapshot->is_live = false;
  snapshot->end = history.end;
  snapshot->disk = disk_space(folder);
  CrawlStatus& status = snapshot->status;
  status.counts = history.counts;
  status.phase = CrawlPhase::kFinished;
  status.known = history.known;
  status.policy = history.policy;
  status.seconds = static_cast<double>(history.counts.run_ms) / 1000;
  if (!history.points.empty()) {
    const CrawlMoment& last = history.points.back().moment;
    status.queued = last.queued;
    status.memory = last.memory;
    status.guaranteed = last.guaranteed;
    status.requisites_pending = last.requisites_pending;
  }
  CrawlOptions options;
  BB_TRY_VOID(recall_options(folder, options));
  options.out = folder;
  snapshot->options = std::make_shared<const CrawlOptions>(options);
  BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
  if (const Status restored = crawl->restore(); restored.ok()) {
    const ControlState& control = std::as_const(*crawl).state().control();
    snapshot->changes = std::make_shared<const std::deque<Change>>(control.changes());
    snapshot->changes_made = control.changes_made();
    status.hosts.known = crawl->state().hosts().size();
    for (const ControlRule& rule : control.rules()) {
      if (rule.kind == RuleKind::kPause) snapshot->pauses.push_back({rule.target, rule.value, rule.since});
    }
  }
  snapshot->base = history.counts;
  made->curves_.add_history(history.points);
  made->snapshot_ = std::move(snapshot);
  made->helper_ = std::make_unique<Helper>();
  return made;
}

Json FolderBackend::status_json() const {
  return status_object(*snapshot_);
}

std::optional<Answer> FolderBackend::ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) {
  if (ask.command)
    return error_answer(409, "the crawl has ended; resume it with `bowerbird crawl --out DIR`");
  if (ask.what == "curves") {
    const std::string since = ask.text("since");
    return Answer{200, curves_.json(since.empty() ? 0 : std::stod(since), ask.number("points", 400))};
  }
  if (ask.what == "options") return Answer{200, options_object(*snapshot_)};
  if (ask.what == "changes") return Answer{200, changes_object(*snapshot_, ask.number("limit", 100))};
  if (ask.what == "fleet") return Answer{200, no_fleet_object()};
  if (ask.what == "next")
    return Answer{200, {{"queued", snapshot_->status.queued}, {"pages", Json::array()}}};
  const bool added = helper_->add([this, ask, slot] {
    if (ask.what == "why") return slot->fill(explain_in_process(snapshot_->folder, ask.text("url")));
    slot->fill(ask.what == "problems" ? problems() : hosts(ask));
  });
  if (added) return {};
  return error_answer(503, "others wait already; try again later");
}

// All of them, or one.
Answer FolderBackend::hosts(const Ask& ask) const {
  const auto all = read_crawl_hosts(snapshot_->folder);
  if (!all.ok()) return error_answer(503, all.error().text);
  if (ask.what == "host") {
    const auto found = std::ranges::find(*all, ask.text("name"), &HostSummary::name);
    if (found == all->end()) return error_answer(404, "the crawl has no URL of this host");
    Json json = {{"host", summary_object(*found)}, {"paused", false}, {"blocked", false}};
    for (const char* const name : {"addresses", "settings", "rules", "history", "errors", "best"})
      json[name] = Json::array();
    return {200, std::move(json)};
  }
  Json rows = Json::array();
  for (const HostSummary& host : *all) {
    if (host.name.find(ask.text("filter")) == std::string::npos) continue;
    if (!ask.text("state").empty() && ask.text("state") != "idle") continue;
    rows.push_back(summary_object(host));
  }
  const Json whole = {{"total", rows.size()}, {"known", all->size()}, {"hosts", rows}};
  return {200, merge_answers(ask, std::vector<Json>(1, whole))};
}

Answer FolderBackend::problems() const {
  const CrawlCounts& counts = snapshot_->status.counts;
  std::map<std::string, std::deque<Json>> examples;
  const auto reader = CrawlReader::open(snapshot_->folder);
  if (!reader.ok()) return error_answer(503, reader.error().text);
  const Status read = each_log_line(snapshot_->folder, **reader, [&](const Json& line) {
    if (is_requisite_line(line) || !line.contains("outcome")) return;
    auto& some = examples[line.value("outcome", std::string())];
    const int status = line.value("status", 0);
    const OutcomeRule* const rule = rule_named(line.value("outcome", std::string()));
    if (rule == nullptr) return;
    some.push_back({{"url", line.value("url", std::string())},
                    {"reason", status >= 400 ? fmt::format("HTTP {}", status) : std::string(rule->what)},
                    {"time", line.contains("time") ? line["time"] : Json(nullptr)}});
    if (some.size() > Activity::kExamples) some.pop_front();
  });
  if (!read.ok()) return error_answer(503, read.error().text);
  Json outcomes = Json::array(), excluded = Json::array(), seeds = Json::array();
  for (const OutcomeRule& rule : outcome_table()) {
    const std::uint64_t count = counts.outcomes[static_cast<std::size_t>(rule.outcome)];
    if (count == 0) continue;
    outcomes.push_back({{"kind", rule.name},
                        {"what", rule.what},
                        {"count", count},
                        {"failure", is_failure(rule.outcome)},
                        {"examples", examples[std::string(rule.name)]}});
  }
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Json& a, const Json& b) { return a["count"] > b["count"]; });
  for (const ExclusionRule& rule : exclusion_table()) {
    const std::uint64_t links = counts.excluded[static_cast<std::size_t>(rule.rule)];
    if (links > 0)
      excluded.push_back(
          {{"rule", rule.name}, {"what", rule.what}, {"links", links}, {"remedy", rule.remedy}});
  }
  for (const FailedSeed& seed : counts.failed_seeds)
    seeds.push_back({{"url", seed.url}, {"reason", seed.reason}});
  Json json = {{"outcomes", outcomes},
               {"dead_seeds", seeds},
               {"dead_seeds_total", counts.seeds_failed},
               {"excluded", excluded},
               {"memory", memory_object_of(snapshot_->status.memory)},
               {"turned_away", counts.rejected},
               {"disk", disk_object(snapshot_->disk)},
               {"warnings", 0}};
  for (const char* const name : {"broken_links", "traps", "waiting", "slow_hosts"})
    json[name] = Json::array();
  return {200, std::move(json)};
}

}  // namespace bowerbird
