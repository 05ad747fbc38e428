// Which crawls an experiment makes: orderings x strategies x teams x repeats, and the baselines.
//
// `all` means the orderings that the registry lists for it, except those that need something the web does not
// have; one that is named and cannot run is an error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/parallel/team.h"
#include "lab/setting.h"

namespace bowerbird {

struct PlanOptions {
  std::vector<std::string> policies = {"all"};
  std::vector<std::string> strategies = {"all"};
  std::vector<TeamOptions> teams = {TeamOptions()};
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  std::uint64_t memory = 0;  // limit for frontier and ordering of each run; 0: none
  bool baselines = true;     // also random, omniscient and ideal, if something is judged
};

struct PlannedGroup {
  std::string policy;
  std::string strategy;
  bool baseline = false;  // shown for comparison, never called the best
  TeamOptions team = {};
};

struct Plan {
  std::vector<PlannedGroup> groups;  // each repeated
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  std::uint64_t memory = 0;
  bool ideal = false;
  std::vector<std::string> notes;  // what was left out, and why
};

// Checks every spec before any graph is opened; all errors are reported at once.
Status check_specs(const PlanOptions& options);

// Fails on a bad spec, and on one that this web does not support; all errors are reported at once.
Result<Plan> make_plan(const PlanOptions& options, const Setting& setting);

}  // namespace bowerbird
