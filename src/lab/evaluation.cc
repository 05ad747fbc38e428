#include "lab/evaluation.h"

#include <algorithm>
#include <limits>

namespace bowerbird {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint64_t> buffer_pages(const Setting& setting) {
  std::vector<std::uint64_t> pages;
  for (const BufferSize& size : setting.buffers) pages.push_back(size.pages(setting.points.pages()));
  return pages;
}

bool vouches(const Setting& setting) {
  return setting.judged() && setting.facts.links && *setting.facts.links <= GuaranteedImportance::kMostLinks;
}

void cut(std::vector<double>& curve, const Points& points, std::uint64_t crawled) {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (points[i] > crawled) curve[i] = kNoValue;
  }
}

// Most pages are not about a topic, and none of those is hot.
std::uint64_t most_hot(const Yardstick& yardstick) {
  const std::string& name = yardstick.name();
  if (name != name_of(Importance::kSimilarity) && name != name_of(Importance::kOnTopic)) {
    return yardstick.pages();
  }
  const auto& best = yardstick.best_first();
  return static_cast<std::uint64_t>(
      std::partition_point(best.begin(), best.end(), [&](PageId page) { return yardstick.value(page) > 0; }) -
      best.begin());
}

}  // namespace

Evaluation::Evaluation(const Setting& setting) : setting_(setting) {
  if (!setting.judged()) return;
  for (const Yardstick& yardstick : setting.yardsticks) {
    Meter meter{CumulativeImportance(yardstick, setting.points), std::nullopt};
    if (yardstick.graded()) meter.hot.emplace(yardstick, setting.points, most_hot(yardstick));
    meters_.push_back(std::move(meter));
  }
  const Yardstick& chosen = setting.yardsticks.front();
  threshold_.emplace(chosen, setting.points, setting.threshold);
  if (vouches(setting)) guaranteed_.emplace(setting.seeds, setting.points);
  found_.assign(setting.followed.size(), 0);
  if (!setting.followed.empty()) last_followed_ = chosen.rank(setting.followed.back());
  if (!setting.buffers.empty()) {
    buffer_.emplace(estimate_of(setting.importance), *setting.web.graph, chosen, buffer_pages(setting));
  }
}

void Evaluation::page(PageId page, std::span<const PageId> links) {
  ++crawled_;
  for (Meter& meter : meters_) {
    meter.cumulative.page(page);
    if (meter.hot) meter.hot->page(page);
  }
  threshold_->page(page);
  if (guaranteed_) guaranteed_->page(page, links);
  if (setting_.yardsticks.front().rank(page) <= last_followed_) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (setting_.followed[i] == page) found_[i] = crawled_;
    }
  }
  if (buffer_) buffer_->page(page, links);
}

Scores Evaluation::finish(bool stopped) const {
  Scores scores;
  for (std::size_t i = 0; i < meters_.size(); ++i) {
    Measured measured;
    measured.yardstick = setting_.yardsticks[i].name();
    measured.cumulative = meters_[i].cumulative.curve();
    if (meters_[i].hot) measured.hot = meters_[i].hot->curve();
    measured.auc = stopped ? kNoValue : meters_[i].cumulative.auc();
    scores.measured.push_back(std::move(measured));
  }
  if (threshold_) scores.threshold = threshold_->curve();
  if (guaranteed_) scores.guaranteed = guaranteed_->curve();
  if (buffer_) scores.buffer = buffer_->fractions();
  scores.found = found_;
  if (stopped) {
    for (Measured& measured : scores.measured) {
      cut(measured.cumulative, setting_.points, crawled_);
      cut(measured.hot, setting_.points, crawled_);
    }
    cut(scores.threshold, setting_.points, crawled_);
    cut(scores.guaranteed, setting_.points, crawled_);
    std::fill(scores.buffer.begin(), scores.buffer.end(), kNoValue);
  }
  return scores;
}

Scores ideal_scores(const Setting& setting) {
  Scores scores;
  const auto best_pages = [&](const Yardstick& yardstick) {
    return std::span<const PageId>(yardstick.best_first()).first(setting.expected_pages());
  };
  for (const Yardstick& yardstick : setting.yardsticks) {
    CumulativeImportance cumulative(yardstick, setting.points);
    CrawlAndStop hot(yardstick, setting.points, most_hot(yardstick));
    for (const PageId page : best_pages(yardstick)) {
      cumulative.page(page);
      hot.page(page);
    }
    scores.measured.push_back({yardstick.name(), cumulative.curve(),
                               yardstick.graded() ? hot.curve() : std::vector<double>(), cumulative.auc()});
  }
  if (!setting.judged()) return scores;
  CrawlWithThreshold threshold(setting.yardsticks.front(), setting.points, setting.threshold);
  for (const PageId page : best_pages(setting.yardsticks.front())) threshold.page(page);
  scores.threshold = threshold.curve();
  if (vouches(setting)) {
    GuaranteedImportance guaranteed(setting.seeds, setting.points);
    LinkBuffer buffer;
    for (const PageId page : best_pages(setting.yardsticks.front())) {
      guaranteed.page(page, setting.web.graph->out(page, buffer));
    }
    scores.guaranteed = guaranteed.curve();
  }
  for (const std::uint64_t size : buffer_pages(setting)) {
    const double kept = static_cast<double>(std::min(size, setting.expected_pages()));
    scores.buffer.push_back(size > 0 ? kept / static_cast<double>(size) : 0);
  }
  for (const PageId page : setting.followed) {
    const std::uint64_t place = std::uint64_t{setting.yardsticks.front().rank(page)} + 1;
    scores.found.push_back(place <= setting.expected_pages() ? place : 0);
  }
  return scores;
}

}  // namespace bowerbird
