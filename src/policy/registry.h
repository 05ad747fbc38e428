// The one table of orderings: command line, help, conformance tests, bench and docs/policies.md all come from
// it.
//
// An ordering is named by a spec, `name`, `name@value` or `name:key=value,key=value` (both parts may be
// there: `name@value:key=value`). Adding one: a file in policy/ with a factory, a row in registry.cc, a row
// of expected order in the conformance test.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace bowerbird {

// A spec taken apart; strategies of the frontier use the same form.
struct Spec {
  std::string name;
  std::optional<std::string> at;                             // after '@'
  std::vector<std::pair<std::string, std::string>> options;  // after ':', in order
  std::string text;                                          // as written

  static Result<Spec> parse(std::string_view text);
};

// What an ordering may ask for at its birth.
struct PolicyContext {
  std::uint64_t expected_pages =
      0;                   // page budget; lab: reachable pages; 0 = not known, use the known pages so far
  std::uint64_t seed = 1;  // of everything random
  std::span<const double> importance;  // the truth, for `omniscient` alone; outlives the policy
  unsigned threads = 1;                // for recomputations; must not change any score
};

enum class Need : unsigned { kNothing = 0, kHosts = 1, kUrls = 2, kTruth = 4 };
constexpr Need operator|(Need a, Need b) {
  return static_cast<Need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Need set, Need one) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

struct PolicyInfo {
  std::string_view name;
  std::string_view parameters;           // "@M: weight of links between hosts, default 1", or empty
  std::string_view summary;              // one line
  std::string_view paper;                // "[000]"
  std::vector<std::string_view> in_all;  // the specs of this ordering that `--policies all` runs
  Need needs = Need::kNothing;           // what it cannot do without (fpr@M with M > 1 also wants hosts)
  Result<std::unique_ptr<Policy>> (*make)(const Spec& spec, const PolicyContext& context) = nullptr;
};

std::span<const PolicyInfo> all_policies();
// The row of a name, or an error with the names that come close.
Result<const PolicyInfo*> find_policy(std::string_view name);
Result<std::unique_ptr<Policy>> make_policy(std::string_view spec, const PolicyContext& context);
// What the graph must have for this very spec (fpr@100: hosts).
Result<Need> needs_of(std::string_view spec);

}  // namespace bowerbird
