#include "control/curves.h"

#include <algorithm>

namespace bowerbird {

namespace {

nlohmann::json known_or_null(double value) {
  return value < 0 ? nlohmann::json(nullptr) : nlohmann::json(value);
}

double rate(std::uint64_t now, std::uint64_t before, double seconds) {
  return seconds > 0 && now > before ? static_cast<double>(now - before) / seconds : 0;
}

}  // namespace

void Curves::add(const LiveSnapshot& snapshot) {
  const CrawlStatus& status = snapshot.status;
  Point point;
  point.seconds = static_cast<double>(status.counts.run_ms) / 1000;
  point.pages = status.counts.pages;
  point.bytes = status.counts.bytes;
  point.failed = failed_pages(status.counts);
  point.frontier = status.queued;
  point.known = status.known;
  point.memory = status.memory.resident;
  point.covered = status.guaranteed;
  point.freshness = status.counts.refresh.freshness;
  point.parts = status.memory.parts;
  const MutexLock lock(mutex_);
  if (!points_.empty() && point.seconds < points_.back().seconds + interval_) return;
  points_.push_back(std::move(point));
  if (points_.size() > kMost) thin();
}

void Curves::thin() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points_.size(); i += 2) points_[kept++] = std::move(points_[i]);
  points_.resize(kept);
  interval_ *= 2;
}

Curves::Point Curves::point_of(const HistoryPoint& from) {
  Point point;
  point.seconds = from.seconds;
  point.pages = from.pages;
  point.bytes = from.bytes;
  point.failed = from.failed;
  point.frontier = from.moment.queued;
  point.known = from.known;
  point.memory = from.moment.memory.resident;
  point.covered = from.moment.guaranteed;
  point.freshness = from.refresh.freshness;
  point.parts = from.moment.memory.parts;
  return point;
}

void Curves::add_history(const std::vector<HistoryPoint>& points) {
  const MutexLock lock(mutex_);
  std::vector<Point> all;
  for (const HistoryPoint& one : points) {
    if (points_.empty() || one.seconds < points_.front().seconds) all.push_back(point_of(one));
  }
  std::ranges::move(points_, std::back_inserter(all));
  points_ = std::move(all);
  while (points_.size() > kMost) thin();
}

nlohmann::json Curves::json(double since, std::size_t most) const {
  using Json = nlohmann::json;
  const MutexLock lock(mutex_);
  std::size_t first = 0;
  while (first < points_.size() && since > 0 && points_[first].seconds <= since) ++first;
  const std::size_t count = points_.size() - first;
  const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / std::max<std::size_t>(1, most));
  Json json = {{"from", first < points_.size() ? points_[first].seconds : 0.0}};
  for (const char* const name : {"seconds", "pages", "pages_per_second", "bytes", "bytes_per_second",
                                 "failed", "frontier", "known", "memory", "covered", "freshness"})
    json[name] = Json::array();
  Json parts = Json::object();
  std::size_t shown = 0;
  const Point* before = first > 0 ? &points_[first - 1] : nullptr;
  // Every step-th point, counted from the last one, which is always included.
  for (std::size_t i = first + (count == 0 ? 0 : (count - 1) % step); i < points_.size();
       i += step, ++shown) {
    const Point& point = points_[i];
    const double seconds = before == nullptr ? point.seconds : point.seconds - before->seconds;
    json["seconds"].push_back(point.seconds);
    json["pages"].push_back(point.pages);
    json["pages_per_second"].push_back(rate(point.pages, before == nullptr ? 0 : before->pages, seconds));
    json["bytes"].push_back(point.bytes);
    json["bytes_per_second"].push_back(rate(point.bytes, before == nullptr ? 0 : before->bytes, seconds));
    json["failed"].push_back(point.failed);
    json["frontier"].push_back(point.frontier);
    json["known"].push_back(point.known);
    json["memory"].push_back(point.memory);
    json["covered"].push_back(known_or_null(point.covered));
    json["freshness"].push_back(known_or_null(point.freshness));
    for (const MemoryPart& part : point.parts) {
      Json& list = parts[part.name];
      while (list.size() < shown) list.push_back(0);
      list.push_back(part.bytes);
    }
    before = &point;
  }
  for (auto& [name, list] : parts.items()) {
    while (list.size() < shown) list.push_back(0);
  }
  json["memory_parts"] = std::move(parts);
  return json;
}

}  // namespace bowerbird
