#include "store/known_urls.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/keyed_hash.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kFirstHomes = 1 << 12;
constexpr std::uint64_t kLeastHomes = 1 << 6;
constexpr std::uint64_t kAll = ~std::uint64_t{0};
// A run is merged with the following ones when their total size is at least half of its own.
constexpr std::uint64_t kMergeFactor = 2;
constexpr int kMostRepairs = 16;                                 // repairs of a range in one call
constexpr std::uint64_t kBlocksAtOnce = std::uint64_t{1} << 20;  // bytes of blocks read in one call

}  // namespace

// A merge in progress: the runs to be merged, and the result.
struct KnownUrls::Merge {
  std::size_t range = 0;
  std::vector<Run> from;
  Run made;
  Status status;
  std::atomic<bool> done = false;
  std::atomic<bool> stop = false;
  std::thread thread;
};

KnownUrls::KnownUrls(const KnownUrlsOptions& options)
    : options_(options), young_(std::min(kFirstHomes, most_homes())) {
  if (options_.folder.empty()) {
    CHECK(options_.memory == 0);
    return;
  }
  // Runs of a killed process are useless: they are rebuilt.
  const auto names = options_.disk->list(options_.folder);
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    if (name.starts_with("run-")) (void)options_.disk->remove(options_.folder + "/" + name);
  }
}

KnownUrls::~KnownUrls() {
  drop_merge();
  for_each_run([&](const Run& run) { remove(run); });
}

template <typename Visit>
void KnownUrls::for_each_run(Visit&& visit) const {
  for (const std::vector<Run>& runs : runs_) {
    for (const Run& run : runs) visit(run);
  }
}

std::uint64_t KnownUrls::fingerprint(std::string_view canonical) {
  return keyed_hash(canonical);
}

// ---- Lookups

bool KnownUrls::may_be_on_disk(std::uint64_t fingerprint) const {
  const std::vector<Run>& runs = runs_[FingerprintRange::of(fingerprint)];
  return std::any_of(runs.begin(), runs.end(),
                     [&](const Run& run) { return run->filter().may_hold(fingerprint); });
}

PageId KnownUrls::find(std::uint64_t fingerprint) {
  if (const PageId* const answer = answers_.find(fingerprint)) {
    return *answer != kNoPage ? *answer : young_.find(fingerprint);  // it may have been added since
  }
  if (const PageId page = young_.find(fingerprint); page != kNoPage) return page;
  PageId page = old_.find_sorted(fingerprint);
  if (page == kNoPage && may_be_on_disk(fingerprint)) {
    std::vector<FingerprintQuery> query = {{fingerprint, kNoPage}};
    ask_disk(query);
    page = query.front().page;
  }
  if (page != kNoPage) keep(fingerprint, page);
  return page;
}

// Searches one tier after the other for the fingerprints not found so far, and prefetches the parts of each
// tier that are needed. If keep() turns the young generation into the old one, results are dropped: the rest
// is then looked up one by one.
void KnownUrls::prefetch(std::span<const std::uint64_t> fingerprints) {
  if (all_in_memory()) return;
  take_merge();
  keep_blocks();
  constexpr std::size_t kAhead = 16;
  std::vector<FingerprintQuery> queries;
  answers_.begin(fingerprints.size());
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    if (i + kAhead < fingerprints.size()) young_.prefetch(fingerprints[i + kAhead]);
    const PageId page = young_.find(fingerprints[i]);
    if (answers_.add(fingerprints[i], page) && page == kNoPage) queries.push_back({fingerprints[i], kNoPage});
  }
  const auto found = [&](const FingerprintQuery& query) {
    keep(query.fingerprint, query.page);
    answers_.set(query.fingerprint, query.page);
  };
  std::size_t left = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (i + kAhead < queries.size()) {
      const std::uint64_t ahead = queries[i + kAhead].fingerprint;
      old_.prefetch(ahead);
      for (const Run& run : runs_[FingerprintRange::of(ahead)]) run->filter().prefetch(ahead);
    }
    FingerprintQuery query = queries[i];
    query.page = old_.find_sorted(query.fingerprint);
    if (query.page != kNoPage) {
      found(query);
    } else if (may_be_on_disk(query.fingerprint)) {
      queries[left++] = query;
    }
  }
  queries.resize(left);
  ask_disk(queries);
  for (const FingerprintQuery& query : queries) {
    if (query.page != kNoPage) found(query);
  }
}

// Sorts the queries and sets their pages.
void KnownUrls::ask_disk(std::vector<FingerprintQuery>& queries) {
  std::sort(queries.begin(), queries.end(), [](const FingerprintQuery& a, const FingerprintQuery& b) {
    return a.fingerprint < b.fingerprint;
  });
  for (auto begin = queries.begin(); begin != queries.end();) {
    const std::size_t range = FingerprintRange::of(begin->fingerprint);
    const auto end = std::find_if(begin, queries.end(), [&](const FingerprintQuery& query) {
      return FingerprintRange::of(query.fingerprint) != range;
    });
    if (!ask_range(range, {begin, end})) return;
    begin = end;
  }
}

// Asks the newest runs first. False: a disk error that could not be repaired.
bool KnownUrls::ask_range(std::size_t range, std::span<FingerprintQuery> queries) {
  int repairs = 0;
  const std::vector<Run>& runs = runs_[range];
  std::vector<FingerprintQuery*> left;
  for (std::size_t i = runs.size(); i-- > 0;) {
    left.clear();
    for (FingerprintQuery& query : queries) {
      if (query.page == kNoPage && runs[i]->filter().may_hold(query.fingerprint)) left.push_back(&query);
    }
    if (left.empty()) continue;
    const auto reads = runs[i]->find(left);
    if (reads.ok()) {
      counts_.asked_disk += reads->queries;
      counts_.reads += reads->blocks;
    } else if (repair(range, runs[i], reads.error(), ++repairs > kMostRepairs)) {
      i = runs.size();  // the runs were replaced: start again
    } else {
      return false;
    }
  }
  return true;
}

// ---- The table

PageId KnownUrls::add(std::uint64_t fingerprint) {
  CHECK(size_ < kMaxPages);
  const PageId page = size_;
  keep(fingerprint, page);
  ++size_;
  return page;
}

// Adds to the young generation.
void KnownUrls::keep(std::uint64_t fingerprint, PageId page) {
  if (young_.full()) make_room();
  while (!young_.add(fingerprint, page)) make_room();
}

// Each of the two generations gets half of the memory.
std::uint64_t KnownUrls::most_homes() const {
  return options_.memory == 0 ? kAll
                              : std::max(kLeastHomes, options_.memory / 2 / FingerprintTable::kSlotBytes);
}

void KnownUrls::make_room() {
  if (young_.homes() < most_homes()) {
    grow(std::min(2 * young_.homes(), most_homes()));
  } else {
    spill();
  }
}

void KnownUrls::grow(std::uint64_t homes) {
  for (bool fits = false; !fits; homes *= 2) {
    FingerprintTable larger(homes);
    fits = true;
    young_.for_each(
        [&](const FingerprintEntry& entry) { fits = fits && larger.add(entry.fingerprint, entry.page); });
    if (fits) young_ = std::move(larger);
  }
}

// Writes the new entries of the young generation to disk.
void KnownUrls::spill() {
  take_merge();
  answers_.forget();
  young_.sort();
  if (size_ > spilled_) {
    const auto runs = write_young();
    if (!runs.ok()) {
      if (status_.ok()) status_ = runs.error();
      // Without the disk no lookup is reliable. The table grows so that the caller sees the error.
      grow(2 * young_.homes());
      return;
    }
    for (const Run& run : *runs) runs_[FingerprintRange::of(run->smallest())].push_back(run);
    spilled_ = size_;
    ++counts_.spills;
    want_merge();
  }
  old_ = std::exchange(young_, FingerprintTable(std::min(most_homes(), young_.homes())));
}

// Writes a run for each range with new entries.
Result<std::vector<KnownUrls::Run>> KnownUrls::write_young() {
  std::vector<Run> made;
  std::optional<FingerprintRunWriter> writer;
  std::size_t range = 0;
  const auto finish = [&]() -> Status {
    if (!writer) return {};
    BB_TRY(made.emplace_back(), writer->finish());
    return {};
  };
  const auto write = [&](const FingerprintEntry& entry) -> Status {
    if (!writer || FingerprintRange::of(entry.fingerprint) != range) {
      BB_TRY_VOID(finish());
      range = FingerprintRange::of(entry.fingerprint);
      BB_TRY(writer, new_run(spilled_, size_, (size_ - spilled_) / FingerprintRange::kCount));
    }
    return writer->add(entry);
  };
  Status status;
  young_.for_each([&](const FingerprintEntry& entry) {
    if (entry.page >= spilled_ && status.ok()) status = write(entry);
  });
  if (status.ok()) status = finish();
  if (status.ok()) return made;
  for (const Run& run : made) remove(run);
  return status.error();
}

Result<FingerprintRunWriter> KnownUrls::new_run(PageId first, PageId end, std::uint64_t entries) {
  BB_TRY_VOID(options_.disk->make_folder(options_.folder));
  return FingerprintRunWriter::create(*options_.disk, run_path(), first, end, entries);
}

void KnownUrls::limit(std::uint64_t memory) {
  options_.memory = memory;
  if (!options_.folder.empty() && young_.homes() > most_homes()) {
    spill();
    if (!status_.ok()) return;
    old_ = FingerprintTable();
    young_ = FingerprintTable(most_homes());
  }
}

std::uint64_t KnownUrls::shrink() {
  const std::uint64_t before = counts().memory;
  old_ = FingerprintTable();
  limit_blocks(0);
  return before - counts().memory;
}

void KnownUrls::limit_blocks(std::uint64_t bytes) {
  blocks_limit_ = bytes;
  for_each_run([&](const Run& run) {
    run->keep_at_most(bytes);
    bytes -= run->kept();
  });
}

// Keeps a piece of the first run that is not completely in memory.
void KnownUrls::keep_blocks() {
  std::uint64_t room = blocks_limit_;
  Run partly;
  for_each_run([&](const Run& run) {
    room -= run->kept();
    if (!partly && run->kept() < run->disk_bytes()) partly = run;
  });
  if (!partly) return;
  const Status kept = partly->keep_more(std::min(room, kBlocksAtOnce));
  if (!kept.ok()) repair(FingerprintRange::of(partly->smallest()), partly, kept.error(), false);
}

// ---- Runs

std::string KnownUrls::run_path() {
  return fmt::format("{}/run-{:06}", options_.folder, runs_made_++);
}

void KnownUrls::remove(const Run& run) {
  (void)options_.disk->remove(run->path());
}

void KnownUrls::want_merge() {
  if (merge_) return;
  for (std::size_t range = 0; range < FingerprintRange::kCount; ++range) {
    if (begin_merge(range)) return;
  }
}

bool KnownUrls::begin_merge(std::size_t range) {
  const std::vector<Run>& runs = runs_[range];
  if (runs.size() < 2) return false;
  std::size_t first = runs.size() - 1;
  std::uint64_t behind = runs[first]->size();
  while (first > 0 && runs[first - 1]->size() <= kMergeFactor * behind) behind += runs[--first]->size();
  if (first + 1 == runs.size()) return false;
  merge_ = std::make_unique<Merge>();
  merge_->range = range;
  merge_->from.assign(runs.begin() + static_cast<std::ptrdiff_t>(first), runs.end());
  const auto work = [merge = merge_.get(), path = run_path(), disk = options_.disk] {
    auto made = merge_runs(*disk, path, merge->from, [merge] { return merge->stop.load(); });
    if (made.ok()) {
      merge->made = std::move(*made);
    } else {
      merge->status = made.error();
    }
    merge->done.store(true, std::memory_order_release);
  };
  if (options_.background) {
    merge_->thread = std::thread(work);
  } else {
    work();
    take_merge();
  }
  return true;
}

// Replaces the merged runs by the result.
void KnownUrls::take_merge() {
  if (!merge_ || !merge_->done.load(std::memory_order_acquire)) return;
  if (merge_->thread.joinable()) merge_->thread.join();
  const std::unique_ptr<Merge> merge = std::move(merge_);
  if (!merge->status.ok()) {
    // A damaged run is detected at its next lookup, a full disk at the next spill.
    reports_.push_back(merge->status.error().text);
    return;
  }
  std::vector<Run>& runs = runs_[merge->range];
  const auto first = std::find(runs.begin(), runs.end(), merge->from.front());
  CHECK(first != runs.end());
  const auto end = first + static_cast<std::ptrdiff_t>(merge->from.size());
  for (const Run& run : merge->from) remove(run);
  *first = merge->made;
  runs.erase(first + 1, end);
  ++counts_.merges;
  want_merge();
}

void KnownUrls::drop_merge() {
  if (!merge_) return;
  merge_->stop.store(true);
  if (merge_->thread.joinable()) merge_->thread.join();
  if (merge_->made) remove(merge_->made);
  merge_.reset();
}

// Rebuilds a damaged run, in pieces that fit into memory.
bool KnownUrls::repair(std::size_t range, Run damaged, const Error& why, bool again) {
  reports_.push_back(why.text);
  const auto give_up = [&](const Error& error) {
    if (status_.ok()) status_ = bowerbird::error("{}; it could not be rebuilt: {}", why.text, error.text);
    return false;
  };
  if (again) return give_up(Error{"what is written to this disk cannot be read back"});
  if (!reread_) return give_up(Error{"the texts of the URLs are not available"});
  drop_merge();
  std::vector<Run> made;
  std::uint64_t entries = 0;
  const std::uint64_t piece = FingerprintRange::kCount * std::min(most_homes(), 2 * damaged->size());
  for (std::uint64_t first = damaged->first_page(); first < damaged->end_page(); first += piece) {
    const auto end = static_cast<PageId>(std::min<std::uint64_t>(first + piece, damaged->end_page()));
    auto one = rebuild(range, static_cast<PageId>(first), end);
    if (!one.ok()) return give_up(one.error());
    if (!*one) continue;
    entries += (*one)->size();
    made.push_back(std::move(*one));
  }
  if (entries != damaged->size()) return give_up(Error{"the texts are not those of its pages"});
  std::vector<Run>& runs = runs_[range];
  const auto at = std::find(runs.begin(), runs.end(), damaged);
  CHECK(at != runs.end());
  remove(damaged);
  const auto behind = runs.erase(at);
  runs.insert(behind, made.begin(), made.end());
  ++counts_.repaired;
  reports_.push_back(fmt::format("the fingerprints of pages {} to {} were rebuilt from their URLs",
                                 damaged->first_page(), damaged->end_page() - 1));
  return true;
}

// Builds a run with the fingerprints of these pages that are in the range; null: there are none.
Result<KnownUrls::Run> KnownUrls::rebuild(std::size_t range, PageId first, PageId end) {
  std::vector<FingerprintEntry> entries;
  PageId page = first;
  BB_TRY_VOID(reread_(first, end, [&](std::uint64_t fingerprint) {
    if (FingerprintRange::of(fingerprint) == range) entries.push_back({fingerprint, page});
    ++page;
  }));
  if (page != end) return error("the texts are not those of its pages");
  if (entries.empty()) return Run();
  std::sort(entries.begin(), entries.end());
  BB_TRY(FingerprintRunWriter writer, new_run(first, end, entries.size()));
  for (const FingerprintEntry& entry : entries) BB_TRY_VOID(writer.add(entry));
  return writer.finish();
}

KnownUrlsCounts KnownUrls::counts() const {
  KnownUrlsCounts counts = counts_;
  counts.memory = young_.bytes() + old_.bytes() + answers_.bytes();
  for_each_run([&](const Run& run) {
    ++counts.runs;
    counts.filters += run->memory();
    counts.blocks += run->kept();
    counts.disk += run->disk_bytes();
  });
  if (merge_) {  // its filter and its file grow while the old runs still exist
    for (const Run& run : merge_->from) {
      counts.filters += run->memory();
      counts.disk += run->disk_bytes();
    }
  }
  counts.memory += counts.filters + counts.blocks;
  counts.spilled = spilled_;
  return counts;
}

}  // namespace bowerbird
