#include "crawl/inspect/crawl_history.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/keyed_hash.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/crawl_log.h"
#include "crawl/state/events.h"
#include "store/crawl_reader.h"
#include "sys/file.h"
#include "url/host.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostPoints = 600;

// Keeps every n-th point, with the smallest n that fits, and the last one.
class Thinned {
 public:
  void add(const HistoryPoint& point) {
    last_ = point;
    any_ = true;
    if (seen_++ % stride_ != 0) return;
    points_.push_back(point);
    if (points_.size() < kMostPoints) return;
    for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
    points_.resize((points_.size() + 1) / 2);
    stride_ *= 2;
  }
  std::vector<HistoryPoint> finish() {
    if (any_ && (points_.empty() || points_.back().seconds < last_.seconds)) points_.push_back(last_);
    return std::move(points_);
  }

 private:
  std::vector<HistoryPoint> points_;
  HistoryPoint last_;
  std::uint64_t seen_ = 0;
  std::uint64_t stride_ = 1;
  bool any_ = false;
};

std::uint64_t failures(const CrawlCounts& counts) {
  std::uint64_t sum = 0;
  for (const OutcomeRule& rule : outcome_table()) {
    if (is_failure(rule.outcome)) sum += counts.outcomes[static_cast<std::size_t>(rule.outcome)];
  }
  return sum;
}

std::uint64_t records_of(const CommitRecord& commit, const char* file) {
  const CommittedFile* const found = commit.find(file);
  return found == nullptr ? 0 : found->records;
}

HistoryPoint point_of(const CommitRecord& commit) {
  HistoryPoint point;
  CrawlCounts counts;
  CrawlEnd end = CrawlEnd::kNotYet;
  counts_from_state(commit.state, counts, end, &point.moment);
  point.seconds = static_cast<double>(counts.run_ms) / 1000;
  point.pages = counts.pages;
  point.bytes = counts.bytes;
  point.failed = failures(counts);
  point.refresh = counts.refresh;
  point.done = records_of(commit, crawl_files::kLinks);
  point.known = records_of(commit, crawl_files::kUrls);
  return point;
}

// Seeds and links that entered later. The time does not matter here.
Status take_entry(const Event& event, PageId pages, CrawlEntries& entries) {
  if (event.type != event_number<LinksAdmitted>() && event.type != event_number<SeedsAdded>() &&
      event.type != event_number<SitemapsFound>() && event.type != event_number<RuleChanged>() &&
      event.type != event_number<OptionChanged>() && event.type != event_number<ChangeNoted>())
    return {};
  BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
  if (const auto* const links = std::get_if<LinksAdmitted>(&decoded)) {
    for (const StoredLink& link : links->links) entries.admitted.emplace_back(links->from, link.page);
  }
  if (const auto* const rule = std::get_if<RuleChanged>(&decoded)) entries.changes.push_back(rule->change);
  if (const auto* const option = std::get_if<OptionChanged>(&decoded))
    entries.changes.push_back(option->change);
  if (const auto* const noted = std::get_if<ChangeNoted>(&decoded)) entries.changes.push_back(noted->change);
  const auto add_seed = [&](const SeedPage& seed, bool sitemap) -> Status {
    if (seed.page >= pages) return error("the journal names a seed that does not exist");
    entries.seeds.push_back(seed);
    if (sitemap) entries.sitemaps.push_back(seed.page);
    return {};
  };
  if (const auto* const added = std::get_if<SeedsAdded>(&decoded)) {
    for (const SeedEntry& seed : added->seeds) BB_TRY_VOID(add_seed({seed.page, seed.weight}, seed.sitemap));
  }
  if (const auto* const found = std::get_if<SitemapsFound>(&decoded)) {
    for (const PageId page : found->pages) BB_TRY_VOID(add_seed({page, 1, true}, true));
  }
  return {};
}

class HostSummaries {
 public:
  HostSummary& of(std::string_view url) {
    const auto [found, fresh] = index_.try_emplace(host_of_url(url), hosts_.size());
    if (fresh) hosts_.emplace_back().name = found->first;
    return hosts_[found->second];
  }
  void take(const nlohmann::json& line) {
    const auto url = line.find("url");
    const auto outcome = line.find("outcome");
    if (url == line.end() || outcome == line.end() || !url->is_string() || !outcome->is_string()) return;
    if (line.contains("visit")) return;  // fetched again
    const OutcomeRule* const rule = rule_named(outcome->get_ref<const std::string&>());
    if (rule == nullptr || rule->outcome == Outcome::kLeftOut) return;
    HostSummary& host = of(url->get_ref<const std::string&>());
    if (!is_requisite_line(line)) {
      ++host.done;
      ++host.outcomes[static_cast<std::size_t>(rule->outcome)];
    } else if (rule->outcome == Outcome::kFetched) {
      ++host.requisites;
    }
    const auto number = [&](const char* key) -> std::uint64_t {
      const auto found = line.find(key);
      return found != line.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    };
    host.bytes += number("bytes");
    if (line.contains("ms")) {
      ++host.answered;
      host.answer_ms += number("ms");
    }
  }
  std::vector<HostSummary> finish() {
    std::stable_sort(hosts_.begin(), hosts_.end(), [](const HostSummary& a, const HostSummary& b) {
      return a.fetched() != b.fetched() ? a.fetched() > b.fetched() : a.done > b.done;
    });
    return std::move(hosts_);
  }

 private:
  std::unordered_map<std::string, std::size_t, KeyedStringHash> index_;
  std::vector<HostSummary> hosts_;
};

}  // namespace

bool is_failure(Outcome outcome) {
  return outcome != Outcome::kFetched && outcome != Outcome::kRedirect && outcome != Outcome::kLeftOut;
}

std::uint64_t HostSummary::failed() const {
  std::uint64_t sum = 0;
  for (const OutcomeRule& rule : outcome_table()) {
    if (is_failure(rule.outcome)) sum += outcomes[static_cast<std::size_t>(rule.outcome)];
  }
  return sum;
}

Outcome HostSummary::main_trouble() const {
  Outcome most = Outcome::kFetched;
  std::uint32_t count = 0;
  for (const OutcomeRule& rule : outcome_table()) {
    const std::uint32_t here = outcomes[static_cast<std::size_t>(rule.outcome)];
    if (!is_failure(rule.outcome) || here <= count) continue;
    most = rule.outcome;
    count = here;
  }
  return most;
}

Result<CrawlHistory> read_crawl_history(const std::string& folder) {
  BB_TRY(const auto reader, CrawlReader::open(folder));
  CrawlHistory history;
  CrawlOptions options;
  options.out = folder;
  BB_TRY_VOID(adopt_fixed(reader->about(), options));
  history.policy = options.order.policy;
  history.strategy = options.order.strategy;
  history.random_seed = options.order.random_seed;
  if (!reader->state().empty() && !counts_from_state(reader->state(), history.counts, history.end)) {
    return error("{}: the counters of this crawl cannot be read", folder);
  }
  history.known = reader->pages();
  history.stored = reader->fetches();
  Thinned points;
  BB_TRY_VOID(
      reader->walk([&](const Event& event) { return take_entry(event, reader->pages(), history.entries); },
                   [&](const CommitRecord& commit) -> Status {
                     if (history.began_us == 0) history.began_us = commit.time_us;
                     history.seen_us = commit.time_us;
                     points.add(point_of(commit));
                     return {};
                   }));
  std::sort(history.entries.admitted.begin(), history.entries.admitted.end());
  history.points = points.finish();
  return history;
}

Result<CrawlEntries> read_crawl_entries(const std::string& folder) {
  BB_TRY(const auto reader, CrawlReader::open(folder));
  CrawlEntries entries;
  BB_TRY_VOID(reader->walk([&](const Event& event) { return take_entry(event, reader->pages(), entries); },
                           [](const CommitRecord&) -> Status { return {}; }));
  std::sort(entries.admitted.begin(), entries.admitted.end());
  return entries;
}

Result<std::vector<CrawlSeed>> read_crawl_seeds(const std::string& folder) {
  BB_TRY(const CrawlEntries entries, read_crawl_entries(folder));
  const std::unordered_set<PageId> sitemaps(entries.sitemaps.begin(), entries.sitemaps.end());
  BB_TRY(const auto reader, CrawlReader::open(folder));
  std::vector<CrawlSeed> seeds;
  for (const SeedPage& seed : entries.seeds) {
    BB_TRY(std::string url, reader->url(seed.page));
    seeds.push_back({std::move(url), seed.weight, sitemaps.contains(seed.page)});
  }
  return seeds;
}

Result<std::vector<HostSummary>> read_crawl_hosts(const std::string& folder) {
  BB_TRY(const auto reader, CrawlReader::open(folder));
  HostSummaries hosts;
  BB_TRY_VOID(reader->for_each_url([&](PageId, std::string_view url) { ++hosts.of(url).known; }));
  BB_TRY_VOID(each_log_line(folder, *reader, [&hosts](const nlohmann::json& line) { hosts.take(line); }));
  return hosts.finish();
}

}  // namespace bowerbird
