// A crawl shared by several crawling processes (C-procs), as simulated by the lab [001].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "url/partition.h"

namespace bowerbird {

enum class Coordination {
  kStatic,       // every process knows all owners
  kDynamic,      // a coordinator gives a site to the process with the least work when it is first seen
  kIndependent,  // no communication: each process has its own seeds and crawls whatever it finds
};
struct TeamOptions {
  unsigned procs = 0;  // 0: a plain crawl, not as a team
  Coordination coordination = Coordination::kStatic;
  Partitioning partitioning = Partitioning::kSiteHash;
  Mode mode = Mode::kExchange;
  // For hierarchical: "de,fr,it=0;com=1" gives the owners of top-level domains; all others go by hash.
  std::string rules;
  std::uint32_t batch = 100;    // links are sent after this many pages
  std::uint64_t replicate = 0;  // this many of the most popular URLs are known to all and never sent
  bool learn = false;           // most popular among the links each process has seen, not in the whole graph
  bool scores = true;           // links are sent with their score

  bool operator==(const TeamOptions&) const = default;
};

// The result of a shared crawl. The RunResult has the rest, and counts every page once.
struct TeamFigures {
  std::uint64_t downloads = 0;        // N: pages fetched, including repeats
  std::uint64_t distinct = 0;         // I
  std::uint64_t exchanged = 0;        // URLs sent, each once per batch
  std::uint64_t exchanged_bytes = 0;  // approximate: URL texts and their data, uncompressed
  std::uint64_t messages = 0;         // batches sent, to one process each
  std::vector<std::uint64_t> pages;   // by process

  double overlap() const;             // (N - I) / I
  double exchanged_per_page() const;  // communication overhead
  double bytes_per_page() const;
  double balance() const;  // pages of the busiest process over the mean
};

std::string_view name_of(Coordination coordination);

// Every number of processes with every mode and partition, in the given order; without a number, the plain
// crawl. A single process communicates with nobody and is listed once.
struct TeamLists {
  std::vector<std::string> procs;
  std::vector<std::string> modes = {"exchange"};
  std::vector<std::string> partitions = {"site-hash"};
  TeamOptions common;
};
Result<std::vector<TeamOptions>> all_teams(const TeamLists& lists);

// "4 procs, exchange, site-hash"; empty for a plain crawl.
std::string label_of(const TeamOptions& team);

// An error for options that exclude each other.
Status check_team(const TeamOptions& team);

}  // namespace bowerbird
