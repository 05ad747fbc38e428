// The factories of all orderings, one per source file of the same name. Only the registry calls them.
#pragma once

#include <memory>
#include <utility>

#include "base/result.h"
#include "policy/policy.h"
#include "policy/registry.h"

namespace bowerbird {

using MadePolicy = Result<std::unique_ptr<Policy>>;

template <typename Ordering, typename... Args>
MadePolicy made(Args&&... args) {
  return std::unique_ptr<Policy>(std::make_unique<Ordering>(std::forward<Args>(args)...));
}

MadePolicy make_bfs(const Spec& spec, const PolicyContext& context);
MadePolicy make_dfs(const Spec& spec, const PolicyContext& context);
MadePolicy make_random(const Spec& spec, const PolicyContext& context);
MadePolicy make_backlink(const Spec& spec, const PolicyContext& context);
MadePolicy make_location(const Spec& spec, const PolicyContext& context);
MadePolicy make_batch_pagerank(const Spec& spec, const PolicyContext& context);
MadePolicy make_partial_pagerank(const Spec& spec, const PolicyContext& context);
MadePolicy make_opic(const Spec& spec, const PolicyContext& context);
MadePolicy make_fica(const Spec& spec, const PolicyContext& context);
MadePolicy make_ieca(const Spec& spec, const PolicyContext& context);
MadePolicy make_rankmass(const Spec& spec, const PolicyContext& context);
MadePolicy make_windowed_rankmass(const Spec& spec, const PolicyContext& context);
MadePolicy make_fpr(const Spec& spec, const PolicyContext& context);
MadePolicy make_lipr(const Spec& spec, const PolicyContext& context);
MadePolicy make_similar(const Spec& spec, const PolicyContext& context);
MadePolicy make_combined(const Spec& spec, const PolicyContext& context);
MadePolicy make_omniscient(const Spec& spec, const PolicyContext& context);

// The specs of the orderings that a spec of `similar` or `combined` contains (PolicyInfo::parts).
std::vector<std::string> parts_of_similar(const Spec& spec);
std::vector<std::string> parts_of_combined(const Spec& spec);

}  // namespace bowerbird
