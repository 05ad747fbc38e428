#include "control/folder_backend.h"

#include <algorithm>
#include <deque>

#include "control/folder_jobs.h"
#include "control/forward_backend.h"
#include "control/host_results.h"
#include "control/host_settings.h"
#include "control/link_search.h"
#include "control/question.h"
#include "control/status_json.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/crawl_log.h"
#include "sys/clock.h"
#include "url/url.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kBestRows = 20, kBrokenRows = 50;
constexpr std::size_t kMostBroken = 1'000'000;  // pages whose incoming links are searched for
constexpr char kEnded[] = "the crawl has ended";

Json summary_object(const HostSummary& host) {
  const std::uint64_t queued = host.known - std::min(host.known, host.done);
  return {{"host", host.name},
          {"state", "idle"},
          {"reason", kEnded},
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

Json time_of(const Json& line) {
  const std::string text = log_text(line, "time");
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string reason_of(const Json& line, const OutcomeRule& rule) {
  const std::uint64_t status = log_number(line, "status");
  return status >= 400 ? fmt::format("HTTP {}", status) : std::string(rule.what);
}

std::vector<QueueItem> best_of_host(const CrawlState& crawl, HostId id, std::size_t most) {
  BestOfHost best(id, most);
  for (PageId page = 0; page < crawl.pages(); ++page) best.look_at(crawl, page);
  return best.take();
}

void push_bounded(std::deque<Json>& list, Json item, std::size_t most) {
  list.push_back(std::move(item));
  if (list.size() > most) list.pop_front();
}

Json newest_first(const std::deque<Json>& list) {
  Json made = Json::array();
  for (auto at = list.rbegin(); at != list.rend(); ++at) made.push_back(*at);
  return made;
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
  BB_TRY(made->crawl_, RestoredCrawl::open_to_read(folder));
  made->restore(*snapshot);
  snapshot->base = history.counts;
  made->curves_.add_history(history.points);
  made->snapshot_ = std::move(snapshot);
  made->helper_ = std::make_unique<Helper>(Helper::kManyWaiting);
  made->slow_ = std::make_unique<Helper>();
  return made;
}

void FolderBackend::restore(LiveSnapshot& snapshot) {
  if (!crawl_->restore().ok()) return crawl_.reset();
  const ControlState& control = state()->control();
  snapshot.changes = std::make_shared<const std::deque<Change>>(control.changes());
  snapshot.changes_made = control.changes_made();
  snapshot.status.hosts.known = state()->hosts().size();
  std::vector<std::string> names;
  for (const auto& [name, option] : control.options()) names.push_back(name);
  snapshot.by_command = std::make_shared<const std::vector<std::string>>(std::move(names));
  for (const ControlRule& rule : control.rules())
    (rule.kind == RuleKind::kPause ? snapshot.pauses : snapshot.blocks)
        .push_back({rule.target, rule.value, rule.since});
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
  const bool is_slow = ask.what == "why";
  const bool added = (is_slow ? slow_ : helper_)->add([this, ask, slot] {
    if (slot->is_abandoned()) return;
    slot->fill(ask.what == "why" ? explain_in_process(snapshot_->folder, ask.text("url")) : answer(ask));
  });
  if (added) return {};
  return error_answer(503, "too many requests are waiting; try again later");
}

Answer FolderBackend::answer(const Ask& ask) {
  if (ask.what == "next")
    return {200, {{"queued", snapshot_->status.queued}, {"pages", best(ask.number("limit", 25), "")}}};
  if (ask.what == "problems") {
    if (!problems_) {
      auto read = problems();
      if (!read.ok()) return error_answer(503, read.error().text);
      problems_ = std::move(*read);
    }
    return {200, *problems_};
  }
  if (const Status read = read_hosts(); !read.ok()) return error_answer(503, read.error().text);
  return ask.what == "host" ? host(ask) : hosts(ask);
}

// The best queued pages; of one host if `host` is not empty.
Json FolderBackend::best(std::size_t most, const std::string& host) const {
  Json list = Json::array();
  const CrawlState* const crawl = state();
  if (crawl == nullptr) return list;
  std::vector<QueueItem> items;
  if (host.empty()) {
    items = crawl->frontier().best_queued(most);
  } else if (const HostId id = crawl->hosts().find(host); id != kNoHost) {
    items = best_of_host(*crawl, id, most);
  }
  for (const QueueItem& item : items) {
    QueuedView view;
    view.host = crawl->hosts()[crawl->host(item.page())].name;
    view.page = item.page();
    view.url = crawl->url(item.page());
    view.score = item.score();
    view.depth = crawl->facts().depth(item.page());
    view.tries = crawl->facts().tries(item.page());
    view.state = "ended";
    view.reason = kEnded;
    view.opens = kNever;
    list.push_back(queued_object(view, snapshot_->status.policy, Time{}));
  }
  return list;
}

// ---- Hosts

Status FolderBackend::read_hosts() {
  if (summaries_) return {};
  BB_TRY(summaries_, read_crawl_hosts(snapshot_->folder));
  return {};
}

Answer FolderBackend::hosts(const Ask& ask) {
  Json rows = Json::array();
  for (const HostSummary& host : *summaries_) {
    if (host.name.find(ask.text("filter")) == std::string::npos) continue;
    if (!ask.text("state").empty() && ask.text("state") != "idle") continue;
    rows.push_back(summary_object(host));
  }
  const Json whole = {{"total", rows.size()}, {"known", summaries_->size()}, {"hosts", rows}};
  return {200, merge_answers(ask, std::vector<Json>(1, whole))};
}

Answer FolderBackend::host(const Ask& ask) {
  const auto found = std::ranges::find(*summaries_, ask.text("name"), &HostSummary::name);
  if (found == summaries_->end()) return error_answer(404, "the crawl has no URL of this host");
  const std::string& name = found->name;
  Json json = {{"host", summary_object(*found)}, {"paused", false}, {"blocked", false}};
  json["addresses"] = Json::array();
  json["rules"] = Json::array();
  const CrawlOptions& options = *snapshot_->options;
  const auto sites = SiteRules::make(options.sites);
  const auto& changed = *snapshot_->by_command;
  json["settings"] = host_settings(
      options, sites.ok() && !sites->empty() ? &*sites : nullptr, name,
      [&](const std::string& option) { return std::ranges::find(changed, option) != changed.end(); });
  if (const CrawlState* const crawl = state()) {
    json["paused"] = crawl->control().find(RuleKind::kPause, RuleTarget::kHost, name) != nullptr;
    json["blocked"] = crawl->control().find(RuleKind::kBlock, RuleTarget::kHost, name) != nullptr;
    if (const HostId id = crawl->hosts().find(name); id != kNoHost) {
      for (const NetAddress& address : crawl->hosts()[id].addresses)
        json["addresses"].push_back(address.text());
      std::vector<RulesView> rules = rules_of(crawl->hosts()[id]);
      for (RulesView& one : rules) one.until = kNever;
      json["rules"] = robots_array(rules, Time{});
    }
  }
  json["best"] = best(kBestRows, name);
  json["history"] = json["errors"] = Json::array();
  add_logged_results(snapshot_->folder, name, ~std::uint64_t{0}, json);
  return {200, std::move(json)};
}

// ---- Problems

// Finds all pages that link to the URLs, in one pass.
Json FolderBackend::broken_links(const std::vector<std::string>& urls) const {
  Json list = Json::array();
  const CrawlState* const crawl = state();
  if (crawl == nullptr) return list;
  std::vector<PageId> pages;
  for (const std::string& url : urls) {
    if (const PageId page = crawl_->state().find(KnownUrls::fingerprint(url)); page != kNoPage)
      pages.push_back(page);
  }
  const auto broken = find_incoming(std::as_const(*crawl_).reader(), pages, Activity::kExamples);
  if (!broken.ok()) return list;
  std::vector<const IncomingByPage::value_type*> order;
  for (const auto& one : *broken) order.push_back(&one);
  std::ranges::stable_sort(order,
                           [](const auto* a, const auto* b) { return a->second.links > b->second.links; });
  if (order.size() > kBrokenRows) order.resize(kBrokenRows);
  const OutcomeRule& rule = rule_of(Outcome::kNotFound);
  for (const auto* const one : order) {
    Json from = Json::array();
    for (const PageId page : one->second.from) from.push_back(crawl->url(page));
    list.push_back({{"url", crawl->url(one->first)},
                    {"outcome", rule.name},
                    {"reason", rule.what},
                    {"linked_from", one->second.links},
                    {"from", std::move(from)}});
  }
  return list;
}

Result<Json> FolderBackend::problems() const {
  const CrawlCounts& counts = snapshot_->status.counts;
  std::map<std::string, std::deque<Json>> examples;
  std::vector<std::string> gone;
  BB_TRY(const auto reader, CrawlReader::open(snapshot_->folder));
  BB_TRY_VOID(each_log_line(snapshot_->folder, *reader, [&](const Json& line) {
    const OutcomeRule* const rule = rule_named(log_text(line, "outcome"));
    if (is_requisite_line(line) || rule == nullptr) return;
    const std::string url = log_text(line, "url");
    if (rule->outcome == Outcome::kNotFound && gone.size() < kMostBroken) gone.push_back(url);
    push_bounded(examples[std::string(rule->name)],
                 {{"url", url}, {"reason", reason_of(line, *rule)}, {"time", time_of(line)}},
                 Activity::kExamples);
  }));
  Json outcomes = Json::array(), traps = Json::array();
  for (const OutcomeRule& rule : outcome_table()) {
    const std::uint64_t count = counts.outcomes[static_cast<std::size_t>(rule.outcome)];
    if (count == 0) continue;
    outcomes.push_back({{"kind", rule.name},
                        {"what", rule.what},
                        {"count", count},
                        {"failure", is_failure(rule.outcome)},
                        {"examples", newest_first(examples[std::string(rule.name)])}});
  }
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Json& a, const Json& b) { return a["count"] > b["count"]; });
  if (const std::uint64_t links = counts.excluded[static_cast<std::size_t>(Exclusion::kTrap)]; links > 0)
    traps.push_back({{"kind", "trap"},
                     {"what", "links whose URLs look endless"},
                     {"count", links},
                     {"examples", Json::array()}});
  return Json{{"outcomes", outcomes},
              {"broken_links", broken_links(gone)},
              {"dead_seeds", dead_seeds_array(counts)},
              {"dead_seeds_total", counts.seeds_failed},
              {"traps", traps},
              {"excluded", excluded_array(counts)},
              {"waiting", Json::array()},
              {"slow_hosts", Json::array()},
              {"memory", memory_object_of(snapshot_->status.memory)},
              {"turned_away", counts.rejected},
              {"disk", disk_object(snapshot_->disk)},
              {"warnings", 0}};
}

}  // namespace bowerbird
