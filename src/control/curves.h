// The progress of a crawl as points over crawling time: points of earlier runs come from the folder,
// those of this run are recorded.
//
// At most kMost points: if there are more, every second one is dropped and the interval is doubled.
// Threads: any; a mutex guards the points.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "control/snapshot.h"
#include "crawl/inspect/crawl_history.h"

namespace bowerbird {

class Curves {
 public:
  static constexpr std::size_t kMost = 4000;

  void add(const LiveSnapshot& snapshot);
  // Adds points of earlier runs, as far as they precede the first recorded one.
  void add_history(const std::vector<HistoryPoint>& points);
  nlohmann::json json(double since, std::size_t most) const;

 private:
  struct Point {
    double seconds = 0;
    std::uint64_t pages = 0, bytes = 0, failed = 0, frontier = 0, known = 0, memory = 0;
    double covered = -1, freshness = -1;
    std::vector<MemoryPart> parts;
  };
  static Point point_of(const HistoryPoint& from);
  void thin() REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<Point> points_ GUARDED_BY(mutex_);
  double interval_ GUARDED_BY(mutex_) = 1;
};

}  // namespace bowerbird
