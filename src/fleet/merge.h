// Merges the crawl folders of a fleet into one.
//
// Every URL has one id, every page one record. If two processes fetched the same page (in cross-over mode, or
// after a takeover), the first in order counts. Archive records are rewritten, so that equal payloads of
// different processes are stored once. The state is that of a single process that did all the work: the
// folder can be inspected, replayed in the lab, and resumed. Memory: the state of the whole crawl.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

struct MergeCounts {
  std::uint64_t folders = 0;
  std::uint64_t urls = 0;
  std::uint64_t pages = 0;    // done
  std::uint64_t stored = 0;   // responses
  std::uint64_t repeats = 0;  // pages that are in an earlier folder too
};

// `out` must not contain a crawl.
Result<MergeCounts> merge_crawls(const std::vector<std::string>& folders, const std::string& out,
                                 const Progress& progress);

}  // namespace bowerbird
