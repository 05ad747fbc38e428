#include "lab/run.h"

#include <algorithm>
#include <chrono>

#include "lab/hosts.h"
#include "lab/lab_frontier.h"
#include "lab/memory_need.h"
#include "lab/parallel/team_run.h"
#include "lab/topic.h"
#include "store/spill_folder.h"

namespace bowerbird {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// Adds its own lifetime to `sum`: time not spent in frontier and ordering.
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
        topic_(setting.web.topic.get()),
        monitor_(monitor),
        visited_(request.visited),
        evaluation_(setting) {
    result_.policy = request.policy;
    result_.strategy = request.strategy;
    result_.random_seed = request.random_seed;
    result_.memory = request.memory;
  }

  Status prepare(const RunRequest& request) {
    MemoryLimits limits;
    if (request.memory > 0) {
      BB_TRY(const MemoryNeed need, memory_need(setting_, request.policy, request.memory));
      BB_TRY(spill_, TemporarySpill::make());
      limits = {need.queue_bytes(request.memory), need.graph, &spill_->store()};
    }
    BB_TRY(frontier_, make_frontier(setting_, request, setting_.expected_pages(), limits));
    return {};
  }

  Result<RunResult> crawl(const std::atomic<bool>& stop) {
    constexpr std::uint64_t kReport = 1024;
    start_ = Clock::now();
    frontier_->seed(setting_.seeds);
    const std::uint64_t most = setting_.page_budget == 0 ? graph_.pages() : setting_.page_budget;
    sample();
    for (std::uint64_t steps = 1; result_.crawled < most; ++steps) {
      const auto job = frontier_->next(Time{});
      if (!job) break;
      visit(*job);
      if (steps % kReport != 0) continue;
      report();
      BB_TRY_VOID(frontier_->status());
      if (stop.load(std::memory_order_relaxed)) {
        result_.stopped = true;
        break;
      }
    }
    const Clock::duration all = Clock::now() - start_;
    result_.wall_seconds = seconds_of(all);
    result_.seconds = seconds_of(all - outside_);
    BB_TRY_VOID(frontier_->status());
    BB_TRY_VOID(graph_.status());
    return finish();
  }

 private:
  void visit(const Job& job) {
    std::span<const PageId> targets;
    std::uint32_t across = 0;
    {
      const Outside outside(outside_);
      targets = graph_.out(job.page, buffer_);
      across = flag_hosts(hosts_, job.page, targets, links_);
      flag_topic(topic_, job.page, links_, topic_buffer_);
    }
    frontier_->complete(job.page, links_, is_on_topic(topic_, job.page));
    if (job.links_only) return;
    ++result_.crawled;
    if (visited_) visited_(job.page);
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
    result_.frontier.push_back(
        {result_.crawled, counts.primary, counts.secondary, seconds_of(Clock::now() - start_ - outside_)});
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
    result_.revisits = counts.links_only;
    result_.dropped = counts.dropped;
    result_.dropped_worth = counts.dropped_worth;
    result_.spilled = frontier_->spilled();
    result_.troubles = frontier_->take_troubles();
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
  const WebTopic* topic_;
  RunMonitor& monitor_;
  const std::function<void(PageId)>& visited_;
  Evaluation evaluation_;
  Clock::time_point start_;
  Clock::duration outside_{0};
  std::unique_ptr<TemporarySpill> spill_;
  std::unique_ptr<Frontier> frontier_;
  LinkBuffer buffer_;
  LinkBuffer topic_buffer_;
  std::vector<Link> links_;
  std::uint64_t next_sample_ = kNever;
  RunResult result_;
};

}  // namespace

Result<RunResult> run_crawl(const Setting& setting, const RunRequest& request, RunMonitor& monitor,
                            const std::atomic<bool>& stop) {
  if (request.team.procs > 0) return run_team(setting, request, monitor, stop);
  Run run(setting, request, monitor);
  BB_TRY_VOID(run.prepare(request));
  return run.crawl(stop);
}

}  // namespace bowerbird
