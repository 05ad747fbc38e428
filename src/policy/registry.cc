#include "policy/registry.h"

#include "base/suggest.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

// Links between hosts weigh the same as others where M = 1, so hosts are not needed then.
Result<Need> hosts_if_weighted(const Spec& spec) {
  return spec.at && *spec.at != "1" ? Need::kHosts : Need::kNothing;
}

const std::vector<PolicyInfo>& table() {
  static const std::vector<PolicyInfo> kTable = {
      {.name = "random",
       .parameters = "seed=N: of the draws, default the run's seed",
       .summary = "a random discovered page",
       .paper = "",
       .in_all = {"random"},
       .make = make_random},
      {.name = "bfs",
       .parameters = "",
       .summary = "breadth first: the page discovered first",
       .paper = "",
       .in_all = {"bfs"},
       .make = make_bfs},
      {.name = "dfs",
       .parameters = "",
       .summary = "depth first: the page discovered last",
       .paper = "",
       .in_all = {"dfs"},
       .make = make_dfs},
      {.name = "backlink",
       .parameters = "",
       .summary = "most links from crawled pages",
       .paper = "[004]",
       .in_all = {"backlink"},
       .make = make_backlink},
      {.name = "opic",
       .parameters = "",
       .summary =
           "most cash: each page gets 1 when discovered and shares its cash over its links when crawled",
       .paper = "[003]",
       .in_all = {"opic"},
       .make = make_opic},
      {.name = "fpr",
       .parameters = "@M: weight of links between hosts, default 1",
       .summary = "fractional PageRank: importance flows from the seeds to uncrawled pages, never back",
       .paper = "[000]",
       .in_all = {"fpr", "fpr@2", "fpr@20", "fpr@100"},
       .make = make_fpr,
       .further_needs = hosts_if_weighted},
  };
  return kTable;
}

}  // namespace

std::span<const PolicyInfo> all_policies() {
  return table();
}

Result<const PolicyInfo*> find_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const PolicyInfo& info : table()) {
    if (info.name == name) return &info;
    names.emplace_back(info.name);
  }
  std::string known;
  for (const std::string& one : names) known.append(known.empty() ? "" : ", ").append(one);
  const std::string meant = did_you_mean(name, names);
  return error("there is no ordering '{}'{}", name, meant.empty() ? "; there are " + known : meant);
}

Result<std::unique_ptr<Policy>> make_policy(std::string_view text, const PolicyContext& context) {
  BB_TRY(const Spec spec, Spec::parse(text));
  BB_TRY(const PolicyInfo* const info, find_policy(spec.name));
  return info->make(spec, context);
}

Result<Need> needs_of(std::string_view text) {
  BB_TRY(const Spec spec, Spec::parse(text));
  BB_TRY(const PolicyInfo* const info, find_policy(spec.name));
  if (info->further_needs == nullptr) return info->needs;
  BB_TRY(const Need further, info->further_needs(spec));
  return info->needs | further;
}

}  // namespace bowerbird
