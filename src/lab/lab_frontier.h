// The frontier and the ordering of a run in the lab: those of the live crawler, with a web's names and hosts.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "frontier/frontier.h"
#include "lab/run.h"
#include "lab/setting.h"

namespace bowerbird {

// Memory for queued pages and an ordering's growing graph, and where the rest goes; null: no limit.
struct MemoryLimits {
  std::uint64_t queue = 0;
  std::uint64_t graph = 0;
  SpillStore* spill = nullptr;
};

// expected_pages: how many pages this frontier may crawl; fewer than the setting's if several share the web.
// The setting outlives it. Fails on a bad spec.
Result<std::unique_ptr<Frontier>> make_frontier(const Setting& setting, const RunRequest& request,
                                                std::uint64_t expected_pages,
                                                const MemoryLimits& limits = {});

}  // namespace bowerbird
