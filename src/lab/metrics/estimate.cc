#include "lab/metrics/estimate.h"

#include <algorithm>
#include <cmath>

#include "policy/policy.h"

namespace bowerbird {
namespace {

// A buffer needs the order of pages, not exact values: forty iterations change the fraction of hot pages kept
// by less than 0.002.
constexpr double kTolerance = 1e-3;
constexpr unsigned kMaxIterations = 12;
constexpr std::uint64_t kRecomputations = 20;

}  // namespace

Estimate::Estimate(EstimateKind kind, const Graph& graph, const Yardstick& yardstick)
    : kind_(kind),
      graph_(&graph),
      yardstick_(&yardstick),
      period_(std::max<std::uint64_t>(1, yardstick.pages() / kRecomputations)) {
  if (kind != EstimateKind::kExact) value_.resize(graph.pages(), 0);
  if (kind == EstimateKind::kPageRank) {
    rank_.resize(graph.pages(), 0);
    gained_.resize(graph.pages(), 0);
    is_known_ = PageSet(graph.pages());
  }
}

void Estimate::know(PageId page) {
  if (is_known_.add(page)) known_.push_back(page);
}

bool Estimate::crawled(PageId page, std::span<const PageId> links) {
  if (kind_ == EstimateKind::kExact) return false;
  if (kind_ == EstimateKind::kBacklink) {
    for (const PageId target : links) value_[target] += 1;
    return false;
  }
  know(page);
  order_.push_back(page);
  const double share = links.empty() ? 0 : kDamping * rank_[page] / static_cast<double>(links.size());
  for (const PageId target : links) {
    know(target);
    value_[target] += share;
  }
  if (order_.size() % period_ != 0) return false;
  recompute();
  return true;
}

// Starts from the previous result, so that few iterations are needed.
void Estimate::recompute() {
  const double even = 1.0 / static_cast<double>(known_.size());
  double sum = 0;
  for (const PageId page : known_) {
    if (rank_[page] == 0) rank_[page] = even;
    sum += rank_[page];
  }
  for (const PageId page : known_) rank_[page] /= sum;
  for (unsigned i = 0; i < kMaxIterations && iterate() >= kTolerance; ++i) continue;
  for (const PageId page : known_) value_[page] = rank_[page];
}

double Estimate::iterate() {
  double passed_on = 0;  // rank of the pages with at least one known link
  for (const PageId page : order_) {
    const auto links = graph_->out(page, buffer_);
    if (links.empty()) continue;
    passed_on += rank_[page];
    const double share = kDamping * rank_[page] / static_cast<double>(links.size());
    for (const PageId target : links) gained_[target] += share;
  }
  const auto n = static_cast<double>(known_.size());
  const double base = (1 - kDamping + kDamping * std::max(0.0, 1 - passed_on)) / n;
  double change = 0;
  for (const PageId page : known_) {
    const double now = base + gained_[page];
    change += std::abs(now - rank_[page]);
    rank_[page] = now;
    gained_[page] = 0;
  }
  return change;
}

}  // namespace bowerbird
