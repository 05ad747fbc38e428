// What a process that is no more leaves to its fleet, read from its folder.
//
// Problem: the pages, scores and marks of its partitions must reach others as they stood at its last commit,
// once. The folder is only read: the process may merely be asleep. Its state is restored in memory, made to
// give away all it holds, and what its outbox then contains (messages under its own name and numbers) is sent
// by whoever absorbs it. Cost: reading the folder's journal since the last snapshot, the memory of that
// state for the time being, and about a score of bytes on the bus for every URL it knew.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "fleet/exchange/exchange.h"

namespace bowerbird {

struct ReadOrphan {
  Orphan orphan;
  std::set<std::string> absorbed;  // processes whose orphan it had taken over
  Epochs given;                    // what it held, as it goes to others
  CrawlCounts counts;
};

Result<ReadOrphan> read_orphan(const std::string& folder, const std::string& member);

// Whether the folder is there and holds the crawl of that member.
bool can_read_orphan(const std::string& folder, const std::string& member);

}  // namespace bowerbird
