// The table of orderings, used by the command line, help, conformance tests, bench and docs/policies.md.
//
// To add one: a file in policy/ with a factory (declared in orderings.h), a row in registry.cc, and the
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
#include "base/spill_store.h"
#include "policy/policy.h"
#include "policy/spec.h"

namespace bowerbird {

// The host of a page; and its group: the pages of a host in one directory. Dense numbers, asked once per page
// when it is discovered.
using HostOf = std::function<HostId(PageId)>;
using GroupOf = std::function<std::uint32_t(PageId)>;

// Reads a row of the crawl again, as it was passed to crawled(): the page, then its links. Rows count crawled
// pages, from 0.
using CrawledRows = std::function<Status(std::uint64_t row, std::vector<PageId>& pages)>;

// What an ordering may use when it is created.
struct PolicyContext {
  std::uint64_t expected_pages = 0;         // page budget; lab: reachable pages; 0 = the known pages so far
  std::uint64_t seed = 1;                   // of all random numbers
  std::span<const double> importance = {};  // true values, only for `omniscient`; outlives the policy
  unsigned threads = 1;                     // for recomputations; must not change any score
  HostOf hosts = {};                        // empty: all pages are one host
  GroupOf groups = {};                      // empty: not known
  // Where the part of the growing graph goes that is not in memory; outlives the policy. Null: all is in
  // memory.
  SpillStore* spill = nullptr;
  std::uint64_t graph_bytes = ~std::uint64_t{0};  // memory limit of the growing graph
  CrawledRows rows = {};                          // empty: lost rows cannot be recovered
};

enum class Need : unsigned { kNothing = 0, kHosts = 1, kUrls = 2, kTruth = 4, kTopic = 8 };
constexpr Need operator|(Need a, Need b) {
  return static_cast<Need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Need set, Need one) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

// The maximum memory of an ordering, in bytes.
struct PolicyMemory {
  double page = 0;     // per known page
  double link = 0;     // per link of crawled pages
  double graph = 0;    // the same, for what may be on disk
  double sample = 0;   // per known page, for training samples,
  double samples = 0;  // up to this total

  // In memory, for this many known pages and links, if the growing graph may use `graph_bytes` of memory.
  std::uint64_t bytes(double pages, double links, double graph_bytes) const;
  void add(const PolicyMemory& other);
};

using PolicyMaker =
    std::function<Result<std::unique_ptr<Policy>>(const Spec& spec, const PolicyContext& context)>;

struct PolicyInfo {
  std::string_view name;
  std::string_view parameters;           // "@M: weight of links between hosts, default 1", or empty
  std::string_view summary;              // one line
  std::string_view paper;                // "[000]"
  std::vector<std::string_view> in_all;  // the specs of this ordering that `--policies all` runs
  std::string_view example;              // a spec that shows the parameters
  Need needs = Need::kNothing;           // what it requires, whatever its parameters
  PolicyMemory memory = {};              // without that of its parts
  PolicyMaker make = {};
  Result<Need> (*further_needs)(const Spec& spec) = nullptr;      // by its parameters (fpr@100: hosts)
  std::vector<std::string> (*parts)(const Spec& spec) = nullptr;  // the orderings that it combines
};

// In the order of `--policies all`.
std::span<const PolicyInfo> all_policies();
// An ordering that is not built in: of a plug-in, or of a program that uses the library.
struct AddedPolicy {
  std::string name;
  std::string summary;
  PolicyMaker make;
};
// Adds a row, or replaces one that was added before; orderings that were made stay as they are. An error: the
// name is that of a built-in ordering, or no name. Threads: any.
Status add_policy(AddedPolicy added);
std::vector<const PolicyInfo*> added_policies();

// The row of a name, or an error with similar names. Valid until the program ends.
Result<const PolicyInfo*> find_policy(std::string_view name);
Result<std::unique_ptr<Policy>> make_policy(std::string_view spec, const PolicyContext& context);
// What the graph must have for this spec.
Result<Need> needs_of(std::string_view spec);
// The memory of this spec, including its parts.
Result<PolicyMemory> memory_of(std::string_view spec);

}  // namespace bowerbird
