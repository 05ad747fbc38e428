#include "lab/metrics/points.h"

#include <algorithm>

namespace bowerbird {

Points::Points(std::uint64_t pages, unsigned steps) : pages_(pages) {
  // In integers: 0.15 * 20 is slightly more than 3 in floating point, and other shares slightly less.
  const auto share = [pages](std::uint64_t part, std::uint64_t whole) {
    return pages / whole * part + pages % whole * part / whole;
  };
  for (unsigned i = 0; i <= steps; ++i) at_.push_back(share(i, steps));
  for (const Checkpoint& checkpoint : kCheckpoints) at_.push_back(share(checkpoint.percent, 100));
  std::sort(at_.begin(), at_.end());
  at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
  for (std::size_t i = 0; i < kCheckpoints.size(); ++i) {
    checkpoint_[i] = first_at_least(share(kCheckpoints[i].percent, 100));
  }
}

std::size_t Points::first_at_least(std::uint64_t count) const {
  return static_cast<std::size_t>(std::lower_bound(at_.begin(), at_.end(), count) - at_.begin());
}

}  // namespace bowerbird
