#include "dash/crawl_report.h"

#include <fmt/chrono.h>

#include <nlohmann/json.hpp>

#include "base/units.h"
#include "crawl/inspect/completeness.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/visit_history.h"
#include "dash/page.h"
#include "lab/crawl_order.h"
#include "lab/json_values.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostHosts = 500;

std::string time_text(std::int64_t us) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(us / 1'000'000)));
}

Json outcomes_json(const std::array<std::uint64_t, kOutcomes>& outcomes) {
  Json list = Json::array();
  for (const OutcomeRule& rule : outcome_table()) {
    const std::uint64_t count = outcomes[static_cast<std::size_t>(rule.outcome)];
    if (count == 0) continue;
    list.push_back(
        {{"kind", rule.name}, {"what", rule.what}, {"count", count}, {"failure", is_failure(rule.outcome)}});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Json& a, const Json& b) { return a["count"] > b["count"]; });
  return list;
}

// Below 0: not known.
Json estimate_json(double value) {
  return value < 0 ? Json(nullptr) : Json(json_number(value));
}

// Pages that were fetched again; null if none were.
Json refresh_json(const CrawlCounts& counts, const HeldReport& held) {
  const VisitCounts& visits = counts.refresh;
  if (visits.visits == 0 && held.all.held == 0) return nullptr;
  Json hosts = Json::array();
  for (const HostFreshness& host : held.hosts) {
    hosts.push_back({{"host", host.host},
                     {"held", host.held},
                     {"freshness", json_number(host.freshness)},
                     {"age", json_number(host.age)}});
  }
  Json changeable = Json::array();
  for (const ChangeablePage& page : held.changeable) {
    changeable.push_back(
        {{"url", page.url}, {"rate", json_number(page.rate)}, {"importance", json_number(page.importance)}});
  }
  return {{"visits", visits.visits},
          {"changed", visits.changed},
          {"not_modified", visits.not_modified},
          {"failed", visits.failed},
          {"gone", visits.gone},
          {"overdue", visits.overdue},
          {"bytes_saved", visits.bytes_saved},
          {"held", held.all.held},
          {"freshness", json_number(held.all.freshness)},
          {"age", json_number(held.all.age)},
          {"hosts", std::move(hosts)},
          {"changeable", std::move(changeable)}};
}

// From the learned rates; nothing if pages were never refreshed.
Result<HeldReport> read_held(const std::string& folder, const CrawlCounts& counts) {
  constexpr std::size_t kMostRows = 50;
  if (counts.refresh.visits == 0 && counts.refresh.freshness < 0) return HeldReport();
  BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
  BB_TRY_VOID(crawl->restore());
  return held_report(crawl->state(), kMostRows);
}

// What was changed while the crawl ran.
Json changes_json(const std::vector<Change>& changes) {
  Json list = Json::array();
  for (const Change& change : changes) {
    list.push_back({{"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                                         fmt::gmtime(static_cast<std::time_t>(change.time / 1000)))},
                    {"origin", change.origin},
                    {"text", change.text}});
  }
  return list;
}

// One list for each curve, parallel to "seconds".
Json curves_json(const CrawlHistory& history, const CrawlOrder* order) {
  Json curves = Json::object();
  for (const char* name : {"seconds", "pages", "bytes", "failed", "frontier", "known", "memory", "covered",
                           "visits", "freshness", "age"})
    curves[name] = Json::array();
  if (order != nullptr) curves["importance"] = Json::array();
  for (const HistoryPoint& point : history.points) {
    curves["seconds"].push_back(json_number(point.seconds));
    curves["pages"].push_back(point.pages);
    curves["bytes"].push_back(point.bytes);
    curves["failed"].push_back(point.failed);
    curves["frontier"].push_back(point.moment.queued);
    curves["known"].push_back(point.known);
    curves["memory"].push_back(point.moment.memory.resident);
    curves["covered"].push_back(point.moment.guaranteed < 0 ? Json(nullptr)
                                                            : json_number(point.moment.guaranteed));
    curves["visits"].push_back(point.refresh.visits);
    curves["freshness"].push_back(estimate_json(point.refresh.freshness));
    curves["age"].push_back(estimate_json(point.refresh.age));
    if (order == nullptr) continue;
    curves["importance"].push_back(
        point.done < order->collected.size() ? json_number(order->collected[point.done]) : Json(nullptr));
  }
  return curves;
}

Json hosts_json(const std::vector<HostSummary>& hosts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(hosts.size(), kMostHosts); ++i) {
    const HostSummary& host = hosts[i];
    Json json = {{"host", host.name},
                 {"fetched", host.fetched()},
                 {"done", host.done},
                 {"failed", host.failed()},
                 {"known", host.known},
                 {"bytes", host.bytes},
                 {"requisites", host.requisites},
                 {"answer_ms", nullptr},
                 {"trouble", nullptr}};
    if (host.answered > 0) json["answer_ms"] = host.answer_ms / host.answered;
    if (host.failed() > 0) json["trouble"] = outcome_name(host.main_trouble());
    list.push_back(std::move(json));
  }
  return list;
}

Json curve_json(const JudgedOrder& order) {
  Json list = Json::array();
  for (const double value : order.curve) list.push_back(json_number(value));
  return {{"auc", json_number(order.auc)}, {"curve", std::move(list)}};
}

Json order_json(const CrawlOrder& order) {
  Json json = {{"pages", order.pages}, {"links", order.links}, {"points", order.points}};
  json["real"] = curve_json(order.real);
  json["ideal"] = curve_json(order.ideal);
  if (order.problem.empty()) {
    json["unconstrained"] = curve_json(order.unconstrained);
    json["cost"] = json_number(order.unconstrained.auc - order.real.auc);
  } else {
    json["unconstrained"] = nullptr;
    json["cost"] = nullptr;
    json["trouble"] = order.problem;
  }
  return json;
}

Json best_json(const CrawlOrder& order) {
  Json list = Json::array();
  for (const RankedPage& page : order.best) {
    list.push_back({{"url", page.url},
                    {"importance", page.importance},
                    {"in_links", page.in_links},
                    {"done_as", page.done_as}});
  }
  return list;
}

// Links that were not followed, by rule.
Json excluded_json(const CrawlCounts& counts) {
  Json list = Json::array();
  for (const ExclusionRule& rule : exclusion_table()) {
    const std::uint64_t links = counts.excluded[static_cast<std::size_t>(rule.rule)];
    if (links > 0) list.push_back({{"rule", rule.name}, {"what", rule.what}, {"links", links}});
  }
  return list;
}

Json facts_json(const CrawlReportOptions& options, const CrawlHistory& history, std::size_t hosts) {
  const CrawlCounts& counts = history.counts;
  const double seconds = static_cast<double>(counts.run_ms) / 1000;
  return {{"report", "bowerbird crawl"},
          {"command", options.origin.command},
          {"version", options.origin.version},
          {"written", options.origin.written},
          {"folder", options.folder},
          {"policy", history.policy},
          {"strategy", history.strategy},
          {"random_seed", history.random_seed},
          {"seeds", history.entries.seeds.size()},
          {"end", crawl_state_text(options.folder, history.end)},
          {"began", time_text(history.began_us)},
          {"seen", time_text(history.seen_us)},
          {"seconds", json_number(seconds)},
          {"pages", counts.pages},
          {"done", counts.completed},
          {"bytes", counts.bytes},
          {"links", counts.links},
          {"known", history.known},
          {"stored", history.stored},
          {"retries", counts.retries},
          {"turned_away", counts.rejected},
          {"turned_away_worth", counts.rejected_worth},
          {"robots_fetched", counts.robots_fetched},
          {"pages_per_second", json_number(seconds > 0 ? static_cast<double>(counts.pages) / seconds : 0)},
          {"bytes_per_second", json_number(seconds > 0 ? static_cast<double>(counts.bytes) / seconds : 0)},
          {"hosts_known", hosts},
          {"outcomes", outcomes_json(counts.outcomes)},
          {"excluded", excluded_json(counts)}};
}

// Null: the crawl has fetched none.
Result<Json> requisites_json(const std::string& folder, const CrawlHistory& history) {
  const CrawlCounts& counts = history.counts;
  const RequisiteCounts& done = counts.requisites;
  const CrawlMoment last = history.points.empty() ? CrawlMoment() : history.points.back().moment;
  const std::uint64_t pending = last.requisites_pending;
  if (done.done() + pending == 0) return Json(nullptr);
  PagesLacking complete = last.lacking.value_or(PagesLacking());
  if (!last.lacking) {
    BB_TRY(complete, read_completeness(folder));
  }
  return Json{
      {"fetched", done.fetched()},
      {"bytes", done.bytes},
      {"pending", pending},
      {"failed", done.failed()},
      {"over_limit", done.over_limit},
      {"outcomes", outcomes_json(done.outcomes)},
      {"pages_complete", counts.pages - std::min(counts.pages, complete.incomplete + complete.waiting)},
      {"pages_incomplete", complete.incomplete},
      {"pages_waiting", complete.waiting},
      {"text", completeness_text(complete, counts.pages)}};
}

// For browsers without scripts.
std::string plain_text(const Json& data) {
  std::string text = fmt::format(
      "{}: {}\n\npages      {} fetched, {} done, {} known\nbytes      {}\ntime       {:.0f} s\nordering "
      "  {}\n",
      data["folder"].get<std::string>(), data["end"].get<std::string>(),
      format_count(data["pages"].get<std::uint64_t>()), format_count(data["done"].get<std::uint64_t>()),
      plural(data["known"].get<std::uint64_t>(), "URL"), format_bytes(data["bytes"].get<std::uint64_t>()),
      data["seconds"].get<double>(), data["policy"].get<std::string>());
  if (const Json& requisites = data["requisites"]; requisites.is_object()) {
    text += fmt::format("requisites {} fetched, {}\ncomplete   {}\n",
                        format_count(requisites["fetched"].get<std::uint64_t>()),
                        format_bytes(requisites["bytes"].get<std::uint64_t>()),
                        requisites["text"].get<std::string>());
  }
  const Json& order = data["order"];
  if (order.is_object() && order["cost"].is_number()) {
    text += fmt::format("AUC        {:.4f}; without politeness {:.4f}, best possible {:.4f}\n",
                        order["real"]["auc"].get<double>(), order["unconstrained"]["auc"].get<double>(),
                        order["ideal"]["auc"].get<double>());
  }
  if (const Json& refresh = data["refresh"]; refresh.is_object()) {
    text += fmt::format(
        "refreshed  {}, {} changed, {} not modified ({} saved); freshness {:.3f}, age {:.3g} days\n",
        plural(refresh["visits"].get<std::uint64_t>(), "visit"),
        format_count(refresh["changed"].get<std::uint64_t>()),
        format_count(refresh["not_modified"].get<std::uint64_t>()),
        format_bytes(refresh["bytes_saved"].get<std::uint64_t>()), refresh["freshness"].get<double>(),
        refresh["age"].get<double>());
  }
  text += "\noutcomes\n";
  for (const Json& one : data["outcomes"])
    text += fmt::format("  {:>10} {}\n", format_count(one["count"].get<std::uint64_t>()),
                        one["kind"].get<std::string>());
  text += "\nhosts\n";
  for (const Json& host : data["hosts"])
    text += fmt::format("  {:>10} {}\n", format_count(host["fetched"].get<std::uint64_t>()),
                        host["host"].get<std::string>());
  return text;
}

}  // namespace

Result<std::string> crawl_report_data(const CrawlReportOptions& options, const Progress& progress) {
  BB_TRY(const CrawlHistory history, read_crawl_history(options.folder));
  progress.tick("reading the log", 0, 0);
  BB_TRY(const std::vector<HostSummary> hosts, read_crawl_hosts(options.folder));
  std::optional<CrawlOrder> order;
  std::string why_not;
  if (history.counts.pages < 2) {
    why_not = "fewer than two pages";
  } else if (options.most_pages == 0 || history.counts.completed <= options.most_pages) {
    CrawlOrderOptions wanted;
    wanted.policy = history.policy;
    wanted.strategy = history.strategy;
    wanted.random_seed = history.random_seed;
    wanted.seeds = history.entries.seeds;
    wanted.admitted = history.entries.admitted;
    wanted.threads = options.threads;
    auto judged = judge_crawl_order(options.folder, wanted, progress);
    if (!judged.ok()) {
      why_not = judged.error().text;
    } else if (judged->points.empty()) {
      why_not = judged->problem;
    } else {
      order = std::move(judged).value();
    }
  } else {
    why_not = fmt::format("the crawl is large; run `bowerbird report {}` to compute it", options.folder);
  }
  Json json = facts_json(options, history, hosts.size());
  if (!history.points.empty()) json["memory"] = Json::parse(memory_json(history.points.back().moment.memory));
  BB_TRY(json["requisites"], requisites_json(options.folder, history));
  json["curves"] = curves_json(history, order ? &*order : nullptr);
  json["hosts"] = hosts_json(hosts);
  json["changes"] = changes_json(history.entries.changes);
  progress.tick("reading visits", 0, 0);
  BB_TRY(const HeldReport held, read_held(options.folder, history.counts));
  json["refresh"] = refresh_json(history.counts, held);
  json["order"] = order ? order_json(*order) : Json(nullptr);
  if (!why_not.empty()) json["no_order"] = why_not;
  json["best"] = order ? best_json(*order) : Json::array();
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string crawl_page(const std::string& data) {
  const Json json = Json::parse(data);
  PageParts parts;
  parts.title = fmt::format("Crawl of {}", json["folder"].get<std::string>());
  parts.description =
      "What a crawl fetched, in which order, from which hosts, and what failed: a Bowerbird report.";
  parts.data = data;
  parts.script = "crawl.js";
  parts.without_script = plain_text(json);
  return html_page(parts);
}

Result<std::string> write_crawl_report(const CrawlReportOptions& options, const Progress& progress) {
  BB_TRY(std::string data, crawl_report_data(options, progress));
  const std::string folder = options.out.empty() ? options.folder : options.out;
  BB_TRY_VOID(make_folder(folder));
  BB_TRY_VOID(write_file(folder + "/report.json", data + "\n"));
  BB_TRY_VOID(write_file(folder + "/report.html", crawl_page(data)));
  return data;
}

}  // namespace bowerbird
