#include "policy/known_rank.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/parallel.h"
#include "policy/graph_rows.h"

namespace bowerbird {

namespace {

constexpr double kTolerance = 1e-6;
constexpr int kMostIterations = 40;
constexpr unsigned kParts = 64;
constexpr std::uint64_t kWorthAThread = 100'000;

// The sum of term(i) over [0, n): first by parts, then over the parts in order.
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

KnownRank::Node KnownRank::add(PageId page) {
  node_of_.grow_to(std::size_t{page} + 1);
  std::uint32_t& entry = node_of_[page];
  if (entry == 0) {
    links_.push_back(0);
    entry = nodes();
  }
  return entry - 1;
}

bool KnownRank::crawled(const Visit& visit, std::span<const PageId> links) {
  const Node page = node(visit.page);
  CHECK(page == kNoNode || links_[page] == 0);
  add_links(visit.page, links);
  if (visit.crawled - computed_at_ < pace_.k(visit)) return false;
  compute();
  computed_at_ = visit.crawled;
  return true;
}

void KnownRank::add_links(PageId page, std::span<const PageId> links) {
  const Node node = add(page);
  row_.clear();
  for (const PageId link : links) row_.push_back(add(link));
  links_[node] = std::max(links_[node], 1u) + static_cast<std::uint32_t>(links.size());
  log_.append(node, row_);
}

void KnownRank::compute() {
  rows_computed_ = log_.rows();
  const Node n = nodes();
  if (n == 0) return;
  while (rank_.size() < n) rank_.push_back(1.0 / n);
  for (auto& half : received_) half.grow_to(n);
  // Starting a thread takes longer than traversing a small graph.
  working_ = std::uint64_t{n} + log_.links() < kWorthAThread ? 1 : threads_;
  const double total = sum(n, working_, [&](std::uint64_t i) { return rank_[i]; });
  for (Node i = 0; i < n; ++i) rank_[i] /= total;
  for (int i = 0; i < kMostIterations; ++i) {
    if (iterate() < kTolerance) break;
  }
}

std::vector<std::uint32_t> KnownRank::links_seen() {
  std::vector<std::uint32_t> of_node(nodes()), of_page(node_of_.size());
  log_.scan(
      0, 1, [](Node, std::uint32_t) {}, [&](Node to) { ++of_node[to]; });
  for (PageId page = 0; page < of_page.size(); ++page) {
    if (const Node node = this->node(page); node != kNoNode) of_page[page] = of_node[node];
  }
  return of_page;
}

// Each link passes on the value of its page.
void KnownRank::pass() {
  parallel_ranges(kHalves, kHalves, working_, [&](unsigned half, std::uint64_t, std::uint64_t) {
    double* const received = received_[half].data();
    std::fill(received, received + nodes(), 0);
    double share = 0;
    log_.scan(
        half, kHalves,
        [&](Node node, std::uint32_t links) {
          share = links == 0 ? 0 : rank_[node] / std::max(links, links_[node] - 1);
        },
        [&](Node to) { received[to] += share; });
  });
}

// Returns the L1 change.
double KnownRank::iterate() {
  const Node n = nodes();
  const double dangling = sum(n, working_, [&](std::uint64_t i) { return links_[i] <= 1 ? rank_[i] : 0; });
  const double base = (1 - kDamping + kDamping * dangling) / n;
  const LinkLog::Source rows = node_rows(rows_, [this](PageId page) { return node(page); });
  do pass();
  while (log_.rebuild_lost(rows));
  return sum(n, working_, [&](std::uint64_t i) {
    const double next = base + kDamping * (received_[0][i] + received_[1][i]);
    return std::fabs(std::exchange(rank_[i], next) - next);
  });
}

std::uint64_t KnownRank::bytes() const {
  return log_.bytes() + (node_of_.size() + links_.size() + row_.capacity()) * sizeof(std::uint32_t) +
         (rank_.size() + received_[0].size() + received_[1].size()) * sizeof(double);
}

void KnownRank::save(ByteWriter& out) const {
  out.put_array(node_of_.view());
  out.put_array(links_.view());
  log_.save(out);
  out.put(computed_at_);
  out.put(rows_computed_);
  out.put_array(rank_.view());
}

void KnownRank::load(ByteReader& in) {
  in.each<std::uint32_t>([&](std::uint32_t entry) { node_of_.push_back(entry); });
  std::uint64_t crawled = 0;
  in.each<std::uint32_t>([&](std::uint32_t links) {
    links_.push_back(links);
    crawled += links == 0 ? 0 : 1;
  });
  for (const std::uint32_t entry : node_of_.view()) {
    if (entry > nodes()) return in.reject();
  }
  log_.load(in, nodes());
  in.get(computed_at_);
  in.get(rows_computed_);
  in.each<double>([&](double rank) { rank_.push_back(rank); });
  const bool finite = std::ranges::all_of(rank_.view(), [](double rank) { return std::isfinite(rank); });
  if (!finite || rank_.size() > nodes() || log_.rows() < crawled || rows_computed_ > log_.rows()) in.reject();
}

}  // namespace bowerbird
