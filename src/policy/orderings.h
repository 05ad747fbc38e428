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
MadePolicy make_opic(const Spec& spec, const PolicyContext& context);
MadePolicy make_fpr(const Spec& spec, const PolicyContext& context);

}  // namespace bowerbird
