// Sorts any number of small records of a fixed size in a fixed amount of memory.
//
// Records are collected in memory; when that is full they are sorted and appended to a temporary file, a run.
// finish() merges the runs and visits all records in order, equal ones in any. What fits into memory never
// touches the disk. Threads: one user at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/scratch_file.h"

namespace bowerbird {

template <typename T, typename Less = std::less<T>>
class DiskSorter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t kMemory = std::size_t{32} << 20;

  explicit DiskSorter(std::size_t memory = kMemory, Less less = {})
      : most_(std::max<std::size_t>(memory / sizeof(T), 2)), less_(std::move(less)) {}

  Status add(const T& record) {
    records_.push_back(record);
    ++count_;
    return records_.size() >= most_ ? spill() : Status();
  }
  std::uint64_t count() const { return count_; }
  // How many runs are on disk.
  std::size_t runs() const { return runs_.size(); }

  // `visit(record)` returns a Status. Once.
  template <typename Visit>
  Status finish(const Visit& visit) {
    if (runs_.empty()) {
      std::sort(records_.begin(), records_.end(), less_);
      for (const T& record : records_) BB_TRY_VOID(visit(record));
      records_ = {};
      return {};
    }
    if (!records_.empty()) BB_TRY_VOID(spill());
    records_ = {};
    return merge(visit);
  }

 private:
  struct Run {
    std::uint64_t at;   // records, from the beginning of the file
    std::uint64_t end;  // one past the last
    std::vector<T> piece;
    std::size_t used = 0;

    const T& front() const { return piece[used]; }
  };

  Status spill() {
    if (file_ == nullptr) {
      BB_TRY(file_, ScratchFile::make());
    }
    std::sort(records_.begin(), records_.end(), less_);
    const std::uint64_t begin = file_->size() / sizeof(T);
    BB_TRY_VOID(file_->append({reinterpret_cast<const char*>(records_.data()), records_.size() * sizeof(T)}));
    runs_.push_back({begin, begin + records_.size(), {}, 0});
    records_.clear();
    return {};
  }

  // Reads the next piece of a run if the last one is used up. Whether there is a record.
  Result<bool> refill(Run& run, std::size_t piece) {
    if (run.used < run.piece.size()) return true;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece, run.end - run.at));
    run.piece.resize(size);
    run.used = 0;
    if (size == 0) return false;
    BB_TRY_VOID(file_->read(run.at * sizeof(T), reinterpret_cast<char*>(run.piece.data()), size * sizeof(T)));
    run.at += size;
    return true;
  }

  template <typename Visit>
  Status merge(const Visit& visit) {
    const std::size_t piece = std::max<std::size_t>(most_ / runs_.size(), 1);
    const auto later = [&](std::size_t a, std::size_t b) {
      return less_(runs_[b].front(), runs_[a].front());
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> heads(later);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      BB_TRY(const bool more, refill(runs_[i], piece));
      if (more) heads.push(i);
    }
    while (!heads.empty()) {
      const std::size_t first = heads.top();
      heads.pop();
      BB_TRY_VOID(visit(runs_[first].front()));
      ++runs_[first].used;
      BB_TRY(const bool more, refill(runs_[first], piece));
      if (more) heads.push(first);
    }
    return {};
  }

  std::size_t most_;  // records in memory
  Less less_;
  std::vector<T> records_;
  std::unique_ptr<ScratchFile> file_;
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
};

}  // namespace bowerbird
