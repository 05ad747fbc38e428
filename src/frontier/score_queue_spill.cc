// Spilling of a ScoreQueue with a limit.
#include <cmath>

#include "base/rng.h"
#include "frontier/score_queue.h"

namespace bowerbird {

namespace {

// A double is sign, 11 bits of exponent and 52 of fraction; a mark has room for the first 30.
constexpr unsigned kCut = 34;
constexpr std::uint64_t kRest = (std::uint64_t{1} << kCut) - 1;

std::uint32_t code_of(Score score) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(score + 0.0) >> kCut);
}

Score score_of(std::uint32_t code) {
  return std::bit_cast<Score>(std::uint64_t{code} << kCut);
}

constexpr unsigned kMostRebuilds = 8;

}  // namespace

void ScoreQueue::limit_to(std::uint64_t bytes, SpillStore& store) {
  // Half of the limit is for the items. The heap may use another quarter, and the read-ahead of the runs an
  // eighth, both before and after it has moved into memory.
  most_ = static_cast<std::size_t>(std::max(bytes, kLeastBytes) / sizeof(QueueItem) / 2);
  hot_most_ = std::max<std::size_t>(1, most_ / 16);
  if (!runs_) {
    runs_ = std::make_unique<SpilledRuns>(store, [this](const QueueItem& item) { return is_live(item); });
  }
  SpilledRuns::Limits limits;
  limits.block = std::clamp<std::size_t>(most_ / 64, 4, 4096);
  limits.runs = std::clamp<std::size_t>(most_ / 8 / limits.block, 4, 512);
  limits.ahead = most_ / 16;
  runs_->set_limits(limits);
  while (is_too_long()) {
    const std::uint64_t before = in_memory();
    spill();
    if (in_memory() == before) break;
  }
  if (hot_size() == 0) heat();
}

QueueItem ScoreQueue::spilled_item(PageId page, Mark mark) const {
  return {page, discovered_[page], score_of(mark & ~kSpilled)};
}

// An entry with an earlier score of the page may seem live if both scores round to the same value. Using it
// instead of the later entry is harmless: the scores differ by less than the rounding.
bool ScoreQueue::is_live(const QueueItem& item) const {
  const Mark marked = mark(item.page());
  if (!is_queued(marked) || !is_spilled(marked)) return false;
  const Score score = item.score();
  const std::uint32_t code = code_of(score);
  return marked == (kSpilled | code) || (marked == (kSpilled | (code + 1)) && score != score_of(code));
}

// Rounds the score for its mark: up or down at random, with an unbiased mean.
QueueItem ScoreQueue::round_for_spill(const QueueItem& item) {
  const Score score = item.score() + 0.0;
  const std::uint64_t rest = std::bit_cast<std::uint64_t>(score) & kRest;
  if (rest == 0) return item;
  const bool up = (draw(counts_.written, item.page()) & kRest) < rest;
  const Score rounded = score_of(code_of(score) + (up ? 1 : 0));
  counts_.rounding = std::max(counts_.rounding, std::abs(rounded / score - 1));
  return item.with(rounded);
}

void ScoreQueue::mark_spilled(const QueueItem& item) {
  const PageId page = item.page();
  marks_[page] = kSpilled | code_of(round_for_spill(item).score());
  discovered_.grow_to(std::size_t{page} + 1);
  discovered_[page] = item.discovered();
  ++counts_.now;
  ++counts_.written;
  counts_.peak = std::max(counts_.peak, counts_.now);
}

// Writes the worst quarter of the cold part to a run.
void ScoreQueue::spill() {
  if (hot_size() > hot_target()) cool();
  if (cold_size_ == 0) return;
  const std::size_t keep = cold_size_ - (cold_size_ + 3) / 4;
  QueueItem* const begin = cold_.data();
  std::nth_element(begin, begin + keep, begin + cold_size_, kBetter);
  for (std::size_t i = 0; i < keep; ++i) marks_[begin[i].page()] = kFirstCold + static_cast<Mark>(i);
  std::sort(begin + keep, begin + cold_size_, kBetter);
  const Status added = runs_->add({begin + keep, cold_size_ - keep});
  if (!added.ok()) {
    for (std::size_t i = keep; i < cold_size_; ++i)
      marks_[begin[i].page()] = kFirstCold + static_cast<Mark>(i);
    retry_.failed(in_memory(), "the queue", added.error());
    add_warning(fmt::format("a part of the queue stays in memory: {}", added.error().text));
    return;
  }
  retry_.succeeded();
  for (std::size_t i = keep; i < cold_size_; ++i) mark_spilled(begin[i]);
  cold_size_ = keep;
  if (rebuilding_) return;
  runs_->tidy(counts_.now);
  if (!runs_->failure().empty()) rebuild_runs();
}

// Appends to the heap's array, which is not a heap until it is built.
void ScoreQueue::take_from_runs() {
  runs_->take(bar_, [this](const QueueItem& item) {
    --counts_.now;
    hot_.grow_to(hot_end_ + 1);
    hot_[hot_end_] = item;
    marks_[item.page()] = kHot | static_cast<Mark>(hot_end_++);
  });
  if (!runs_->failure().empty()) rebuild_runs();
}

// The score of a spilled page has changed: it returns to memory with the new one.
void ScoreQueue::return_page(PageId page, Mark mark, Score score) {
  const QueueItem item = spilled_item(page, mark).with(score);
  --counts_.now;
  ++counts_.returned;
  push(item);
}

// Reads every spilled page into memory, changes it, and writes again what exceeds the limit. Nothing is hot
// meanwhile. A page written again may look like a stale entry further on, so each is changed only once.
void ScoreQueue::take_back(const std::function<QueueItem(const QueueItem&)>& change) {
  std::vector<bool> changed(pages());
  for (const QueueItem& item : cold_items()) changed[item.page()] = true;
  runs_->take_all([&](const QueueItem& item) {
    if (changed[item.page()]) return;
    changed[item.page()] = true;
    --counts_.now;
    add_cold(change(item));
    if (is_too_long()) spill();
  });
  if (!runs_->failure().empty()) rebuild_runs();
}

// A run could not be read: rebuilds all of them from the marks. Nothing is hot after that. If it happens
// repeatedly the store is given up.
void ScoreQueue::rebuild_runs() {
  std::string failure = runs_->take_failure();
  if (++rebuilt_ > kMostRebuilds) retry_.give_up("the queue", Error{failure});
  add_warning(fmt::format("{}; its pages are queued again, with rounded scores", failure));
  rebuilding_ = true;
  runs_->remove_all();
  cool_all();
  const PageId pages = this->pages();
  for (PageId page = 0; page < pages; ++page) {
    const Mark mark = marks_[page];
    if (!is_queued(mark) || !is_spilled(mark)) continue;
    --counts_.now;
    add_cold(spilled_item(page, mark));
    if (is_too_long()) spill();
  }
  rebuilding_ = false;
}

void ScoreQueue::add_warning(std::string text) {
  if (troubles_.size() < 16) troubles_.push_back(std::move(text));
}

void ScoreQueue::save_runs(ByteWriter& out) const {
  out.put<std::uint8_t>(runs_ ? 1 : 0);
  if (!runs_) return;
  out.put(counts_);
  runs_->save(out);
}

Status ScoreQueue::load_runs(ByteReader& in, SpillStore* store,
                             const std::function<bool(const QueueItem&)>& accept) {
  if (in.get<std::uint8_t>() == 0) return {};
  in.get(counts_);
  const SpillCounts saved = counts_;
  counts_.now = 0;
  if (runs_) {
    BB_TRY_VOID(runs_->load(in, [&](const QueueItem& item) {
      if (!accept(item)) return;
      marks_.grow_to(std::size_t{item.page()} + 1);
      mark_spilled(item);
    }));
  } else {
    if (store == nullptr)
      return error("the snapshot refers to a spilled queue, but no spill folder was given");
    SpilledRuns runs(*store, [](const QueueItem&) { return true; });
    BB_TRY_VOID(runs.load(in, [&](const QueueItem& item) {
      if (accept(item)) push(item);
    }));
    runs.remove_all();
  }
  const std::uint64_t now = std::exchange(counts_, saved).now;
  counts_.now = now;
  return {};
}

}  // namespace bowerbird
