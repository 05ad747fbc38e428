#include "lab/experiment.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/check.h"
#include "policy/registry.h"
#include "sys/memory.h"

namespace bowerbird {
namespace {

// An upper estimate of the memory of a run: page states, queue, an ordering's own arrays and copy of the
// links, and the measurements, one of which has a copy of the links as well.
std::uint64_t estimated_bytes(const Setting& setting) {
  const std::uint64_t per_page = setting.judged() ? 184 : 64;
  return setting.facts.pages * per_page + setting.facts.links.value_or(0) * (setting.judged() ? 8 : 4);
}

unsigned workers_that_fit(const Setting& setting, std::uint64_t wanted) {
  const std::uint64_t available = available_memory();
  if (available > 0) {
    wanted = std::min(wanted, available / 5 * 4 / std::max<std::uint64_t>(1, estimated_bytes(setting)));
  }
  return static_cast<unsigned>(std::max<std::uint64_t>(1, wanted));
}

std::string label(const std::string& policy, const std::string& strategy, const TeamOptions& team) {
  return policy + (strategy == "all" ? "" : " " + strategy) + (team.procs == 0 ? "" : ", " + label_of(team));
}

struct Task {
  std::size_t group;
  std::uint64_t random_seed;
};

// Runs the tasks of a plan on a few threads while the caller monitors them.
class WorkerPool {
 public:
  WorkerPool(const Setting& setting, const Plan& plan, unsigned threads) : setting_(setting), plan_(plan) {
    for (unsigned repeat = 0; repeat < plan.repeat; ++repeat) {
      for (std::size_t group = 0; group < plan.groups.size(); ++group) {
        tasks_.push_back({group, plan.random_seed + repeat});
      }
    }
    results_.resize(tasks_.size());
    workers_ = workers_that_fit(setting, std::min<std::uint64_t>(tasks_.size(), threads));
    threads_each_ = std::max(1u, threads / workers_);
    monitors_ = std::vector<RunMonitor>(tasks_.size());
  }

  Status run(const Progress& progress) {
    std::vector<std::thread> helpers;
    for (unsigned i = 0; i < workers_; ++i) helpers.emplace_back([this] { work(); });
    watch(progress);
    for (std::thread& helper : helpers) helper.join();
    return failure_;
  }

  std::uint64_t planned() const { return tasks_.size(); }
  std::uint64_t finished() const { return finished_; }
  std::vector<RunResult> take(std::size_t group) {
    std::vector<RunResult> repeats;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].group == group && results_[i]) repeats.push_back(std::move(*results_[i]));
    }
    return repeats;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void work() {
    while (const auto task = next_task()) {
      const PlannedGroup& group = plan_.groups[tasks_[*task].group];
      const RunRequest request{group.policy,  group.strategy, tasks_[*task].random_seed,
                               threads_each_, group.team,     plan_.memory};
      auto result = run_crawl(setting_, request, monitors_[*task], stop_);
      keep(*task, std::move(result));
    }
    const std::lock_guard lock(mutex_);
    ++idle_;
    changed_.notify_one();
  }

  std::optional<std::size_t> next_task() {
    const std::lock_guard lock(mutex_);
    if (stop_ || next_ == tasks_.size()) return std::nullopt;
    running_.push_back(next_);
    return next_++;
  }

  void keep(std::size_t task, Result<RunResult> result) {
    const std::lock_guard lock(mutex_);
    std::erase(running_, task);
    if (!result.ok()) {
      if (failure_.ok()) failure_ = result.error();
      stop_ = true;
      return;
    }
    if (!result->stopped) ++finished_;
    results_[task] = std::move(result).value();
  }

  void watch(const Progress& progress) {
    constexpr auto kGlance = std::chrono::milliseconds(100);
    std::unique_lock lock(mutex_);
    last_glance_ = Clock::now();
    while (!changed_.wait_for(lock, kGlance, [this] { return idle_ == workers_; })) {
      const std::string text = describe();
      const std::uint64_t done = pages_done();
      lock.unlock();
      if (!progress.tick(text, done, setting_.expected_pages() * tasks_.size())) stop_ = true;
      lock.lock();
    }
  }

  std::uint64_t pages_done() const {
    std::uint64_t done = finished_ * setting_.expected_pages();
    for (const std::size_t task : running_) done += monitors_[task].pages.load(std::memory_order_relaxed);
    return done;
  }

  // "crawling 3/18: opic 41 %, fica 80 %, 19.3 M links/s"
  std::string describe() {
    std::string text = fmt::format("crawling {}/{}:", finished_ + running_.size(), tasks_.size());
    for (const std::size_t task : running_) {
      const PlannedGroup& group = plan_.groups[tasks_[task].group];
      const auto pages = static_cast<double>(monitors_[task].pages.load(std::memory_order_relaxed));
      const auto expected = static_cast<double>(std::max<std::uint64_t>(1, setting_.expected_pages()));
      text += fmt::format(" {} {:.0f} %,", label(group.policy, group.strategy, group.team),
                          100 * pages / expected);
    }
    std::uint64_t links = 0;
    for (const RunMonitor& monitor : monitors_) links += monitor.links.load(std::memory_order_relaxed);
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - last_glance_).count();
    if (passed > 0.5) {
      speed_ = static_cast<double>(links - links_seen_) / passed;
      links_seen_ = links;
      last_glance_ = now;
    }
    return text + fmt::format(" {:.1f} M links/s", speed_ / 1e6);
  }

  const Setting& setting_;
  const Plan& plan_;
  std::vector<Task> tasks_;
  std::vector<std::optional<RunResult>> results_;
  std::vector<RunMonitor> monitors_;
  unsigned workers_ = 1;
  unsigned threads_each_ = 1;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stop_{false};
  std::size_t next_ = 0;
  unsigned idle_ = 0;
  std::uint64_t finished_ = 0;
  std::vector<std::size_t> running_;
  Status failure_;

  // Used by the monitoring thread.
  Clock::time_point last_glance_;
  std::uint64_t links_seen_ = 0;
  double speed_ = 0;
};

std::vector<BestPage> best_pages(const Setting& setting) {
  const Yardstick& chosen = setting.yardsticks.front();
  std::vector<BestPage> best;
  for (const PageId page : setting.followed) {
    best.push_back(
        {page, setting.web.names ? setting.web.names->name(page) : std::string(), chosen.value(page)});
  }
  return best;
}

LabReport describe_setting(const Setting& setting, const Plan& plan) {
  LabReport report;
  report.name = setting.name;
  report.facts = setting.facts;
  report.stats = setting.stats;
  report.seeds = setting.seeds.size();
  report.seed_spec = setting.seed_spec.text;
  report.importance = std::string(name_of(setting.importance));
  report.points = setting.points;
  report.notes = plan.notes;
  report.repeat = plan.repeat;
  report.random_seed = plan.random_seed;
  report.page_budget = setting.page_budget;
  report.memory = plan.memory;
  if (!setting.judged()) return report;
  report.threshold = setting.threshold;
  report.threshold_pages =
      CrawlWithThreshold(setting.yardsticks.front(), setting.points, setting.threshold).hot_pages();
  for (const BufferSize& buffer : setting.buffers) report.buffers.push_back(buffer.label);
  report.best = best_pages(setting);
  return report;
}

RunGroup ideal_group(const Setting& setting, std::uint64_t random_seed) {
  RunResult result;
  result.random_seed = random_seed;
  result.policy = "ideal";
  result.strategy = "all";
  result.scores = ideal_scores(setting);
  result.crawled = setting.expected_pages();
  result.known = setting.facts.reachable.value_or(0);
  return {"ideal", "all",
          true,    {std::move(result)},
          {},      "the best pages, discovered or not: nothing can be better",
          ""};
}

// Facts that only a run can count, if the graph was not traversed before.
void count_by_run(LabReport& report, bool has_hosts) {
  const RunResult* largest = nullptr;
  for (const RunGroup& group : report.groups) {
    for (const RunResult& run : group.repeats) {
      if (largest == nullptr || run.crawled > largest->crawled) largest = &run;
    }
  }
  if (largest == nullptr) return;
  if (!report.facts.reachable) {
    report.facts.reachable = largest->crawled;
    report.reachable_by_run = true;
  }
  if (!report.facts.links) report.facts.links = largest->links;
  if (has_hosts && !report.facts.interhost && largest->links > 0) {
    report.facts.interhost = static_cast<double>(largest->other_host) / static_cast<double>(largest->links);
  }
}

// Adds the runs of another repeat of the same plan.
void add_repeat(LabReport& report, LabReport repeat) {
  report.finished += repeat.finished;
  report.seconds += repeat.seconds;
  report.peak_memory = repeat.peak_memory;
  for (RunGroup& group : repeat.groups) {
    const auto same = std::find_if(report.groups.begin(), report.groups.end(),
                                   [&](const RunGroup& known) { return label_of(known) == label_of(group); });
    if (same == report.groups.end()) continue;
    std::move(group.repeats.begin(), group.repeats.end(), std::back_inserter(same->repeats));
  }
  for (std::string& note : repeat.notes) {
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) {
      report.notes.push_back(std::move(note));
    }
  }
}

void note_troubles(LabReport& report) {
  for (const RunGroup& group : report.groups) {
    for (const RunResult& run : group.repeats) {
      for (const std::string& text : run.troubles) report.notes.push_back(label_of(group) + ": " + text);
    }
  }
}

}  // namespace

Result<LabReport> run_experiment(const Setting& setting, const Plan& plan, const ExperimentOptions& options,
                                 const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  WorkerPool workers(setting, plan, options.threads);
  BB_TRY_VOID(workers.run(progress));
  LabReport report = describe_setting(setting, plan);
  report.planned = workers.planned();
  report.finished = workers.finished();
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    std::vector<RunResult> repeats = workers.take(i);
    if (repeats.empty()) continue;
    const PlannedGroup& group = plan.groups[i];
    const auto info = find_policy(group.policy.substr(0, group.policy.find_first_of("@:")));
    CHECK(info.ok());
    report.groups.push_back({group.policy, group.strategy, group.baseline, std::move(repeats), group.team,
                             std::string(info.value()->summary), std::string(info.value()->paper)});
  }
  if (plan.ideal) report.groups.push_back(ideal_group(setting, plan.random_seed));
  note_troubles(report);
  count_by_run(report, setting.web.hosts != nullptr);
  for (RunGroup& group : report.groups) {
    for (RunResult& run : group.repeats) {
      run.points = setting.points;
      run.reachable = report.facts.reachable.value_or(0);
    }
  }
  report.peak_memory = peak_resident_memory();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

std::string label_of(const RunGroup& group) {
  return label(group.policy, group.strategy, group.team);
}

Result<LabReport> run_repeats(Setting setting, const SettingOptions& options, const Plan& plan,
                              const ExperimentOptions& experiment, const Progress& progress) {
  if (plan.repeat == 1 || !setting.seed_spec.drawn()) {
    return run_experiment(setting, plan, experiment, progress);
  }
  Plan once = plan;
  once.repeat = 1;
  std::optional<LabReport> all;
  for (unsigned repeat = 0; repeat < plan.repeat; ++repeat) {
    once.random_seed = plan.random_seed + repeat;
    if (repeat > 0) {
      BB_TRY(setting, redraw_seeds(std::move(setting), options, once.random_seed));
    }
    const Progress part([&](std::string_view what, std::uint64_t done, std::uint64_t total) {
      return progress.tick(fmt::format("repeat {}/{}: {}", repeat + 1, plan.repeat, what),
                           repeat * total + done, plan.repeat * total);
    });
    BB_TRY(LabReport report, run_experiment(setting, once, experiment, part));
    const bool stopped = !report.complete();
    if (all) {
      add_repeat(*all, std::move(report));
    } else {
      all = std::move(report);
    }
    if (stopped) break;
  }
  all->planned = plan.groups.size() * plan.repeat;
  all->repeat = plan.repeat;
  all->redrawn = true;
  return std::move(*all);
}

Spread spread_of(const RunGroup& group, const Figure& figure) {
  std::vector<double> values;
  for (const RunResult& run : group.repeats) values.push_back(figure(run));
  return spread_of(values);
}

Spread paired_difference(const RunGroup& a, const RunGroup& b, const Figure& figure) {
  std::vector<double> differences;
  for (const RunResult& run : a.repeats) {
    for (const RunResult& other : b.repeats) {
      if (run.random_seed == other.random_seed) differences.push_back(figure(run) - figure(other));
    }
  }
  return spread_of(differences);
}

}  // namespace bowerbird
