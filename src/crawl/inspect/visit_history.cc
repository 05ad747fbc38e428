#include "crawl/inspect/visit_history.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

namespace bowerbird {

namespace {

constexpr std::uint16_t kNotModifiedStatus = 304;

}  // namespace

std::string moment_text(Duration since_1970) {
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

std::string_view visit_outcome(const PageVisited& visit) {
  const auto outcome = static_cast<RefreshOutcome>(visit.outcome);
  if (outcome == RefreshOutcome::kGone) return "gone";
  if (outcome == RefreshOutcome::kFailed) return visit.missing > 0 ? "missing" : "failed";
  if (visit.first) return "fetched";
  if (!visit.comparable) return "unknown";
  if (outcome == RefreshOutcome::kChanged) return "changed";
  return visit.status == kNotModifiedStatus ? "not-modified" : "unchanged";
}

Status each_visit(const CrawlReader& crawl, const std::function<void(const PageVisited&)>& take) {
  return crawl.walk(
      [&](const Event& event) -> Status {
        if (event.type != event_number<PageVisited>()) return {};
        BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
        take(std::get<PageVisited>(decoded));
        return {};
      },
      [](const CommitRecord&) -> Status { return {}; });
}

Result<nlohmann::json> visits_json(const CrawlReader& crawl, PageId page) {
  nlohmann::json visits = nlohmann::json::array();
  BB_TRY_VOID(each_visit(crawl, [&](const PageVisited& visit) {
    if (visit.page != page) return;
    nlohmann::json one = {{"time", moment_text(visit.time.time_since_epoch())},
                          {"outcome", visit_outcome(visit)},
                          {"changed", found_change(visit)}};
    if (visit.status > 0) one["status"] = visit.status;
    visits.push_back(std::move(one));
  }));
  return visits;
}

Result<std::vector<ChangedPage>> changed_pages(const CrawlReader& crawl, RefreshTime since) {
  std::map<PageId, ChangedPage> found;
  BB_TRY_VOID(each_visit(crawl, [&](const PageVisited& visit) {
    if (visit.page >= crawl.pages()) return;
    const std::string_view outcome = visit_outcome(visit);
    if (outcome == "gone") {
      found.erase(visit.page);
    } else if (visit.time >= since && (outcome == "fetched" || outcome == "changed")) {
      ChangedPage& page = found[visit.page];
      page.is_new = page.is_new || outcome == "fetched";
      page.page = visit.page;
      page.time = visit.time;
    }
  }));
  std::vector<ChangedPage> pages;
  for (const auto& [number, page] : found) pages.push_back(page);
  return pages;
}

void add_refresh_facts(const CrawlState& state, PageId page, nlohmann::json& json) {
  const RefreshQueue* const queue = state.refresh().queue();
  if (queue == nullptr || !queue->knows(page)) return;
  const RefreshFacts facts = queue->facts(page);
  json["rate"] = facts.rate;
  json["rate_uncertainty"] = facts.rate * rate_uncertainty(facts.history);
  json["changes_seen"] = facts.history.changes + facts.history.dated;
  json["importance"] = facts.importance;
  if (const auto due = queue->due(page)) json["due"] = moment_text(due->time_since_epoch());
}

HeldReport held_report(const CrawlState& state, std::size_t most) {
  HeldReport report;
  const RefreshQueue* const queue = state.refresh().queue();
  if (queue == nullptr) return report;
  report.all = state.refresh().estimate(state.now());
  const RefreshTime now = state.refresh().time(state.now());
  struct Sum {
    HostFreshness host;
    double importance = 0;
  };
  std::map<HostId, Sum> hosts;
  std::vector<std::pair<double, PageId>> rates;
  queue->for_each([&](PageId page, const RefreshFacts& facts) {
    if (facts.is_new) return;
    const double days = Days(std::max(Duration{}, now - facts.since)).count();
    const double changed = -std::expm1(-facts.rate * days);
    Sum& sum = hosts[state.host(page)];
    ++sum.host.held;
    sum.importance += facts.importance;
    sum.host.freshness += facts.importance * (1 - changed);
    if (facts.rate > 0) sum.host.age += facts.importance * std::max(0.0, days - changed / facts.rate);
    rates.emplace_back(facts.rate, page);
  });
  for (auto& [id, sum] : hosts) {
    sum.host.host = state.hosts()[id].name;
    if (sum.importance > 0) {
      sum.host.freshness /= sum.importance;
      sum.host.age /= sum.importance;
    }
    report.hosts.push_back(std::move(sum.host));
  }
  std::stable_sort(report.hosts.begin(), report.hosts.end(),
                   [](const HostFreshness& a, const HostFreshness& b) { return a.held > b.held; });
  if (report.hosts.size() > most) report.hosts.resize(most);
  const auto last = rates.begin() + static_cast<std::ptrdiff_t>(std::min(most, rates.size()));
  std::partial_sort(rates.begin(), last, rates.end(), std::greater<>());
  for (auto one = rates.begin(); one != last; ++one)
    report.changeable.push_back({state.url(one->second), one->first, queue->importance(one->second)});
  return report;
}

}  // namespace bowerbird
