#include "lab/metrics/guarantee.h"

#include <limits>

namespace bowerbird {

namespace {

constexpr double kSlack = 0.002;
constexpr int kMostRounds = 8;

bool is_checkpoint(const Points& points, std::size_t point) {
  for (std::size_t i = 0; i < kCheckpoints.size(); ++i) {
    if (points.of(i) == point) return true;
  }
  return false;
}

}  // namespace

GuaranteedImportance::GuaranteedImportance(std::span<const SeedPage> seeds, const Points& points)
    : points_(&points) {
  for (const SeedPage& seed : seeds) bound_.seed(seed.page, seed.weight);
  record();
}

void GuaranteedImportance::record() {
  if (is_checkpoint(*points_, values_.size())) bound_.tighten(kSlack, kMostRounds);
  values_.push_back(bound_.covered());
  next_at_ = values_.size() < points_->size() ? (*points_)[values_.size()]
                                              : std::numeric_limits<std::uint64_t>::max();
}

std::vector<double> GuaranteedImportance::curve() const {
  std::vector<double> curve = values_;
  curve.resize(points_->size(), bound_.covered());
  return curve;
}

}  // namespace bowerbird
