#include "lab/memory_need.h"

#include "base/units.h"
#include "policy/registry.h"

namespace bowerbird {

namespace {

constexpr double kFrontierPage = 8;

bool can_run(const Setting& setting, std::string_view policy) {
  const auto need = needs_of(policy);
  return need.ok() && !has(*need, Need::kTruth) && (!has(*need, Need::kUrls) || setting.web.names) &&
         (!has(*need, Need::kHosts) || setting.web.hosts);
}

}  // namespace

Result<MemoryNeed> memory_need(const Setting& setting, std::string_view policy, std::uint64_t budget) {
  BB_TRY(const PolicyMemory own, memory_of(policy));
  const auto known = static_cast<double>(setting.facts.reachable.value_or(setting.facts.pages));
  const auto links =
      static_cast<double>(setting.facts.links.value_or(20 * std::uint64_t{setting.facts.pages}));
  MemoryNeed need;
  need.graph = budget / 16;
  // The frontier has entries for all page ids, reached or not.
  need.fixed = static_cast<std::uint64_t>(setting.facts.pages * kFrontierPage) +
               own.bytes(known, links, static_cast<double>(need.graph));
  return need;
}

Status check_budget(const Setting& setting, std::string_view policy, std::uint64_t budget) {
  BB_TRY(const MemoryNeed need, memory_need(setting, policy, budget));
  if (need.fits(budget)) return {};
  std::string other;
  for (const char* candidate : {"lipr", "opic", "fpr@100", "fpr", "bfs"}) {
    if (!can_run(setting, candidate)) continue;
    BB_TRY(const MemoryNeed its, memory_need(setting, candidate, budget));
    if (!its.fits(budget)) continue;
    other = fmt::format("; {} fits", candidate);
    break;
  }
  return error("{} does not fit into {}: it needs {} for {} pages, even with a short queue{}", policy,
               format_bytes(budget), format_bytes(need.fixed + need.kLeastQueue),
               format_count(setting.facts.reachable.value_or(setting.facts.pages)), other);
}

}  // namespace bowerbird
