#include "policy/known_rank.h"

#include <cmath>

#include "base/parallel.h"

namespace bowerbird {

namespace {

constexpr double kTolerance = 1e-6;
constexpr int kMostIterations = 40;
constexpr unsigned kParts = 64;
constexpr std::uint64_t kWorthAThread = 100'000;

// The sum of term(i) over [0, n): by parts, then over the parts in order.
template <typename Term>
double sum(std::uint64_t n, unsigned threads, Term&& term) {
  std::vector<double> partial(kParts, 0);
  parallel_ranges(n, kParts, threads, [&](unsigned part, std::uint64_t first, std::uint64_t last) {
    double s = 0;
    for (std::uint64_t i = first; i < last; ++i) s += term(i);
    partial[part] = s;
  });
  double total = 0;
  for (const double s : partial) total += s;
  return total;
}

}  // namespace

bool KnownRank::crawled(const Visit& visit, std::span<const PageId> links) {
  graph_.append(visit.page, links);
  if (visit.crawled - computed_at_ < pace_.k(visit)) return false;
  compute();
  computed_at_ = visit.crawled;
  return true;
}

void KnownRank::compute() {
  const std::uint32_t n = graph_.nodes();
  rank_.resize(n, 1.0 / n);
  // Starting a thread takes longer than going through a small graph.
  working_ = std::uint64_t{n} + graph_.links() < kWorthAThread ? 1 : threads_;
  const double total = sum(n, working_, [&](std::uint64_t i) { return rank_[i]; });
  for (double& r : rank_) r /= total;
  turn_round();
  passed_.resize(n);
  next_.resize(n);
  for (int i = 0; i < kMostIterations; ++i) {
    if (iterate() < kTolerance) break;
  }
}

// By counting: the nodes that link to each node, in the order of the crawl.
void KnownRank::turn_round() {
  in_start_.assign(std::size_t{graph_.nodes()} + 2, 0);
  in_from_.resize(graph_.links());
  for (std::uint32_t row = 0; row < graph_.rows(); ++row) {
    for (const GrowingGraph::Node to : graph_.row(row)) ++in_start_[to + 2];
  }
  for (std::size_t i = 2; i < in_start_.size(); ++i) in_start_[i] += in_start_[i - 1];
  for (std::uint32_t row = 0; row < graph_.rows(); ++row) {
    for (const GrowingGraph::Node to : graph_.row(row)) in_from_[in_start_[to + 1]++] = graph_.row_node(row);
  }
}

// Answers the L1 change.
double KnownRank::iterate() {
  const std::uint32_t n = graph_.nodes();
  const double dangling = sum(n, working_, [&](std::uint64_t i) {
    const std::uint32_t row = graph_.row_of(static_cast<GrowingGraph::Node>(i));
    const std::size_t links = row == GrowingGraph::kNoRow ? 0 : graph_.row(row).size();
    passed_[i] = links == 0 ? 0 : rank_[i] / static_cast<double>(links);
    return links == 0 ? rank_[i] : 0;
  });
  const double base = (1 - kDamping + kDamping * dangling) / n;
  const double change = sum(n, working_, [&](std::uint64_t i) {
    double received = 0;
    for (std::uint64_t j = in_start_[i]; j < in_start_[i + 1]; ++j) received += passed_[in_from_[j]];
    next_[i] = base + kDamping * received;
    return std::fabs(next_[i] - rank_[i]);
  });
  rank_.swap(next_);
  return change;
}

std::uint64_t KnownRank::bytes() const {
  return graph_.bytes() + (rank_.capacity() + next_.capacity() + passed_.capacity()) * sizeof(double) +
         in_start_.capacity() * 8 + in_from_.capacity() * 4;
}

void KnownRank::save(ByteWriter& out) const {
  graph_.save(out);
  out.put(computed_at_);
  out.put_array(rank_);
}

void KnownRank::load(ByteReader& in) {
  graph_.load(in);
  in.get(computed_at_);
  in.get_array(rank_);
  if (rank_.size() > graph_.nodes()) in.reject();
}

}  // namespace bowerbird
