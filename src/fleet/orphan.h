// What a lost process leaves to its fleet, read from its folder.
//
// Problem: the pages, scores and last sequence numbers of its partitions must reach others as they were at
// its last commit, once. The folder is only read: the process may merely be stalled. Its state is restored in
// memory and gives away all partitions it holds; the messages in its outbox, under its own name and numbers,
// are then sent by the process that takes over. Cost: reading the journal since the last snapshot, the memory
// of that state, and about twenty bytes on the broker for every URL it knew. Threads: any.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "fleet/exchange/exchange.h"

namespace bowerbird {

struct ReadOrphan {
  Orphan orphan;
  std::set<std::string> absorbed;  // processes that it had taken over itself
  Epochs given;                    // what it held, as it goes to others
  CrawlCounts counts;
};

// kRetry: a process still works in the folder, so what we read may have been half written.
Result<ReadOrphan> read_orphan(const std::string& folder, const std::string& member);

// Whether the folder is on this machine. False: there is no crawl of that member in it.
Result<bool> orphan_is_here(const std::string& folder, const std::string& member);

}  // namespace bowerbird
