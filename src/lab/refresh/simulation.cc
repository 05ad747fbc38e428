#include "lab/refresh/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/rng.h"
#include "lab/refresh/stream.h"

namespace bowerbird {
namespace {

class RefreshSimulation {
 public:
  RefreshSimulation(const RefreshWorld& world, const RefreshRun& run, const RefreshOptions& options)
      : world_(world),
        run_(run),
        queue_(options, hosts_of(world)),
        meter_(world.importance, run.days, run.warm_up, run.slices, world.born),
        stream_(run.seed),
        copies_(world.pages()) {
    if (run.one_stream) return;
    for (PageId page = 0; page < world.pages(); ++page) streams_.emplace_back(draw(run.seed, page));
  }

  Result<RefreshResult> run(const std::atomic<bool>& stop) {
    begin();
    const auto fetches = static_cast<std::uint64_t>(std::floor(run_.per_day * run_.days + 1e-9));
    for (std::uint64_t k = 1; k <= fetches; ++k) {
      if (k % 1024 == 0 && stop) {
        result_.stopped = true;
        break;
      }
      BB_TRY_VOID(fetch(static_cast<double>(k) / run_.per_day));
    }
    for (PageId page = 0; page < copies_.size(); ++page) {
      if (copies_[page].fetched >= 0)
        meter_.copy(page, copies_[page].fetched, run_.days, copies_[page].change);
    }
    return finish();
  }

 private:
  struct Copy {
    double fetched = -1;  // never
    double change = 0;    // the first change after that
  };

  static HostOf hosts_of(const RefreshWorld& world) {
    if (world.hosts.empty()) return {};
    return [&world](PageId page) { return world.hosts[page]; };
  }

  static RefreshTime at(double day) { return RefreshTime{rounded(Days(day))}; }

  void begin() {
    if (run_.discovery) {
      for (const PageId page : world_.seeds) discover(page, 0);
      return;
    }
    for (PageId page = 0; page < copies_.size(); ++page) {
      if (!exists(page, 0)) {
        unborn_.push_back(page);
        continue;
      }
      queue_.hold(page, world_.importance[page], RefreshTime{});
      tell_rate(page);
      copies_[page] = {0, next_change(page, 0, 0)};
    }
    std::sort(unborn_.begin(), unborn_.end(),
              [this](PageId a, PageId b) { return world_.born[a] > world_.born[b]; });
  }

  bool exists(PageId page, double day) const { return world_.born.empty() || world_.born[page] <= day; }

  // The first change after `day`, given the last known one. Sets last_change_ to the last one until then.
  double next_change(PageId page, double last, double day) {
    if (!world_.changes.empty()) {
      const std::vector<double>& all = world_.changes[page];
      const auto next = std::upper_bound(all.begin(), all.end(), day);
      last_change_ = next == all.begin() ? day : *std::prev(next);
      return next == all.end() ? std::numeric_limits<double>::infinity() : *next;
    }
    const double rate = world_.rates[page];
    if (run_.one_stream) last = day;
    // So many changes that the start does not matter: the process has no memory.
    if (rate * (day - last) > 1000) last = day;
    SplitMix& stream = run_.one_stream ? stream_ : streams_[page];
    do {
      last_change_ = last;
      const double wait = -std::log(stream.unit());
      last = rate > 0 ? last + wait / rate : std::numeric_limits<double>::infinity();
    } while (last <= day);
    return last;
  }

  void discover(PageId page, double day) {
    if (queue_.knows(page)) return;
    queue_.discovered(page, world_.importance[page], at(day));
    tell_rate(page);
  }

  void tell_rate(PageId page) {
    if (run_.known_rates) queue_.set_rate(page, world_.rates[page]);
  }

  Status fetch(double day) {
    for (; !unborn_.empty() && exists(unborn_.back(), day); unborn_.pop_back()) discover(unborn_.back(), day);
    const auto choice = queue_.choose(at(day));
    if (!choice) return {};
    Copy& copy = copies_[choice->page];
    const bool changed = choice->is_new || copy.change <= day;
    ++result_.fetches;
    if (day > run_.warm_up) {
      ++late_;
      late_changed_ += changed ? 1 : 0;
    }
    if (!choice->is_new) meter_.copy(choice->page, copy.fetched, day, copy.change);
    copy.fetched = day;
    if (changed) copy.change = next_change(choice->page, copy.change, day);
    RefreshVisit visit{at(day), changed ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged};
    if (run_.dates && changed && !choice->is_new) {
      visit.last_modified =
          std::chrono::time_point_cast<std::chrono::seconds>(at(last_change_));  // as in HTTP
      visit.date = visit.time;
    }
    queue_.visited(choice->page, visit);
    return run_.discovery && (choice->is_new || !world_.born.empty()) ? find_links(choice->page, day)
                                                                      : Status();
  }

  Status find_links(PageId page, double day) {
    for (const PageId to : world_.graph->out(world_.in_graph[page], buffer_)) {
      const PageId page_to = world_.of_graph[to];  // a page linked from a reachable page is reachable
      if (exists(page_to, day)) discover(page_to, day);
    }
    return world_.graph->status();
  }

  RefreshResult finish() {
    result_.means = meter_.means();
    result_.curve = meter_.curve();
    result_.new_fetches = queue_.counts().new_choices;
    result_.overdue_fetches = queue_.counts().overdue_choices;
    result_.changed = late_ > 0 ? static_cast<double>(late_changed_) / static_cast<double>(late_) : 0;
    result_.rate_error = rate_error();
    result_.bytes = queue_.bytes();
    result_.work = queue_.work();
    return std::move(result_);
  }

  double rate_error() const {
    double sum = 0, pages = 0;
    queue_.for_each([&](PageId page, const RefreshFacts& facts) {
      if (facts.is_new || !(world_.rates[page] > 0)) return;
      sum += std::abs(std::log(facts.rate / world_.rates[page]));
      ++pages;
    });
    return pages > 0 ? sum / pages : 0;
  }

  const RefreshWorld& world_;
  const RefreshRun& run_;
  RefreshQueue queue_;
  RefreshMeter meter_;
  SplitMix stream_;
  std::vector<SplitMix> streams_;  // by page
  std::vector<Copy> copies_;
  double last_change_ = 0;
  std::vector<PageId> unborn_;  // without discovery: those that do not exist yet, the next one last
  LinkBuffer buffer_;
  std::uint64_t late_ = 0, late_changed_ = 0;
  RefreshResult result_;
};

}  // namespace

Result<RefreshResult> simulate_refresh(const RefreshWorld& world, const RefreshRun& run,
                                       const std::atomic<bool>& stop) {
  RefreshOptions options;
  BB_TRY(options.rule, find_refresh_rule(run.policy));
  options.learn = !run.known_rates;
  options.host_rates = run.host_rates;
  options.shortest = run.shortest;
  options.longest = run.longest;
  options.least_new = run.least_new;
  options.most_new = run.most_new;
  const auto start = std::chrono::steady_clock::now();
  BB_TRY(RefreshResult result, RefreshSimulation(world, run, options).run(stop));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace bowerbird
