// Reads the orphaned state of a lost process from its folder.
//
// Problem: the pages, scores and last sequence numbers of its partitions must reach their new owners as of
// its last commit, exactly once. The folder is only read, because the process may merely be stalled. Its
// state is restored in memory and gives away all its partitions. The process that takes over then sends the
// messages in its outbox, under the name and numbers of the lost process. Cost: reading the journal since the
// last snapshot, the memory of that state, and about twenty bytes on the broker for every URL it knew.
// Threads: any.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "fleet/exchange/exchange.h"

namespace bowerbird {

struct ReadOrphan {
  Orphan orphan;
  std::set<std::string> absorbed;  // processes that it had taken over
  Epochs given;                    // its partitions, with the epochs under which they move
  CrawlCounts counts;
};

// What the fleet knows of a lost process.
struct LostMember {
  std::string name;
  std::string id;  // of its folder
  std::string folder;
  std::uint64_t commit = 0;  // the last one that the fleet knows of
  // Nobody can read its archive: the new owners of its pages fetch them again.
  bool lost_archive = false;
};

// kRetry: a process still uses the folder, so what we read may be half written.
Result<ReadOrphan> read_orphan(const LostMember& lost);

// Whether its folder can be seen from here. False: there is none under this path, or that of another member.
Result<bool> orphan_is_here(const LostMember& lost);

}  // namespace bowerbird
