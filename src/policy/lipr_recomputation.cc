#include "policy/lipr_recomputation.h"

#include <algorithm>

#include "base/parallel.h"
#include "policy/policy.h"

namespace bowerbird::lipr {

namespace {

// Starting a thread takes longer than traversing a small graph.
constexpr std::uint64_t kWorthAThread = 100'000;

}  // namespace

// body(half, first, last) for both halves of [0, n).
template <typename Body>
void Recomputation::halves(std::uint64_t n, Body&& body) {
  parallel_ranges(n, kHalves, working_, body);
}

double Recomputation::run(unsigned iterations, Known& known, LinkLog& log, std::span<const Inflow> inflow,
                          const LinkLog::Source& source) {
  start(known, log);
  double base = 0;
  for (unsigned i = 0; i < iterations; ++i) {
    do {
      sum_hosts(known);
      pass(known, log);
    } while (log.rebuild_lost(source));
    base = receive(known, inflow);
  }
  if (options_.levels) set_levels(known);
  return base;
}

// Ranks that sum to 1: the previous ones plus what was added since, or all equal at first.
void Recomputation::start(Known& known, const LinkLog& log) {
  const Node n = known.nodes();
  working_ = n + log.links() < kWorthAThread ? 1 : options_.threads;
  for (auto& half : received_) half.grow_to(n);
  for (auto& half : of_host_) half.resize(known.hosts());
  std::array<double, kHalves> sums{};
  halves(n, [&](unsigned half, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) sums[half] += known[static_cast<Node>(i)].rank;
  });
  const double scale = 1 / (sums[0] + sums[1]);
  halves(n, [&](unsigned, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      float& rank = known[static_cast<Node>(i)].rank;
      rank = static_cast<float>(first_ ? 1.0 / n : rank * scale);
    }
  });
  first_ = false;
}

// What each crawled page of a host passes on for the uncrawled ones.
void Recomputation::sum_hosts(const Known& known) {
  halves(known.nodes(), [&](unsigned half, std::uint64_t first, std::uint64_t last) {
    std::vector<double>& open = of_host_[half];
    std::fill(open.begin(), open.end(), 0);
    for (std::uint64_t i = first; i < last; ++i) {
      const KnownPage& page = known[static_cast<Node>(i)];
      if (!page.crawled()) open[page.host] += page.rank;
    }
  });
  double orphaned = 0, open = 0;
  for (HostId host = 0; host < known.hosts(); ++host) {
    const double mass = of_host_[0][host] + of_host_[1][host];
    open += mass;
    const std::uint32_t crawled = known.host(host).crawled;
    if (crawled == 0) orphaned += mass;
    of_host_[0][host] = crawled == 0 ? 0 : mass / crawled;
  }
  dangling_ = {};
  if (!options_.impute) {
    std::fill(of_host_[0].begin(), of_host_[0].end(), 0);
    dangling_[0] = open;
    return;
  }
  for (double& added : of_host_[0]) added += orphaned / known.crawled();
}

void Recomputation::pass(const Known& known, LinkLog& log) {
  halves(kHalves, [&](unsigned half, std::uint64_t, std::uint64_t) {
    float* const received = received_[half].data();
    std::fill(received, received + known.nodes(), 0);
    double dangling = 0;
    float share = 0;
    log.scan(
        half, kHalves,
        [&](Node node, std::uint32_t links) {
          const KnownPage& page = known[node];
          const double passed = page.rank + of_host_[0][page.host];
          if (links == 0) dangling += passed;
          share = links == 0 ? 0 : static_cast<float>(kDamping * passed / links);
        },
        [&](Node to) { received[to] += share; });
    dangling_[half] += dangling;
  });
}

double Recomputation::receive(Known& known, std::span<const Inflow> inflow) {
  const Node n = known.nodes();
  const double base = (1 - kDamping + kDamping * (dangling_[0] + dangling_[1])) / n;
  halves(n, [&](unsigned, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      known[static_cast<Node>(i)].rank =
          static_cast<float>(double{received_[0][i]} + double{received_[1][i]} + base);
    }
  });
  for (const Inflow& one : inflow) known[one.node].rank += one.rank / static_cast<float>(n);
  known.set_pages_ranked(n);
  return base;
}

void Recomputation::set_host_levels(Known& known) {
  std::vector<double>& sums = of_host_[0];
  std::fill(sums.begin(), sums.end(), 0);
  double all = 0;
  for (Node i = 0; i < known.nodes(); ++i) {
    if (!known[i].crawled()) continue;
    const double level = known.log_rank(known[i]);
    sums[known[i].host] += level;
    all += level;
  }
  const double mean = all / known.crawled();
  for (HostId host = 0; host < known.hosts(); ++host) {
    KnownHost& one = known.host(host);
    one.level = (sums[host] + kHostPull * mean) / (one.crawled + kHostPull);
  }
}

void Recomputation::set_group_levels(Known& known) {
  const std::span<KnownGroup> groups = known.groups();
  if (groups.empty()) return;
  std::vector<double> sums(groups.size());
  for (Node i = 0; i < known.nodes(); ++i) {
    if (known[i].crawled()) sums[known.group_of(i)] += known.log_rank(known[i]);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].host == kNoHost) continue;
    const double wider = known.host(groups[i].host).level;
    groups[i].set_level((sums[i] + kPull * wider) / (groups[i].crawled + kPull));
  }
}

// Calls body(parent, first, last) for each run of siblings: siblings are adjacent.
template <typename Body>
void over_siblings(const Known& known, Body&& body) {
  for (Node first = 0, last = 0; first < known.nodes(); first = last) {
    const Node parent = known[first].parent;
    for (last = first + 1; last < known.nodes() && known[last].parent == parent; ++last) {
    }
    if (parent != kNoNode) body(parent, first, last);
  }
}

// By parent: the sum of the log ranks of its crawled children.
void Recomputation::sum_children(const Known& known) {
  LazyArray<float>& children = received_[0];
  std::fill(children.data(), children.data() + known.nodes(), 0);
  over_siblings(known, [&](Node parent, Node first, Node last) {
    double sum = 0;
    for (Node i = first; i < last; ++i) sum += known[i].crawled() ? known.log_rank(known[i]) : 0;
    children[parent] = static_cast<float>(sum);
  });
}

void Recomputation::set_cousins(Known& known, const LazyArray<float>& children) {
  const auto host_level = [&](Node i) { return known.host(known[i].host).level; };
  for (Node i = 0; i < known.nodes(); ++i) {
    if (known[i].crawled()) known[i].set_cousins(host_level(i));
  }
  over_siblings(known, [&](Node parent, Node first, Node last) {
    double sum = kPull * host_level(parent), number = kPull;
    for (Node i = first; i < last; ++i) {
      if (!known[i].crawled()) continue;
      sum += children[i];
      number += known[i].revealed_crawled;
    }
    known[parent].set_cousins(sum / number);
  });
}

void Recomputation::set_levels(Known& known) {
  set_host_levels(known);
  set_group_levels(known);
  sum_children(known);
  const LazyArray<float>& children = received_[0];
  set_cousins(known, children);
  for (Node i = 0; i < known.nodes(); ++i) {
    KnownPage& page = known[i];
    if (!page.crawled()) continue;
    const double wider = page.is_seed() ? known.host(page.host).level : known[page.parent].cousins();
    page.set_level((children[i] + kPull * wider) / (page.revealed_crawled + kPull));
  }
}

std::uint64_t Recomputation::bytes() const {
  std::uint64_t total = 0;
  for (const auto& half : received_) total += half.size() * sizeof(float);
  for (const auto& half : of_host_) total += half.capacity() * sizeof(double);
  return total;
}

}  // namespace bowerbird::lipr
