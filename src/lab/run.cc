#include "lab/run.h"

#include <algorithm>
#include <chrono>

#include "lab/hosts.h"
#include "policy/registry.h"
#include "url/host.h"

namespace bowerbird {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// Adds its own lifetime to `sum`: time that is not spent in frontier and ordering.
class Outside {
 public:
  explicit Outside(Clock::duration& sum) : sum_(sum), start_(Clock::now()) {}
  ~Outside() { sum_ += Clock::now() - start_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Clock::duration& sum_;
  Clock::time_point start_;
};

class Run {
 public:
  Run(const Setting& setting, const RunRequest& request, RunMonitor& monitor)
      : setting_(setting),
        graph_(*setting.web.graph),
        hosts_(setting.web.hosts.get()),
        monitor_(monitor),
        evaluation_(setting) {
    result_.policy = request.policy;
    result_.strategy = request.strategy;
    result_.random_seed = request.random_seed;
  }

  Status prepare(const RunRequest& request) {
    PolicyContext context;
    context.expected_pages = setting_.expected_pages();
    context.seed = request.random_seed;
    context.threads = request.threads;
    context.hosts = host_source();
    if (setting_.judged()) context.importance = setting_.yardsticks.front().values();
    BB_TRY(auto policy, make_policy(request.policy, context));

    FrontierOptions options;
    options.strategy = request.strategy;
    options.expected_pages = setting_.expected_pages();
    options.seed = request.random_seed;
    options.page_capacity = graph_.pages();
    BB_TRY(frontier_, Frontier::make(options, std::move(policy), hint_source(), host_source()));
    return {};
  }

  Result<RunResult> crawl(const std::atomic<bool>& stop) {
    constexpr std::uint64_t kReport = 1024;
    const auto start = Clock::now();
    frontier_->seed(setting_.seeds);
    const std::uint64_t most = setting_.page_budget == 0 ? graph_.pages() : setting_.page_budget;
    sample();
    for (std::uint64_t steps = 1; result_.crawled < most; ++steps) {
      const auto job = frontier_->next(0);
      if (!job) break;
      visit(*job);
      if (steps % kReport != 0) continue;
      report();
      if (stop.load(std::memory_order_relaxed)) {
        result_.stopped = true;
        break;
      }
    }
    const Clock::duration all = Clock::now() - start;
    result_.wall_seconds = seconds_of(all);
    result_.seconds = seconds_of(all - outside_);
    BB_TRY_VOID(graph_.status());
    return finish();
  }

 private:
  HintSource hint_source() const {
    if (!setting_.web.names) return {};
    return [&setting = setting_](PageId page) {
      const std::string url = setting.web.names->name(page);
      PageHints hints;
      hints.location = static_cast<float>(location_score(url, setting.location));
      hints.depth = static_cast<std::uint16_t>(std::min(path_depth(url), 0xffffu));
      return hints;
    };
  }

  HostSource host_source() const {
    if (hosts_ == nullptr) return {};
    return [hosts = hosts_](PageId page) { return hosts->host(page); };
  }

  void visit(const Job& job) {
    std::span<const PageId> targets;
    std::uint32_t across = 0;
    {
      const Outside outside(outside_);
      targets = graph_.out(job.page, buffer_);
      across = flag_hosts(hosts_, job.page, targets, links_);
    }
    frontier_->complete(job.page, links_);
    if (job.revisit) return;
    ++result_.crawled;
    result_.links += targets.size();
    result_.other_host += across;
    if (evaluation_.judges()) {
      const Outside outside(outside_);
      evaluation_.page(job.page, targets);
    }
    if (result_.crawled == next_sample_) sample();
  }

  void sample() {
    const FrontierCounts& counts = frontier_->counts();
    result_.frontier.push_back({result_.crawled, counts.primary, counts.secondary});
    const std::size_t next = result_.frontier.size();
    next_sample_ = next < setting_.points.size() ? setting_.points[next] : kNever;
    report();
  }

  void report() {
    result_.peak_bytes = std::max(result_.peak_bytes, frontier_->bytes());
    monitor_.pages.store(result_.crawled, std::memory_order_relaxed);
    monitor_.links.store(result_.links, std::memory_order_relaxed);
    monitor_.bytes.store(result_.peak_bytes, std::memory_order_relaxed);
  }

  RunResult finish() {
    report();
    const FrontierCounts& counts = frontier_->counts();
    result_.known = counts.discovered;
    result_.peak_queue = counts.peak;
    result_.revisits = counts.revisits;
    result_.dropped = counts.dropped;
    for (const Account& account : frontier_->policy().accounts()) {
      result_.accounts.emplace_back(account.name, account.value);
    }
    result_.scores = evaluation_.finish(result_.stopped);
    return std::move(result_);
  }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  const Setting& setting_;
  const Graph& graph_;
  const PageHosts* hosts_;
  RunMonitor& monitor_;
  Evaluation evaluation_;
  Clock::duration outside_{0};
  std::unique_ptr<Frontier> frontier_;
  LinkBuffer buffer_;
  std::vector<Link> links_;
  std::uint64_t next_sample_ = kNever;
  RunResult result_;
};

}  // namespace

Result<RunResult> run_crawl(const Setting& setting, const RunRequest& request, RunMonitor& monitor,
                            const std::atomic<bool>& stop) {
  Run run(setting, request, monitor);
  BB_TRY_VOID(run.prepare(request));
  return run.crawl(stop);
}

}  // namespace bowerbird
