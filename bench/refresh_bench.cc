// How many choices per second does the refresh queue make, and how many bytes does a page cost?
//
//   refresh_bench [PAGES] [CHOICES]      (default 10M pages, 2M choices)
//
// Pages on 10,000 hosts, whose sizes fall with their rank, are held with a history of visits. One choice is:
// take a page, record the visit, recompute the page's rate, and file it again. In the middle the importance
// of all pages is replaced, host by host, one host every few choices. The longest pauses are the longest of
// these calls, and the choice before which most pages are filed again because the price has fallen. A second
// round closes the gate of each host for a while after each fetch. Every now and then all pages are checked:
// the value of the choice must be at least 0.95 of the largest. Also verifies that no page is handed out
// twice, and the number of pages; exits with 1 if anything is wrong, if a page costs more than 32 bytes, or
// if the total is more than 2 GiB.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <vector>

#include "base/rng.h"
#include "base/units.h"
#include "frontier/refresh_queue.h"
#include "sys/memory.h"

namespace bowerbird::bench {
namespace {

constexpr HostId kHosts = 10'000;
constexpr RefreshTime kStart{1'700'000'000s};

// CPU time of this thread.
double seconds_used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double importance_of(PageId page, std::uint64_t version) {
  const double u = to_unit(draw(version, page));
  return u * u + 1e-4;
}

class Bench {
 public:
  Bench(PageId pages, std::uint64_t choices)
      : pages_(pages),
        choices_(choices),
        hosts_(host_numbers(pages)),
        queue_(options(), [this](PageId page) { return HostId{hosts_[page]}; }) {
    step_ = std::max<Duration>(1ms, 30 * kDay / pages);
  }

  bool run() {
    fill();
    go("first choices", 1000, false, false);
    for (HostId host = 0; host < kHosts; ++host) {
      queue_.set_importance(host, [](PageId page, double) { return importance_of(page, 1); });
    }
    go("nothing else", choices_ / 2, false, false);
    const double rate = go("importance replaced", choices_, false, true);
    go("gates", choices_ / 4, true, false);
    step_ = std::max<Duration>(1ms, step_ / 3);
    go("three times the budget", choices_, false, false);
    const double bytes = static_cast<double>(queue_.bytes()) / pages_;
    const std::uint64_t peak = peak_resident_memory();
    fmt::print(
        "{:.2f} bytes per page; the process took {} at most; smallest share of the largest value {:.4f}\n",
        bytes, format_bytes(peak), worst_);
    check(rate >= 200'000, "200,000 choices per second");
    check(bytes <= 32, "32 bytes per page");
    check(peak <= std::uint64_t{2} << 30, "2 GiB");
    check(worst_ >= 0.95, "0.95 of the largest value");
    check(queue_.counts().held == pages_, "the number of pages");
    return good_;
  }

 private:
  static const RefreshRule& rule() { return *find_refresh_rule(kDefaultRefresh).value(); }
  static RefreshOptions options() {
    RefreshOptions options;
    options.rule = &rule();
    options.longest = 0ms;
    return options;
  }

  // Sizes in proportion to 1/(rank + 10).
  static std::vector<std::uint16_t> host_numbers(PageId pages) {
    std::vector<std::uint16_t> hosts(pages);
    for (PageId page = 0; page < pages; ++page) {
      const double u = to_unit(draw(3, page));
      hosts[page] = static_cast<std::uint16_t>(10 * (std::pow(1.0 + kHosts / 10.0, u) - 1));
    }
    return hosts;
  }

  double true_rate(PageId page) const {
    return std::exp(std::log(0.05) + 3 * (to_unit(draw(5, page)) - 0.5));
  }

  ChangeHistory history_of(PageId page) const {
    ChangeHistory history;
    const double missed = std::exp(-10 * true_rate(page));
    for (std::uint64_t i = 0; i < 6; ++i) {
      to_unit(draw(11 + i, page)) < missed ? history.add_unchanged(10) : history.add_change(10);
    }
    return history;
  }

  // Days between fetches at a price.
  static double interval_of(PageId page, const ChangeHistory& history, double price) {
    return rule().days_to(importance_of(page, 1), change_rate(history, 0.05), price);
  }

  // The price at which a thirtieth of the pages is fetched per day.
  double fair_price() const {
    constexpr PageId kSample = 2000;
    double low = -50, high = 50;  // of its logarithm
    for (int i = 0; i < 40; ++i) {
      const double price = std::exp((low + high) / 2);
      double per_day = 0;
      for (PageId page = 0; page < kSample; ++page) per_day += 1 / interval_of(page, history_of(page), price);
      (per_day > kSample / 30.0 ? low : high) = (low + high) / 2;
    }
    return std::exp(low);
  }

  void fill() {
    const double start = seconds_used();
    const double price = fair_price();
    for (PageId page = 0; page < pages_; ++page) {
      RefreshFacts facts;
      facts.importance = importance_of(page, 1);
      facts.history = history_of(page);
      const double days = to_unit(draw(7, page)) * std::min(1000.0, interval_of(page, facts.history, price));
      facts.since = kStart - std::chrono::duration_cast<Duration>(Days(days));
      queue_.adopt(page, facts);
    }
    fmt::print("{} held after {:.1f} s, {:.2f} bytes per page\n", plural(pages_, "page"),
               (seconds_used() - start), static_cast<double>(queue_.bytes()) / pages_);
  }

  double go(std::string_view name, std::uint64_t count, bool gates, bool replace) {
    const RefreshWork before = queue_.work();
    double excluded = 0, pause = 0;      // seconds
    std::uint64_t most = 0;              // pages filed again for one choice
    std::chrono::nanoseconds longest{};  // such a choice, by the clock on the wall
    HostId replaced = 0;
    const std::uint64_t replace_every = std::max<std::uint64_t>(1, count / 2 / kHosts);
    const double start = seconds_used();
    for (std::uint64_t i = 0; i < count; ++i) {
      now_ += step_;
      if (replace && i % replace_every == 0 && i > count / 4 && replaced < kHosts) {
        const double begin = seconds_used();
        queue_.set_importance(replaced++, [](PageId page, double) { return importance_of(page, 2); });
        pause = std::max(pause, seconds_used() - begin);
      }
      if (gates) open_gates();
      const std::uint64_t filed = queue_.work().woken + queue_.work().lowered;
      const auto began = std::chrono::steady_clock::now();
      const auto choice = queue_.choose(now_);
      longest = std::max(longest, std::chrono::steady_clock::now() - began);
      most = std::max(most, queue_.work().woken + queue_.work().lowered - filed);
      if (!choice) continue;
      if (i % (count / 4 + 1) == count / 8) {
        const double begin = seconds_used();
        compare(*choice, gates);
        excluded += seconds_used() - begin;
      }
      visit(choice->page);
      if (gates) close_gate(choice->page);
    }
    const double seconds = seconds_used() - start - excluded;
    while (!closed_.empty()) open_first();
    const double rate = static_cast<double>(count) / seconds;
    const auto per_choice = [&](std::uint64_t RefreshWork::*what) {
      return static_cast<double>(queue_.work().*what - before.*what) / static_cast<double>(count);
    };
    fmt::print(
        "{:<24} {:>9} choices per second; per choice {:.2f} woken, {:.2f} lowered, {:.2f} changed; "
        "at most {} pages filed for one, in {:.1f} ms",
        name, format_count(static_cast<std::uint64_t>(rate)), per_choice(&RefreshWork::woken),
        per_choice(&RefreshWork::lowered), per_choice(&RefreshWork::changed), format_count(most),
        std::chrono::duration<double, std::milli>(longest).count());
    if (replace) {
      fmt::print("; longest replacement {:.1f} ms", 1000 * pause);
      check(replaced == kHosts, "all importances replaced");
    }
    fmt::print("\n");
    return rate;
  }

  void visit(PageId page) {
    const RefreshFacts facts = queue_.facts(page);
    check(facts.since < now_, "a page is handed out once");
    const double days = Days(now_ - facts.since).count();
    const bool changed = to_unit(draw(static_cast<std::uint64_t>(milliseconds_of(now_)), page)) <
                         1 - std::exp(-days * true_rate(page));
    queue_.visited(page, {now_, changed ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged});
  }

  void close_gate(PageId page) {
    const HostId host = hosts_[page];
    queue_.set_gate(host, false);
    closed_.emplace_back(now_ + 100 * step_, host);
  }
  void open_first() {
    queue_.set_gate(closed_.front().second, true);
    closed_.pop_front();
  }
  void open_gates() {
    while (!closed_.empty() && closed_.front().first <= now_) open_first();
  }

  // Checks all pages.
  void compare(const RefreshChoice& choice, bool gates) {
    std::vector<bool> closed(kHosts);
    if (gates) {
      for (const auto& [time, host] : closed_) closed[host] = true;
    }
    double most = 0;
    for (PageId page = 0; page < pages_; ++page) {
      if (gates && closed[hosts_[page]]) continue;
      if (now_ - queue_.facts(page).since < kHour) continue;
      most = std::max(most, queue_.value(page, now_));
    }
    worst_ = std::min(worst_, choice.value / most);
  }

  void check(bool good, std::string_view what) {
    if (good) return;
    fmt::print("WRONG: {}\n", what);
    good_ = false;
  }

  PageId pages_;
  std::uint64_t choices_;
  Duration step_ = 1ms;
  RefreshTime now_ = kStart;
  std::vector<std::uint16_t> hosts_;  // by page
  RefreshQueue queue_;
  std::deque<std::pair<RefreshTime, HostId>> closed_;
  double worst_ = 1;
  bool good_ = true;
};

}  // namespace
}  // namespace bowerbird::bench

int main(int argc, char** argv) {
  using namespace bowerbird;
  const auto number = [&](int i, std::uint64_t otherwise) {
    return i < argc ? parse_count(argv[i]).value() : otherwise;
  };
  return bench::Bench(static_cast<PageId>(number(1, 10'000'000)), number(2, 2'000'000)).run() ? EXIT_SUCCESS
                                                                                              : EXIT_FAILURE;
}
