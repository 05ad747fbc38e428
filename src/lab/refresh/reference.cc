#include "lab/refresh/reference.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "lab/refresh/stream.h"

namespace bowerbird {
namespace {

constexpr std::size_t kPages = 1000;

// The runs of the set, in the order of its table.
std::vector<ReferenceRun> planned(const ReferenceOptions& options, const RefreshWorld& world) {
  std::vector<ReferenceRun> runs;
  for (const bool known : {true, false}) {
    for (const RefreshRule& rule : refresh_rules()) {
      if (rule.name == "none") continue;
      if (!known && !rule.name.starts_with("index")) continue;
      for (const double budget : options.budgets) {
        ReferenceRun& run = runs.emplace_back();
        run.policy = rule.name;
        run.budget = budget;
        run.known_rates = known;
        run.exact = exact_refresh(rule.name, world.importance, world.rates, budget);
      }
    }
  }
  return runs;
}

RefreshRun simulated(const ReferenceRun& run, std::uint64_t seed) {
  RefreshRun simulation;
  simulation.policy = run.policy;
  simulation.known_rates = run.known_rates;
  simulation.host_rates = false;
  simulation.per_day = run.budget;
  simulation.seed = seed;
  simulation.one_stream = true;
  simulation.shortest = simulation.longest = 0ms;
  return simulation;
}

}  // namespace

RefreshWorld reference_world() {
  RefreshWorld world;
  double sum = 0;
  SplitMix stream(7);
  for (std::size_t i = 0; i < kPages; ++i) {
    sum += world.importance.emplace_back(std::pow(static_cast<double>(i + 1), -0.8));
    world.rates.push_back(std::exp(std::log(0.05) + 1.5 * stream.normal()));
  }
  for (double& importance : world.importance) importance /= sum;
  return world;
}

Result<std::vector<ReferenceRun>> run_reference(const ReferenceOptions& options, const Progress& progress) {
  const RefreshWorld world = reference_world();
  std::vector<ReferenceRun> runs = planned(options, world);
  const std::size_t tasks = runs.size() * options.repeats;
  std::vector<RefreshResult> results(tasks);
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  const auto work = [&](bool reports) {
    for (std::size_t task = next++; task < tasks && !stop; task = next++) {
      // The longest first, so that all threads end at about the same time.
      const std::size_t number = tasks - 1 - task;
      const ReferenceRun& run = runs[number / options.repeats];
      auto result =
          simulate_refresh(world, simulated(run, options.first_seed + number % options.repeats), stop);
      results[number] = std::move(result).value();  // the policies exist, and no file is read
      ++done;
      if (reports && !progress.tick("simulating", done, tasks)) stop = true;
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < options.threads; ++i) helpers.emplace_back(work, false);
  work(true);
  for (std::thread& helper : helpers) helper.join();
  if (stop) return error("stopped");
  for (std::size_t i = 0; i < tasks; ++i) {
    ReferenceRun& run = runs[i / options.repeats];
    run.means.add(results[i].means, 1.0 / options.repeats);
    run.changed += results[i].changed / options.repeats;
  }
  return runs;
}

std::string reference_json(const std::vector<ReferenceRun>& runs) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const ReferenceRun& run : runs) {
    const bool exact = run.exact && run.known_rates;
    list.push_back({{"policy", run.policy},
                    {"budget", std::llround(run.budget)},
                    {"rates", run.known_rates ? "known" : "learned"},
                    {"exact", exact ? Json(run.exact->freshness) : Json()},
                    {"exact_age", exact && run.policy != "index" ? Json(run.exact->age) : Json()},
                    {"freshness", run.means.freshness},
                    {"age", run.means.age},
                    {"changed", run.changed},
                    {"never", run.policy == "index" ? Json(run.exact->never) : Json()}});
  }
  return Json{{"runs", std::move(list)}}.dump();
}

std::string reference_table(const std::vector<ReferenceRun>& runs) {
  std::string text =
      fmt::format("{:<14} {:>6} {:<8} {:>15} {:>10} {:>9} {:>9} {:>14} {:>8}\n", "policy", "R", "rates",
                  "exact freshness", "exact age", "freshness", "age", "found a change", "given up");
  for (const ReferenceRun& run : runs) {
    const bool exact = run.exact && run.known_rates;
    text += fmt::format(
        "{:<14} {:>6} {:<8} {:>15} {:>10} {:>9.4f} {:>9.4f} {:>14.4f} {:>8}\n", run.policy, run.budget,
        run.known_rates ? "known" : "learned", exact ? fmt::format("{:.4f}", run.exact->freshness) : "-",
        exact && run.policy != "index" ? fmt::format("{:.4f}", run.exact->age) : "-", run.means.freshness,
        run.means.age, run.changed, run.policy == "index" ? fmt::format("{}", run.exact->never) : "-");
  }
  return text;
}

}  // namespace bowerbird
