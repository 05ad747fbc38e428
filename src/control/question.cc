#include "control/question.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/units.h"
#include "control/host_results.h"
#include "control/host_settings.h"
#include "control/status_json.h"
#include "crawl/inspect/crawl_history.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kCensusUs = 5'000'000;
constexpr std::size_t kMostRows = 10'000;
constexpr std::size_t kBest = 20, kBrokenShown = 50, kSlow = 10;
constexpr int kBatch = 256;  // items between two checks of the clock

std::int64_t monotonic_us() {
  return MonotonicClock().now_us();
}

Json host_object(const HostView& view, const Census& census, Time now) {
  return {{"host", view.name},
          {"state", view.state},
          {"reason", view.reason},
          {"queued", census.queued(view.id)},
          {"known", census.known(view.id)},
          {"fetched", view.pages},
          {"failed", view.failed},
          {"bytes", view.bytes},
          {"active", view.active},
          {"delay", Seconds(view.delay).count()},
          {"next_in", seconds_until(view.opens, now)},
          {"response_ms", view.answer_ms > 0 ? Json(view.answer_ms) : Json(nullptr)},
          {"failures", view.failures},
          {"robots", view.robots},
          {"last_error", view.trouble.empty() ? Json(nullptr) : Json(view.trouble)}};
}

std::string reason_of(const PageResult& result) {
  if (result.status >= 400) return fmt::format("HTTP {}", result.status);
  return std::string(rule_of(result.outcome).what);
}

// ---- next

class NextQuestion final : public Question {
 public:
  explicit NextQuestion(std::size_t most) : most_(most) {}
  bool step(const Crawler& crawler, Census&, std::int64_t) override {
    const Time now = crawler.now();
    Json pages = Json::array();
    for (const QueuedView& view : crawler.best_queued(most_))
      pages.push_back(queued_object(view, crawler.options().order.policy, now));
    const FrontierCounts& counts = crawler.state().frontier().counts();
    answer_.json = {{"queued", counts.primary + counts.secondary}, {"pages", std::move(pages)}};
    return true;
  }

 private:
  std::size_t most_;
};

// ---- hosts

// Scans all hosts in steps. Of the evicted hosts only some with queued pages are loaded, since each is a
// disk read; the others are found by name.
class HostScan {
 public:
  static constexpr std::size_t kMostOnDisk = 5000;

  template <typename Visit>
  bool step(const Crawler& crawler, Census& census, std::int64_t deadline_us, Visit&& visit) {
    if (!counted_ && !census.step(crawler, deadline_us)) return false;
    counted_ = true;
    const Time now = crawler.now();
    const HostId end = crawler.hosts().size();
    for (int looked = 1; next_ < end; ++next_, ++looked) {
      const bool queued = census.queued(next_) > 0;
      const bool resident = crawler.hosts().is_in_memory(next_);
      if (!resident && queued) ++on_disk_;
      if (resident || (queued && on_disk_ <= kMostOnDisk)) visit(crawler.host_view(next_, now, queued));
      if (looked % kBatch == 0 && monotonic_us() >= deadline_us) {
        ++next_;
        return false;
      }
    }
    return true;
  }

 private:
  bool counted_ = false;
  HostId next_ = 0;
  std::size_t on_disk_ = 0;  // evicted hosts with queued pages
};

class HostsQuestion final : public Question {
 public:
  explicit HostsQuestion(const Ask& ask)
      : sort_(ask.text("sort").empty() ? "queued" : ask.text("sort")),
        up_(ask.text("order") == "up"),
        filter_(ask.text("filter")),
        state_(ask.text("state")),
        offset_(std::min<std::uint64_t>(ask.number("offset", 0), kMostRows)),
        limit_(ask.number("limit", 50)) {
    for (char& c : filter_) c = ascii_lower(c);
  }

  bool step(const Crawler& crawler, Census& census, std::int64_t deadline_us) override {
    const bool whole = scan_.step(crawler, census, deadline_us,
                                  [&](const HostView& view) { consider(view, census, crawler.now()); });
    if (!whole) return false;
    // A complete name finds its host even if it is evicted.
    const HostId named = filter_.empty() ? kNoHost : crawler.hosts().find(filter_);
    if (named != kNoHost && std::ranges::find(rows_, named, &Row::id) == rows_.end())
      consider(crawler.host_view(named, crawler.now(), census.queued(named) > 0), census, crawler.now());
    std::ranges::sort(rows_, [this](const Row& a, const Row& b) { return before(a, b); });
    Json list = Json::array();
    const Time now = crawler.now();
    for (std::size_t i = offset_; i < rows_.size() && list.size() < limit_; ++i) {
      const HostId id = rows_[i].id;
      list.push_back(host_object(crawler.host_view(id, now, census.queued(id) > 0), census, now));
    }
    answer_.json = {
        {"total", total_}, {"known", crawler.hosts().size()}, {"offset", offset_}, {"hosts", list}};
    return true;
  }

 private:
  struct Row {
    double number = 0;
    std::string text;
    HostId id = 0;
  };

  void consider(const HostView& view, const Census& census, Time now) {
    if (!filter_.empty() && view.name.find(filter_) == std::string::npos) return;
    if (!state_.empty() && view.state != state_) return;
    ++total_;
    rows_.push_back(row_of(view, census, now));
    const std::size_t wanted = std::min<std::size_t>(kMostRows, offset_ + limit_);
    if (rows_.size() < 2 * wanted + 64) return;
    std::nth_element(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(wanted), rows_.end(),
                     [this](const Row& a, const Row& b) { return before(a, b); });
    rows_.resize(wanted);
  }

  Row row_of(const HostView& view, const Census& census, Time now) const {
    Row row{0, {}, view.id};
    if (sort_ == "host") {
      row.text = view.name;
    } else if (sort_ == "state") {
      row.text = view.state;
    } else if (sort_ == "queued") {
      row.number = census.queued(view.id);
    } else if (sort_ == "known") {
      row.number = census.known(view.id);
    } else if (sort_ == "fetched") {
      row.number = static_cast<double>(view.pages);
    } else if (sort_ == "failed") {
      row.number = static_cast<double>(view.failed);
    } else if (sort_ == "bytes") {
      row.number = static_cast<double>(view.bytes);
    } else if (sort_ == "delay") {
      row.number = static_cast<double>(view.delay.count());
    } else if (sort_ == "next_in") {
      row.number = static_cast<double>((view.opens - std::min(view.opens, now)).count());
    } else if (sort_ == "response_ms") {
      row.number = view.answer_ms;
    } else {
      row.number = view.failures;
    }
    return row;
  }

  bool before(const Row& a, const Row& b) const {
    if (a.number != b.number) return up_ ? a.number < b.number : a.number > b.number;
    if (a.text != b.text) return up_ ? a.text < b.text : a.text > b.text;
    return a.id < b.id;
  }

  std::string sort_;
  bool up_;
  std::string filter_, state_;
  std::size_t offset_, limit_;
  HostScan scan_;
  std::vector<Row> rows_;
  std::uint64_t total_ = 0;
};

// ---- host

class HostQuestion final : public Question {
 public:
  explicit HostQuestion(std::string name) : name_(std::move(name)) {
    for (char& c : name_) c = ascii_lower(c);
  }

  bool step(const Crawler& crawler, Census& census, std::int64_t deadline_us) override {
    const HostId id = crawler.hosts().find(name_);
    if (id == kNoHost) {
      answer_ = error_answer(404, fmt::format("the crawl has no URL of the host {}", name_));
      return true;
    }
    if (!counted_ && !census.step(crawler, deadline_us)) return false;
    counted_ = true;
    if (!best_) best_.emplace(id, kBest);
    if (census.queued(id) > 0 && !find_best(crawler.state(), deadline_us)) return false;
    const Time now = crawler.now();
    const Host& host = crawler.hosts()[id];
    Json json = {{"host", host_object(crawler.host_view(id, now, census.queued(id) > 0), census, now)}};
    Json addresses = Json::array();
    for (const NetAddress& address : host.addresses) addresses.push_back(address.text());
    json["addresses"] = std::move(addresses);
    json["settings"] = host_settings(
        crawler.options(), crawler.sites(), host.name,
        [&](const std::string& name) { return crawler.state().control().options().contains(name); });
    json["rules"] = robots_array(crawler.host_rules(id), now);
    add_results(crawler, id, json);
    Json best = Json::array();
    for (const QueueItem& item : best_->take())
      best.push_back(queued_object(crawler.view_of(item, now), crawler.options().order.policy, now));
    json["best"] = std::move(best);
    const ControlState& control = crawler.state().control();
    json["paused"] = control.find(RuleKind::kPause, RuleTarget::kHost, host.name) != nullptr;
    json["blocked"] = control.find(RuleKind::kBlock, RuleTarget::kHost, host.name) != nullptr;
    answer_.json = std::move(json);
    return true;
  }

 private:
  // Looks at all pages, since the queue is not sorted by host. True: done.
  bool find_best(const CrawlState& state, std::int64_t deadline_us) {
    for (int looked = 1; next_ < state.pages(); ++next_, ++looked) {
      best_->look_at(state, next_);
      if (looked % kBatch == 0 && monotonic_us() >= deadline_us) {
        ++next_;
        return false;
      }
    }
    return true;
  }

  static void add_results(const Crawler& crawler, HostId id, Json& json) {
    Json history = Json::array(), errors = Json::array();
    const auto& results = crawler.activity().results();
    for (auto at = results.rbegin(); at != results.rend() && history.size() < kHostHistory; ++at) {
      if (at->host != id) continue;
      const std::string url = crawler.state().url(at->page);
      history.push_back({{"time", time_text(milliseconds_of(at->time))},
                         {"url", url},
                         {"outcome", outcome_name(at->outcome)},
                         {"status", at->status > 0 ? Json(at->status) : Json(nullptr)},
                         {"bytes", at->bytes},
                         {"ms", at->ms}});
      if (!is_failure(at->outcome) || errors.size() >= kHostErrors) continue;
      errors.push_back({{"time", time_text(milliseconds_of(at->time))},
                        {"url", url},
                        {"outcome", outcome_name(at->outcome)},
                        {"reason", reason_of(*at)}});
    }
    json["history"] = std::move(history);
    json["errors"] = std::move(errors);
  }

  std::string name_;
  bool counted_ = false;
  PageId next_ = 0;
  std::optional<BestOfHost> best_;
};

// ---- problems

class ProblemsQuestion final : public Question {
 public:
  ProblemsQuestion(std::shared_ptr<const LiveSnapshot> snapshot,
                   std::shared_ptr<const IncomingByPage> incoming)
      : snapshot_(std::move(snapshot)), incoming_(std::move(incoming)) {}

  bool step(const Crawler& crawler, Census& census, std::int64_t deadline_us) override {
    if (!scan_.step(crawler, census, deadline_us, [&](const HostView& view) { consider(view, census); }))
      return false;
    const CrawlCounts& counts = snapshot_->status.counts;
    Json json = {
        {"outcomes", outcomes(crawler, counts)},   {"broken_links", broken_links(crawler)},
        {"dead_seeds_total", counts.seeds_failed}, {"traps", traps(crawler, counts)},
        {"excluded", excluded_array(counts)},      {"waiting", waiting()},
        {"slow_hosts", slow(crawler, census)},     {"memory", memory_object_of(snapshot_->status.memory)},
        {"turned_away", counts.rejected},          {"disk", disk_object(snapshot_->disk)},
        {"warnings", snapshot_->status.troubles}};
    json["dead_seeds"] = dead_seeds_array(counts);
    answer_.json = std::move(json);
    return true;
  }

 private:
  struct Waiting {
    std::uint64_t hosts = 0;
    std::uint64_t queued = 0;
    std::vector<std::string> examples;
  };

  void consider(const HostView& view, const Census& census) {
    const std::uint64_t queued = census.queued(view.id);
    if (queued == 0) return;
    Waiting& group = waiting_[std::string(view.state)];
    ++group.hosts;
    group.queued += queued;
    if (group.examples.size() < Activity::kExamples) group.examples.push_back(view.name);
    slow_.emplace_back(view.delay, view.id);
    if (slow_.size() > 2 * kSlow) {
      std::ranges::sort(slow_, std::greater<>());
      slow_.resize(kSlow);
    }
  }

  static Json outcomes(const Crawler& crawler, const CrawlCounts& counts) {
    std::vector<const OutcomeRule*> rules;
    const auto count = [&](const OutcomeRule* rule) {
      return counts.outcomes[static_cast<std::size_t>(rule->outcome)];
    };
    for (const OutcomeRule& rule : outcome_table()) {
      if (count(&rule) > 0) rules.push_back(&rule);
    }
    std::ranges::stable_sort(rules, [&](const auto* a, const auto* b) { return count(a) > count(b); });
    Json list = Json::array();
    for (const OutcomeRule* rule : rules) {
      Json examples = Json::array();
      const auto& some = crawler.activity().examples(rule->outcome);
      for (auto at = some.rbegin(); at != some.rend(); ++at)
        examples.push_back({{"url", crawler.state().url(at->page)},
                            {"reason", reason_of(*at)},
                            {"time", time_text(milliseconds_of(at->time))}});
      list.push_back({{"kind", rule->name},
                      {"what", rule->what},
                      {"count", count(rule)},
                      {"failure", is_failure(rule->outcome)},
                      {"examples", std::move(examples)}});
    }
    return list;
  }

  // For each broken page, the links found by the last search in all links or, if it found fewer, those that
  // Activity has seen.
  Json broken_links(const Crawler& crawler) const {
    struct Row {
      std::uint64_t links = 0;
      const std::vector<PageId>* from = nullptr;
      const BrokenLink* broken = nullptr;
    };
    std::vector<Row> all;
    for (const auto& [page, broken] : crawler.activity().broken()) {
      Row row{broken.links, &broken.from, &broken};
      const auto found = incoming_->find(page);
      if (found != incoming_->end() && found->second.links >= row.links)
        row = {found->second.links, &found->second.from, &broken};
      all.push_back(row);
    }
    std::ranges::sort(all, [](const Row& a, const Row& b) {
      return a.links != b.links ? a.links > b.links : a.broken->result.page < b.broken->result.page;
    });
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(all.size(), kBrokenShown); ++i) {
      Json from = Json::array();
      for (const PageId page : *all[i].from) from.push_back(crawler.state().url(page));
      const PageResult& result = all[i].broken->result;
      list.push_back({{"url", crawler.state().url(result.page)},
                      {"outcome", outcome_name(result.outcome)},
                      {"reason", reason_of(result)},
                      {"linked_from", all[i].links},
                      {"from", std::move(from)}});
    }
    return list;
  }

  static Json traps(const Crawler& crawler, const CrawlCounts& counts) {
    Json list = Json::array();
    if (const std::uint64_t links = counts.excluded[static_cast<std::size_t>(Exclusion::kTrap)]; links > 0) {
      Json examples = Json::array();
      for (const PageId page : crawler.activity().traps()) examples.push_back(crawler.state().url(page));
      list.push_back({{"kind", "trap"},
                      {"what", "links whose URLs look endless"},
                      {"count", links},
                      {"examples", std::move(examples)}});
    }
    const auto& hosts = crawler.closed_hosts(HostEnd::kNearDuplicates);
    if (!hosts.empty()) {
      Json examples = Json::array();
      for (const HostId id : hosts) examples.push_back(crawler.hosts()[id].name);
      list.push_back({{"kind", "near-duplicates"},
                      {"what", "hosts whose pages are nearly the same"},
                      {"count", crawler.status().hosts.repeating},
                      {"examples", std::move(examples)}});
    }
    return list;
  }

  Json waiting() const {
    Json list = Json::array();
    for (const auto& [state, group] : waiting_) {
      list.push_back(
          {{"state", state}, {"hosts", group.hosts}, {"queued", group.queued}, {"examples", group.examples}});
    }
    return list;
  }

  Json slow(const Crawler& crawler, const Census& census) {
    std::ranges::sort(slow_, std::greater<>());
    if (slow_.size() > kSlow) slow_.resize(kSlow);
    Json list = Json::array();
    const Time now = crawler.now();
    for (const auto& [delay, id] : slow_)
      list.push_back(host_object(crawler.host_view(id, now, true), census, now));
    return list;
  }

  std::shared_ptr<const LiveSnapshot> snapshot_;
  std::shared_ptr<const IncomingByPage> incoming_;
  HostScan scan_;
  std::map<std::string, Waiting> waiting_;
  std::vector<std::pair<Duration, HostId>> slow_;
};

}  // namespace

void BestOfHost::look_at(const CrawlState& state, PageId page) {
  if (state.host(page) != host_) return;
  const PageState now = state.frontier().state(page);
  if (now != PageState::kQueued && now != PageState::kWaiting) return;
  const auto item = state.frontier().item(page);
  if (!item) return;
  best_.push_back(*item);
  std::ranges::push_heap(best_, kBetter);
  if (best_.size() <= most_) return;
  std::ranges::pop_heap(best_, kBetter);
  best_.pop_back();
}

std::vector<QueueItem> BestOfHost::take() {
  std::ranges::sort(best_, kBetter);
  return std::move(best_);
}

bool Census::step(const Crawler& crawler, std::int64_t deadline_us) {
  const std::int64_t now = monotonic_us();
  if (next_ == 0 && done_us_ > 0 && now - done_us_ < kCensusUs) return true;
  const CrawlState& state = crawler.state();
  if (next_ == 0) {
    new_queued_.assign(crawler.hosts().size(), 0);
    new_known_.assign(crawler.hosts().size(), 0);
  }
  for (int looked = 1; next_ < state.pages(); ++next_, ++looked) {
    const HostId host = state.host(next_);
    if (host >= new_known_.size()) {
      new_known_.resize(host + 1);
      new_queued_.resize(host + 1);
    }
    ++new_known_[host];
    const PageState page = state.frontier().state(next_);
    if (page == PageState::kQueued || page == PageState::kWaiting) ++new_queued_[host];
    if (looked % kBatch == 0 && monotonic_us() >= deadline_us) {
      ++next_;
      return false;
    }
  }
  queued_.swap(new_queued_);
  known_.swap(new_known_);
  next_ = 0;
  done_us_ = monotonic_us();
  return true;
}

std::unique_ptr<Question> make_question(const Ask& ask, const std::shared_ptr<const LiveSnapshot>& snapshot,
                                        std::shared_ptr<const IncomingByPage> incoming) {
  if (ask.what == "next") return std::make_unique<NextQuestion>(ask.number("limit", 25));
  if (ask.what == "hosts") return std::make_unique<HostsQuestion>(ask);
  if (ask.what == "host") return std::make_unique<HostQuestion>(ask.text("name"));
  if (ask.what == "problems") return std::make_unique<ProblemsQuestion>(snapshot, std::move(incoming));
  return nullptr;
}

}  // namespace bowerbird
