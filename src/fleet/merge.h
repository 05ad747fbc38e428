// One crawl folder of all that the processes of a fleet have crawled.
//
// Every URL has one id, every page one record: where two processes fetched the same page (cross-over, or a
// process that was taken over), the first in order counts. Archive records are written anew, so that equal
// payloads of different processes are stored once. The state is that of one process that had done it all:
// the folder can be looked at, replayed in the lab, and crawled on. Memory: the state of the whole crawl.
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
  std::uint64_t stored = 0;   // answers
  std::uint64_t repeats = 0;  // pages that another folder had too
};

// `out` must not hold a crawl.
Result<MergeCounts> merge_crawls(const std::vector<std::string>& folders, const std::string& out,
                                 const Progress& progress);

}  // namespace bowerbird
