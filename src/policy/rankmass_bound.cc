#include "policy/rankmass_bound.h"

#include <cmath>
#include <utility>

#include "base/check.h"

namespace bowerbird {

namespace {

// The crawl grows by one part in this many between two rounds of passing on.
constexpr std::uint64_t kGrowth = 20;
// Pages that hold less than this share of the mean wait: they are many and would move little.
constexpr double kWorthPassing = 0.5;
// The slack to reach when everything is computed again.
constexpr double kFreshSlack = 0.01;
constexpr int kFreshRounds = 20;

bool is_mass(double value) {
  return std::isfinite(value) && value >= 0;
}

}  // namespace

void RankMassBound::seed(PageId page, double weight) {
  CHECK(is_mass(weight));
  const Node node = graph_.add(page);
  held_.resize(graph_.nodes(), 0);
  seeds_.push_back({node, weight});
  stale_ = true;
}

void RankMassBound::crawled(PageId page, std::span<const PageId> links) {
  graph_.append(page, links);
  held_.resize(graph_.nodes(), 0);
  const Node node = graph_.node(page);
  if (stale_) {
    start();
  } else {
    waiting_ += held_[node];
  }
  pass(node);
  if (graph_.rows() < refine_at_) return;
  refine();
  refine_at_ = graph_.rows() + graph_.rows() / kGrowth + 1;
}

// Gives the seeds their initial mass; everything else is computed again.
void RankMassBound::start() {
  stale_ = false;
  std::fill(held_.begin(), held_.end(), 0.0);
  covered_ = waiting_ = returned_ = 0;
  add_to_seeds(1 - kDamping);
  if (graph_.rows() > 1) tighten(kFreshSlack, kFreshRounds);
}

void RankMassBound::add_to_seeds(double mass) {
  double total = 0;
  for (const SeedMass& seed : seeds_) total += seed.weight;
  for (const SeedMass& seed : seeds_) {
    const double share = total > 0 ? seed.weight / total : 1 / static_cast<double>(seeds_.size());
    receive(seed.node, mass * share);
  }
}

void RankMassBound::refine() {
  if (stale_ || graph_.rows() == 0) return;
  add_to_seeds(std::exchange(returned_, 0));
  const double least = kWorthPassing * waiting_ / graph_.rows();
  for (std::uint32_t row = 0; row < graph_.rows(); ++row) {
    const Node node = graph_.row_node(row);
    if (held_[node] >= least) pass(node);
  }
  // Running sums drift, so this is the moment to compute them again.
  waiting_ = 0;
  for (std::uint32_t row = 0; row < graph_.rows(); ++row) waiting_ += held_[graph_.row_node(row)];
}

void RankMassBound::tighten(double slack, int most) {
  for (int i = 0; i<most&& this->slack()> slack; ++i) refine();
}

void RankMassBound::pass(Node node) {
  const double mass = std::exchange(held_[node], 0);
  waiting_ -= mass;
  covered_ += mass;
  const std::span<const Node> links = graph_.row(graph_.row_of(node));
  if (links.empty()) {
    returned_ += kDamping * mass;
    return;
  }
  const double share = kDamping * mass / static_cast<double>(links.size());
  for (const Node to : links) receive(to, share);
}

void RankMassBound::receive(Node node, double mass) {
  held_[node] += mass;
  if (graph_.crawled(node)) waiting_ += mass;
}

void RankMassBound::save(ByteWriter& out) const {
  graph_.save(out);
  out.put_array(held_);
  out.put<std::uint64_t>(seeds_.size());
  for (const SeedMass& seed : seeds_) {
    out.put(seed.node);
    out.put(seed.weight);
  }
  out.put<std::uint64_t>(stale_ ? 1 : 0);
  out.put(returned_);
  out.put(waiting_);
  out.put(covered_);
  out.put(refine_at_);
}

void RankMassBound::load(ByteReader& in) {
  graph_.load(in);
  in.get_array(held_);
  if (held_.size() != graph_.nodes()) return in.reject();
  for (const double mass : held_) {
    if (!is_mass(mass)) return in.reject();
  }
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    SeedMass seed;
    in.get(seed.node);
    in.get(seed.weight);
    if (seed.node >= graph_.nodes() || !is_mass(seed.weight)) return in.reject();
    seeds_.push_back(seed);
  }
  stale_ = in.get<std::uint64_t>() != 0;
  in.get(returned_);
  in.get(waiting_);
  in.get(covered_);
  in.get(refine_at_);
  if (!is_mass(returned_) || !std::isfinite(waiting_) || !is_mass(covered_)) in.reject();
}

}  // namespace bowerbird
