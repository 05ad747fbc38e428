#include "lab/plan.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "lab/memory_need.h"
#include "policy/registry.h"

namespace bowerbird {
namespace {

bool is_baseline(std::string_view policy) {
  return policy == "random" || policy == "omniscient";
}

// What the web lacks of what is needed; empty if nothing.
std::string lacking(Need need, const Setting& setting) {
  if (has(need, Need::kUrls) && !setting.web.names) return "the pages' URLs are not known";
  if (has(need, Need::kHosts) && !setting.web.hosts) return "hosts are not known (--hosts FILE gives them)";
  if (has(need, Need::kTruth) && !setting.judged()) return "no importance is chosen";
  if (has(need, Need::kTopic) && !setting.web.topic) return "no topic is given (--topic WORDS)";
  return {};
}

Status check_policy(const std::string& spec) {
  static constexpr double kAnyTruth = 1;
  PolicyContext context;
  context.importance = std::span(&kAnyTruth, 1);
  BB_TRY_VOID(needs_of(spec));
  BB_TRY_VOID(make_policy(spec, context));
  return {};
}

Status check_strategy(const std::string& strategy) {
  FrontierOptions options;
  options.strategy = strategy;
  options.expected_pages = 1'000'000;
  BB_TRY(auto policy, make_policy("bfs", {}));
  BB_TRY_VOID(Frontier::make(options, std::move(policy), [](PageId) { return PageHints(); }));
  return {};
}

class Planner {
 public:
  Planner(const PlanOptions& options, const Setting& setting) : options_(options), setting_(setting) {}

  Result<Plan> make() {
    for (const std::string& spec : options_.policies) {
      if (spec == "all") {
        add_all();
      } else {
        add_named(spec);
      }
    }
    for (const std::string& strategy : options_.strategies) add_strategy(strategy);
    for (const TeamOptions& team : options_.teams) add_team(team);
    if (policies_.empty()) {
      complaints_.insert(complaints_.end(), plan_.notes.begin(), plan_.notes.end());
      complaints_.emplace_back("no ordering is left to run");
    }
    if (!complaints_.empty()) return Error{fmt::format("{}", fmt::join(complaints_, "\n"))};
    cross();
    return std::move(plan_);
  }

 private:
  void add(std::string_view spec) {
    if (std::find(policies_.begin(), policies_.end(), spec) == policies_.end()) policies_.emplace_back(spec);
  }

  void add_all() {
    for (const PolicyInfo& info : all_policies()) {
      for (const std::string_view spec : info.in_all) {
        if (!options_.baselines && is_baseline(spec)) continue;
        const auto need = needs_of(spec);
        std::string lack = need.ok() ? lacking(*need, setting_) : need.error().text;
        if (lack.empty()) lack = too_large(spec);
        if (lack.empty()) {
          add(spec);
        } else {
          plan_.notes.push_back(fmt::format("{} is omitted: {}", spec, lack));
        }
      }
    }
  }

  void add_named(const std::string& spec) {
    if (const Status good = check_policy(spec); !good.ok()) {
      complaints_.push_back(good.error().text);
    } else if (const std::string lack = lacking(needs_of(spec).value(), setting_); !lack.empty()) {
      complaints_.push_back(fmt::format("{} cannot run on {}: {}", spec, setting_.name, lack));
    } else if (const std::string large = too_large(spec); !large.empty()) {
      complaints_.push_back(large);
    } else {
      add(spec);
    }
  }

  // Why it does not fit into the memory limit; empty if it does.
  std::string too_large(std::string_view spec) const {
    if (options_.memory == 0) return {};
    const Status good = check_budget(setting_, spec, options_.memory);
    return good.ok() ? std::string() : good.error().text;
  }

  void add_strategy(const std::string& strategy) {
    if (const Status good = check_strategy(strategy); !good.ok()) {
      complaints_.push_back(good.error().text);
    } else if (strategy.starts_with("shallow") && !setting_.web.names) {
      complaints_.push_back(
          fmt::format("{} needs the depth of URLs, which are not known for {}", strategy, setting_.name));
    }
  }

  void add_team(const TeamOptions& team) {
    if (const Status good = check_team(team); !good.ok()) complaints_.push_back(good.error().text);
    if (team.procs > 0 && options_.memory > 0) {
      complaints_.emplace_back("--memory does not work with --procs");
    }
  }

  void cross() {
    plan_.repeat = std::max(1u, options_.repeat);
    plan_.random_seed = options_.random_seed;
    plan_.memory = options_.memory;
    if (setting_.facts.pages == 0) {
      plan_.notes = {"nothing was run: the graph has no pages"};
      return;
    }
    for (const TeamOptions& team : options_.teams) {
      for (const std::string& strategy : options_.strategies) {
        for (const std::string& policy : policies_) {
          plan_.groups.push_back({policy, strategy, is_baseline(policy), team});
        }
      }
    }
    if (!options_.baselines || !setting_.judged()) return;
    plan_.ideal = true;
    for (const char* policy : {"random", "omniscient"}) {
      const bool there =
          std::any_of(plan_.groups.begin(), plan_.groups.end(), [&](const PlannedGroup& group) {
            return group.policy == policy && group.strategy == "all" && group.team.procs <= 1;
          });
      if (!there) plan_.groups.push_back({policy, "all", true});
    }
  }

  const PlanOptions& options_;
  const Setting& setting_;
  std::vector<std::string> policies_;
  std::vector<std::string> complaints_;
  Plan plan_;
};

}  // namespace

Status check_specs(const PlanOptions& options) {
  std::vector<std::string> complaints;
  const auto note = [&](const Status& status) {
    if (!status.ok()) complaints.push_back(status.error().text);
  };
  for (const std::string& policy : options.policies) {
    if (policy != "all") note(check_policy(policy));
  }
  for (const std::string& strategy : options.strategies) note(check_strategy(strategy));
  for (const TeamOptions& team : options.teams) note(check_team(team));
  if (complaints.empty()) return {};
  return Error{fmt::format("{}", fmt::join(complaints, "\n"))};
}

Result<Plan> make_plan(const PlanOptions& options, const Setting& setting) {
  return Planner(options, setting).make();
}

}  // namespace bowerbird
