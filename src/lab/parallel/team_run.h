// One crawl of a web by a team of processes, each with its own frontier and ordering [001].
//
// The processes take turns: one page each per tick, in the order of their numbers. A batch of links reaches
// its receiver at once. A run ends when no process has a page left and nothing is in transit. Threads as in
// run.h.
#pragma once

#include <atomic>

#include "base/result.h"
#include "lab/run.h"
#include "lab/setting.h"

namespace bowerbird {

// For request.team.procs > 0. Every page counts once in the result, when it is first crawled; result.team
// counts all fetches.
Result<RunResult> run_team(const Setting& setting, const RunRequest& request, RunMonitor& monitor,
                           const std::atomic<bool>& stop);

}  // namespace bowerbird
