// How much of all bodies together may be in memory while they come in.
//
// Problem: a thousand transfers may each bring the longest body there may be, and a budget of memory must
// hold all the same, without cutting anything off. So a transfer takes room for each piece that comes; where
// there is none it waits (its server is simply not read from), except for one that is let go ahead, so that
// there is always one that ends. While bodies that have come in fill the room, none goes ahead: they end
// without our help.
//
// Transfers that bring less than kSlowRate hold at most half of the room while others wait: beyond that the
// largest of them are to be ended (take_slow), and none of them is the one ahead. So that they can be told
// from those that wait, small pieces are taken even where there is no room. Invariant: what is taken is at
// most nine eighths of the limit and what those that went ahead have. Transfers are known by their addresses
// alone. Times are in microseconds. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bowerbird {

template <typename Transfer>
class BodyRoom {
 public:
  static constexpr std::int64_t kSlowAfterUs = 2'000'000;
  static constexpr std::int64_t kSlowRate = 16 << 10;  // bytes per second
  static constexpr std::uint64_t kSmall = 4 << 10;

  // From here on; 0: none. What is taken stays. one_more: whether one transfer may go ahead.
  void limit(std::uint64_t bytes, bool one_more = true) {
    limit_ = bytes;
    one_more_ = one_more;
  }
  std::uint64_t used() const { return used_; }

  // False: there is no room, and the transfer waits until it is among those of take_resumed().
  bool take(Transfer* transfer, std::uint64_t bytes, std::int64_t now_us) {
    Holder& holder = holders_.try_emplace(transfer, Holder{0, 0, now_us, false}).first->second;
    if (limit_ > 0 && used_ + bytes > limit_ + (bytes <= kSmall ? limit_ / 8 : 0)) {
      if (ahead_ == nullptr && one_more_) ahead_ = transfer;
      if (ahead_ != transfer) {
        waiting_.push_back(transfer);
        holder.waits = true;
        return false;
      }
    }
    used_ += bytes;
    holder.bytes += bytes;
    holder.lately += bytes;
    return true;
  }
  // The transfer has ended, and what it had taken goes elsewhere.
  void leave(Transfer* transfer) {
    const auto found = holders_.find(transfer);
    if (found == holders_.end()) return;
    used_ -= found->second.bytes;
    holders_.erase(found);
    if (ahead_ == transfer) ahead_ = nullptr;
    std::erase(waiting_, transfer);
  }
  // Those that may try again: all where half of the room is free, else one where nobody is ahead.
  std::vector<Transfer*> take_resumed(std::int64_t now_us) {
    std::vector<Transfer*> resumed;
    if (waiting_.empty()) return resumed;
    if (limit_ == 0 || used_ <= limit_ / 2) {
      resumed.assign(waiting_.begin(), waiting_.end());
      waiting_.clear();
    } else if (ahead_ == nullptr && one_more_) {
      ahead_ = waiting_.front();
      resumed.push_back(ahead_);
      waiting_.pop_front();
    }
    for (Transfer* transfer : resumed) {
      Holder& holder = holders_.at(transfer);
      holder = {holder.bytes, 0, now_us, false};
    }
    return resumed;
  }
  // Those that are to be ended because they hold too much for how little they bring.
  std::vector<Transfer*> take_slow(std::int64_t now_us) {
    std::vector<Transfer*> slow;
    if (waiting_.empty()) return slow;
    std::uint64_t held = 0;
    for (auto& [transfer, holder] : holders_) {
      if (!is_slow(holder, now_us)) continue;
      if (ahead_ == transfer) ahead_ = nullptr;
      held += holder.bytes;
      slow.push_back(transfer);
    }
    std::ranges::sort(slow, std::greater(), [this](Transfer* one) { return holders_.at(one).bytes; });
    std::size_t ended = 0;
    for (; ended < slow.size() && held > limit_ / 2; ++ended) held -= holders_.at(slow[ended]).bytes;
    slow.resize(ended);
    return slow;
  }
  void clear() {
    used_ = 0;
    ahead_ = nullptr;
    waiting_.clear();
    holders_.clear();
  }

 private:
  struct Holder {
    std::uint64_t bytes = 0;
    std::uint64_t lately = 0;  // of those, since `since_us`
    std::int64_t since_us = 0;
    bool waits = false;
  };

  // Looks at one span of kSlowAfterUs after the other.
  static bool is_slow(Holder& holder, std::int64_t now_us) {
    const std::int64_t span = now_us - holder.since_us;
    if (holder.waits || span < kSlowAfterUs) return false;
    if (static_cast<std::int64_t>(holder.lately) < kSlowRate * (span / 1'000'000)) return true;
    holder.lately = 0;
    holder.since_us = now_us;
    return false;
  }

  std::uint64_t limit_ = 0;
  bool one_more_ = true;
  std::uint64_t used_ = 0;
  Transfer* ahead_ = nullptr;
  std::deque<Transfer*> waiting_;
  std::unordered_map<Transfer*, Holder> holders_;
};

}  // namespace bowerbird
