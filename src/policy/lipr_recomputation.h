// The recomputation of `lipr`: imputed PageRank over the known graph, then the levels of hosts, directories,
// cousins and siblings.
//
// Imputed PageRank: an uncrawled page is assumed to link like the average crawled page of its host, so its
// rank flows on through the links of those pages (of all crawled pages, if none of its host is crawled). It
// runs a few iterations from the previous ranks, each one pass over the links. Each half of the log has its
// own sums, which are added afterwards, so that two threads can share the work and the result does not depend
// on the number of threads.
//
// Memory: 8 bytes per node, also kept between recomputations, since allocating it again costs more than the
// work itself.
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
  bool impute = true;  // false: uncrawled pages are dangling, as in batch PageRank
  bool levels = true;  // false: all levels stay 0
  unsigned threads = 1;
};

// Rank that pages of other processes pass on to a page, as a multiple of the mean rank.
struct Inflow {
  Node node;
  float rank;
};

class Recomputation {
 public:
  explicit Recomputation(const RecomputationOptions& options) : options_(options) {}

  // Computes ranks and levels of all known pages. Returns the rank of a page without links to it. source:
  // reads rows again that the log cannot read.
  double run(unsigned iterations, Known& known, LinkLog& log, std::span<const Inflow> inflow,
             const LinkLog::Source& source);

  // After a restart: ranks have been computed before.
  void go_on() { first_ = false; }

  std::uint64_t bytes() const;

 private:
  static constexpr unsigned kHalves = 2;

  void start(Known& known, const LinkLog& log);
  void sum_hosts(const Known& known);
  void pass(const Known& known, LinkLog& log);
  double receive(Known& known, std::span<const Inflow> inflow);
  void set_levels(Known& known);
  void set_host_levels(Known& known);
  void set_group_levels(Known& known);
  void sum_children(const Known& known);
  static void set_cousins(Known& known, const LazyArray<float>& children);

  template <typename Body>
  void halves(std::uint64_t n, Body&& body);

  RecomputationOptions options_;
  unsigned working_ = 1;  // threads of this recomputation
  bool first_ = true;
  std::array<LazyArray<float>, kHalves> received_;    // by node
  std::array<std::vector<double>, kHalves> of_host_;  // by host; the first: what each crawled page adds
  std::array<double, kHalves> dangling_{};
};

}  // namespace bowerbird::lipr
