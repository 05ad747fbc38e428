// The recomputation of `lipr`: imputed PageRank over what is known, then the levels of hosts, directories,
// cousins and siblings.
//
// Imputed PageRank: a page that is not crawled is taken to link as the average crawled page of its host does,
// so its rank flows on through the links of those pages (of all crawled pages, where none of its host is).
// A few iterations from the last ranks, each one pass over the links: two halves of the log, each with sums
// of its own that are added up afterwards, so that two threads share the work and the result does not depend
// on how many there were.
//
// Memory: 16 bytes a node between recomputations too, since taking it anew costs more than the work in it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lazy_array.h"
#include "graph/link_log.h"
#include "policy/lipr_known.h"

namespace bowerbird::lipr {

struct RecomputationOptions {
  bool impute = true;  // false: pages that are not crawled are dangling, as in batch PageRank
  bool levels = true;  // false: all levels stay 0
  unsigned threads = 1;
};

// Rank that other processes' pages pass on to a page, as a multiple of the mean rank.
struct Inflow {
  Node node;
  float rank;
};

class Recomputation {
 public:
  explicit Recomputation(const RecomputationOptions& options) : options_(options) {}

  // Computes ranks and levels of all that is known. Answers the rank of a page without any link to it.
  // mend: what of the log cannot be read, once more.
  double run(unsigned iterations, Known& known, LinkLog& log, std::span<const Inflow> inflow,
             const LinkLog::Source& mend);

  // After a restart: ranks have been computed before.
  void go_on() { first_ = false; }

  std::uint64_t bytes() const;

 private:
  static constexpr unsigned kHalves = 2;

  void start(Known& known, const LinkLog& log);
  void gather_hosts(const Known& known);
  void pass(const Known& known, LinkLog& log);
  double receive(Known& known, std::span<const Inflow> inflow);
  void set_levels(Known& known);
  void set_host_levels(Known& known);
  void set_group_levels(Known& known);

  template <typename Body>
  void halves(std::uint64_t n, Body&& body);

  RecomputationOptions options_;
  unsigned working_ = 1;  // threads of this recomputation
  bool first_ = true;
  std::array<LazyArray<double>, kHalves> received_;   // by node
  std::array<std::vector<double>, kHalves> of_host_;  // by host; the first: what each crawled page adds
  std::array<double, kHalves> dangling_{};
};

}  // namespace bowerbird::lipr
