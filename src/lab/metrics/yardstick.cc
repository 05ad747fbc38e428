#include "lab/metrics/yardstick.h"

#include <algorithm>

namespace bowerbird {

Yardstick::Yardstick(std::string name, std::vector<double> value, const PageSet& judged, bool graded)
    : name_(std::move(name)), graded_(graded), value_(std::move(value)), rank_(value_.size(), kNoPage) {
  best_first_.reserve(judged.size());
  for (PageId page = 0; page < value_.size(); ++page) {
    if (judged.has(page)) best_first_.push_back(page);
  }
  std::sort(best_first_.begin(), best_first_.end(),
            [this](PageId a, PageId b) { return value_[a] != value_[b] ? value_[a] > value_[b] : a < b; });
  for (PageId place = 0; place < best_first_.size(); ++place) {
    rank_[best_first_[place]] = place;
    total_ += value_[best_first_[place]];
  }
}

}  // namespace bowerbird
