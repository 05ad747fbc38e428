// The one table of orderings: command line, help, conformance tests, bench and docs/policies.md all come from
// it.
//
// Adding one: a file in policy/ with a factory (declared in orderings.h), a row in registry.cc, a row of
// expected order in frontier/conformance_test.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "policy/spec.h"

namespace bowerbird {

// The host of a page, whatever the page; and its group, the pages of a host that belong together: those of
// one directory of its URLs. Dense numbers, asked once per page when it is discovered.
using HostOf = std::function<HostId(PageId)>;
using GroupOf = std::function<std::uint32_t(PageId)>;

// What an ordering may ask for at its birth.
struct PolicyContext {
  std::uint64_t expected_pages = 0;         // page budget; lab: reachable pages; 0 = the known pages so far
  std::uint64_t seed = 1;                   // of everything random
  std::span<const double> importance = {};  // the truth, for `omniscient` alone; outlives the policy
  unsigned threads = 1;                     // for recomputations; must not change any score
  HostOf hosts = {};                        // empty: all pages are one host
  GroupOf groups = {};                      // empty: not known
};

enum class Need : unsigned { kNothing = 0, kHosts = 1, kUrls = 2, kTruth = 4, kTopic = 8 };
constexpr Need operator|(Need a, Need b) {
  return static_cast<Need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Need set, Need one) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

// What an ordering keeps in memory itself, at most: bytes per known page, and per link of crawled pages.
struct PolicyMemory {
  double page = 0;
  double link = 0;
};

struct PolicyInfo {
  std::string_view name;
  std::string_view parameters;           // "@M: weight of links between hosts, default 1", or empty
  std::string_view summary;              // one line
  std::string_view paper;                // "[000]"
  std::vector<std::string_view> in_all;  // the specs of this ordering that `--policies all` runs
  std::string_view example;              // a spec that shows the parameters
  Need needs = Need::kNothing;           // what it cannot do without, whatever its parameters
  PolicyMemory memory = {};              // without that of its parts
  Result<std::unique_ptr<Policy>> (*make)(const Spec& spec, const PolicyContext& context) = nullptr;
  Result<Need> (*further_needs)(const Spec& spec) = nullptr;      // by its parameters (fpr@100: hosts)
  std::vector<std::string> (*parts)(const Spec& spec) = nullptr;  // the orderings that it is made of
};

// In the order of `--policies all`.
std::span<const PolicyInfo> all_policies();
// The row of a name, or an error with the names that come close.
Result<const PolicyInfo*> find_policy(std::string_view name);
Result<std::unique_ptr<Policy>> make_policy(std::string_view spec, const PolicyContext& context);
// What the graph must have for this very spec.
Result<Need> needs_of(std::string_view spec);
// What this very spec keeps, its parts included.
Result<PolicyMemory> memory_of(std::string_view spec);

}  // namespace bowerbird
