// RankMass: importance that starts at the seeds and flows along known links, from crawled pages to others.
//
// A node holds the mass that has arrived and was not passed on. pass() takes the mass from a crawled node,
// adds it to total(), and distributes d times the mass over the links; a link of a node to itself returns its
// share. The mass of a node without links is lost, so total() never exceeds the
// personalised PageRank of the crawled pages. J. Cho and U. Schonfeld, RankMass crawler, 2007 (reference 12
// of [003]).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "graph/growing.h"
#include "policy/mass.h"
#include "policy/policy.h"

namespace bowerbird {

class MassFlow {
 public:
  using Node = GrowingGraph::Node;

  void seed(PageId page, double share);
  // The page is now crawled; nothing flows yet.
  void append(PageId page, std::span<const PageId> links);

  // A crawled node passes on what it holds. Calls got(node) for each receiver.
  template <typename Got>
  void pass(Node node, Got&& got) {
    const double held = held_[node];
    if (held == mass::kZero) return;
    held_[node] = mass::kZero;
    total_ += mass::to_value(held);
    const std::span<const Node> links = graph_.row(graph_.row_of(node));
    if (links.empty()) return;
    const double share = mass::times(held, kDamping / static_cast<double>(links.size()));
    for (const Node to : links) {
      held_[to] = mass::plus(held_[to], share);
      got(to);
    }
  }
  // Every crawled node passes on once what it holds, in the order of the crawl.
  void pass_all();

  double held(Node node) const { return held_[node]; }
  double held_by(PageId page) const {
    const Node node = graph_.node(page);
    return node < held_.size() ? held_[node] : mass::kZero;
  }
  double total() const { return total_; }
  const GrowingGraph& graph() const { return graph_; }

  std::uint64_t bytes() const { return graph_.bytes() + held_.capacity() * sizeof(double); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  GrowingGraph graph_;
  std::vector<double> held_;  // mass, by node
  double total_ = 0;
};

}  // namespace bowerbird
