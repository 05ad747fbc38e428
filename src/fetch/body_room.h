// Limits the memory of all bodies that are being received.
//
// Problem: a thousand transfers may each receive a body of maximum size, and the memory limit must hold
// without truncating any. So a transfer takes room for each piece of its body. If there is no room, it waits:
// nothing is read from its server. One transfer may exceed the limit, so that one can always finish; it is
// *ahead*. If completed bodies fill the room, none need be ahead (one_more = false), since the caller will
// free them.
//
// Transfers slower than kSlowRate hold at most half of the room while others wait. If they hold more, the
// largest of them must be cancelled (take_slow), and none of them stays ahead. Small pieces are accepted even
// without room, because a waiting transfer cannot be told from a slow one otherwise. Invariant: at most nine
// eighths of the limit are taken, plus what transfers ahead have taken. Transfers are identified by
// address only. Times are in microseconds. Threads: one.
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

  // Changes the limit; 0: none. Room already taken stays taken. one_more: whether one transfer may be
  // ahead.
  void limit(std::uint64_t bytes, bool one_more = true) {
    limit_ = bytes;
    one_more_ = one_more;
  }
  std::uint64_t used() const { return used_; }
  bool any_waits() const { return !waiting_.empty(); }
  bool any_ahead() const { return ahead_ != nullptr; }

  // False: there is no room. The transfer waits until take_resumed() returns it.
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
  // The transfer has ended, and its room is free.
  void leave(Transfer* transfer) {
    const auto found = holders_.find(transfer);
    if (found == holders_.end()) return;
    used_ -= found->second.bytes;
    holders_.erase(found);
    if (ahead_ == transfer) ahead_ = nullptr;
    std::erase(waiting_, transfer);
  }
  // Transfers that may try again: all if half of the room is free; otherwise one, if none is ahead.
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
  // Transfers to be cancelled, because they hold too much room for their speed.
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
    std::uint64_t lately = 0;  // part of `bytes` taken after since_us
    std::int64_t since_us = 0;
    bool waits = false;
  };

  // Whether it was too slow in the last span of at least kSlowAfterUs; then the next span begins.
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
