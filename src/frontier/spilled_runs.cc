#include "frontier/spilled_runs.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "base/varint.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostInBlock = std::size_t{1} << 20;
// This many of the smallest runs are merged when there are too many.
constexpr std::size_t kFan = 8;
constexpr std::size_t kFences = 64;

std::int64_t difference(std::uint32_t now, std::uint32_t before) {
  return static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before);
}

// Adds a stored difference; false on overflow of 32 bits.
bool move(std::uint32_t& number, std::int64_t by) {
  const std::int64_t moved = static_cast<std::int64_t>(number) + by;
  number = static_cast<std::uint32_t>(moved);
  return by >= -0xffffffffll && by <= 0xffffffffll && moved >= 0 && moved <= 0xffffffffll;
}

}  // namespace

std::string encode_entries(std::span<const QueueItem> items) {
  std::string out;
  out.reserve(items.size() * 8);
  put_varint(out, items.size());
  std::uint64_t key = ~std::uint64_t{0};
  for (const QueueItem& item : items) put_varint(out, std::exchange(key, item.key()) - item.key());
  std::uint32_t number = 0;
  for (const QueueItem& item : items) {
    put_signed(out, difference(item.discovered(), std::exchange(number, item.discovered())));
  }
  number = 0;
  for (const QueueItem& item : items) {
    put_signed(out, difference(item.page(), std::exchange(number, item.page())));
  }
  return out;
}

Status decode_entries(std::string_view bytes, std::vector<QueueItem>& items) {
  const auto bad = [] { return error("this is not a block of entries"); };
  VarintReader in(bytes);
  const std::uint64_t count = in.get_at_most(std::min<std::uint64_t>(kMostInBlock, bytes.size()));
  const std::size_t begin = items.size();
  std::uint64_t key = ~std::uint64_t{0};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t less = in.get();
    if (less > key) return bad();
    key -= less;
    items.push_back(QueueItem::with_key(0, 0, key));
  }
  std::vector<std::uint32_t> discovered(count);
  std::uint32_t number = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!move(number, in.get_signed())) return bad();
    discovered[i] = number;
  }
  number = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!move(number, in.get_signed()) || number >= kMaxPages) return bad();
    QueueItem& item = items[begin + i];
    item = QueueItem::with_key(number, discovered[i], item.key());
    if (std::isnan(item.score()) || (i > 0 && item.better_than(items[begin + i - 1]))) return bad();
  }
  return in.ok() && in.at_end() ? Status() : bad();
}

// ---- writing

// Writes one run, entry by entry.
class SpilledRuns::Writer {
 public:
  Writer(SpillStore& store, RunId id, std::size_t block) : store_(store), block_(block) {
    run_.id = id;
    run_.block = static_cast<std::uint32_t>(block);
  }

  void add(const QueueItem& item) {
    waiting_.push_back(item);
    if (waiting_.size() == block_) flush();
  }
  Result<Run> finish() {
    flush();
    if (status_.ok() && run_.items > 0) status_ = store_.finish(run_.id);
    if (status_.ok()) return std::move(run_);
    store_.remove(run_.id);
    return status_.error();
  }

 private:
  void flush() {
    if (waiting_.empty() || !status_.ok()) return;
    if (run_.items / block_ % run_.stride == 0) add_fence(waiting_.front().score());
    run_.items += waiting_.size();
    status_ = store_.append(run_.id, encode_entries(waiting_));
    waiting_.clear();
  }

  // If there are too many, every other one is dropped.
  void add_fence(Score score) {
    run_.fences.push_back(score);
    if (run_.fences.size() < kFences) return;
    for (std::size_t i = 0; i < kFences / 2; ++i) run_.fences[i] = run_.fences[2 * i];
    run_.fences.resize(kFences / 2);
    run_.stride *= 2;
  }

  SpillStore& store_;
  std::size_t block_;
  Run run_;
  std::vector<QueueItem> waiting_;
  Status status_;
};

Status SpilledRuns::add(std::span<const QueueItem> items) {
  Writer writer(store_, next_id_++, limits_.block);
  for (const QueueItem& item : items) writer.add(item);
  BB_TRY(Run run, writer.finish());
  entries_ += run.items;
  if (run.items > 0) runs_.push_back(std::move(run));
  return {};
}

// ---- reading

// Reads until `wanted` entries are in the buffer, or all. False if the run could not be read.
bool SpilledRuns::fill(Run& run, std::size_t wanted) {
  while (run.buffer.size() - run.at < wanted && !run.all_read()) {
    if (run.at > 0)
      run.buffer.erase(run.buffer.begin(), run.buffer.begin() + static_cast<std::ptrdiff_t>(run.at));
    run.at = 0;
    auto bytes = store_.read(run.id, run.next_block);
    const std::size_t before = run.buffer.size();
    Status status = bytes.ok() ? decode_entries(*bytes, run.buffer) : Status(bytes.error());
    const std::size_t expected =
        static_cast<std::size_t>(std::min<std::uint64_t>(run.block, run.items - run.read));
    if (status.ok() && run.buffer.size() - before != expected) status = error("a block of another run");
    if (!status.ok()) {
      run.buffer.resize(before);
      give_up(run, status.error());
      return false;
    }
    run.read += expected;
    ++run.next_block;
    // A part of the first block after a restart may have been taken before.
    if (run.read > run.taken && before == 0 && run.read - expected < run.taken) {
      run.at = static_cast<std::size_t>(run.taken - (run.read - expected));
    }
  }
  return true;
}

bool SpilledRuns::next(Run& run, QueueItem& item) {
  if (run.at == run.buffer.size() && !run.all_read()) fill(run, 1);
  if (run.at == run.buffer.size()) return false;
  item = run.buffer[run.at++];
  ++run.taken;
  --entries_;
  return true;
}

std::string SpilledRuns::described(const Run& run) {
  return fmt::format("run {} with {} entries of scores {:.6g} and less", run.id, run.items - run.taken,
                     run.fences.empty() ? 0 : run.fences[run.taken / run.block / run.stride]);
}

void SpilledRuns::give_up(Run& run, const Error& error) {
  failure_ = fmt::format("{} cannot be read: {}", described(run), error.text);
  entries_ -= run.items - run.read;
  run.items = run.read;
}

void SpilledRuns::drop_empty() {
  std::erase_if(runs_, [this](const Run& run) {
    const bool over = run.taken == run.items;
    if (over) store_.remove(run.id);
    return over;
  });
}

QueueItem SpilledRuns::bar() {
  QueueItem bar;
  const std::size_t each = std::max<std::size_t>(limits_.block, limits_.ahead / (runs_.size() + 1));
  for (Run& run : runs_) {
    fill(run, each);
    if (!run.all_read() && run.buffer.back().better_than(bar)) bar = run.buffer.back();
  }
  return bar;
}

void SpilledRuns::take(const QueueItem& bar, const Visit& visit) {
  for (Run& run : runs_) {
    while (run.at < run.buffer.size() && !bar.better_than(run.buffer[run.at])) {
      QueueItem item;
      next(run, item);
      if (live_(item)) visit(item);
    }
  }
  drop_empty();
}

void SpilledRuns::take_all(const Visit& visit) {
  std::vector<Run> old = std::exchange(runs_, {});
  for (Run& run : old) {
    for (QueueItem item; next(run, item);) {
      if (live_(item)) visit(item);
    }
    store_.remove(run.id);
  }
}

void SpilledRuns::remove_all() {
  for (const Run& run : runs_) store_.remove(run.id);
  runs_.clear();
  entries_ = 0;
}

// ---- merging

void SpilledRuns::tidy(std::uint64_t live_entries) {
  const std::uint64_t tolerated = 2 * live_entries + 64 * limits_.block;
  if (entries_ > tolerated) {
    merge(std::exchange(runs_, {}));
  } else if (runs_.size() > limits_.runs) {
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
      return std::pair(a.items - a.taken, a.id) > std::pair(b.items - b.taken, b.id);
    });
    const auto begin = runs_.end() - static_cast<std::ptrdiff_t>(std::min(kFan, runs_.size()));
    std::vector<Run> parts(std::make_move_iterator(begin), std::make_move_iterator(runs_.end()));
    runs_.erase(begin, runs_.end());
    merge(std::move(parts));
  }
}

// Replaces the parts by one run. If it cannot be written, their entries are lost: see failure().
void SpilledRuns::merge(std::vector<Run> parts) {
  const auto worse = [](const std::pair<QueueItem, std::size_t>& a,
                        const std::pair<QueueItem, std::size_t>& b) { return b.first.better_than(a.first); };
  std::priority_queue<std::pair<QueueItem, std::size_t>, std::vector<std::pair<QueueItem, std::size_t>>,
                      decltype(worse)>
      heads(worse);
  const auto advance = [&](std::size_t part) {
    for (QueueItem item; next(parts[part], item);) {
      if (!live_(item)) continue;
      heads.emplace(item, part);
      return;
    }
  };
  for (std::size_t part = 0; part < parts.size(); ++part) advance(part);
  Writer writer(store_, next_id_++, limits_.block);
  QueueItem last;
  while (!heads.empty()) {
    const auto [item, part] = heads.top();
    heads.pop();
    // The same entry twice: its page returned with the same score and was spilled again.
    if (item.better_than(last) || last.better_than(item)) writer.add(item);
    last = item;
    advance(part);
  }
  auto merged = writer.finish();
  for (const Run& part : parts) store_.remove(part.id);
  if (!merged.ok()) {
    failure_ = fmt::format("{} runs could not be merged: {}", parts.size(), merged.error().text);
    return;
  }
  entries_ += merged->items;
  if (merged->items > 0) runs_.push_back(std::move(*merged));
}

std::uint64_t SpilledRuns::count_above(Score score) const {
  std::uint64_t count = 0;
  for (const Run& run : runs_) {
    const auto below = std::partition_point(run.fences.begin(), run.fences.end(),
                                            [=](Score fence) { return fence > score; });
    const std::uint64_t above =
        static_cast<std::uint64_t>(below - run.fences.begin()) * run.block * run.stride;
    count += std::min(above, run.items) - std::min(run.taken, std::min(above, run.items));
  }
  return count;
}

std::uint64_t SpilledRuns::bytes() const {
  std::uint64_t sum = runs_.capacity() * sizeof(Run);
  for (const Run& run : runs_) {
    sum += run.fences.capacity() * sizeof(Score) + run.buffer.capacity() * sizeof(QueueItem);
  }
  return sum;
}

// ---- state

void SpilledRuns::save(ByteWriter& out) const {
  out.put(next_id_);
  out.put<std::uint64_t>(runs_.size());
  for (const Run& run : runs_) {
    out.put(run.id);
    out.put(run.items);
    out.put(run.taken);
    out.put(run.block);
    out.put(run.stride);
    out.put_array(run.fences);
  }
}

Status SpilledRuns::load(ByteReader& in, const Visit& visit) {
  in.get(next_id_);
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    Run run;
    in.get(run.id);
    in.get(run.items);
    in.get(run.taken);
    in.get(run.block);
    in.get(run.stride);
    in.get_array(run.fences);
    const bool sound = run.block > 0 && run.block <= kMostInBlock && run.stride > 0 &&
                       run.taken < run.items && run.items <= kMaxPages * 64 && run.stride <= run.items &&
                       (run.items - 1) / run.block / run.stride < run.fences.size();
    if (!sound || !in.ok()) return error("the saved list of runs is damaged");
    run.next_block = run.taken / run.block;
    run.read = run.next_block * run.block;
    entries_ += run.items - run.taken;
    runs_.push_back(std::move(run));
  }
  std::vector<const Run*> newest;
  for (const Run& run : runs_) newest.push_back(&run);
  std::sort(newest.begin(), newest.end(), [](const Run* a, const Run* b) { return a->id > b->id; });
  for (const Run* saved : newest) {
    Run run = *saved;
    while (fill(run, 1) && run.at < run.buffer.size()) visit(run.buffer[run.at++]);
    if (!failure_.empty()) return Error{take_failure()};
  }
  return {};
}

}  // namespace bowerbird
