// How much of all bodies together may be in memory while they come in.
//
// Problem: a thousand transfers may each bring the longest body there may be, and a budget of memory must
// hold all the same, without cutting anything off. So a transfer takes room for each piece that comes; where
// there is none it waits (its server is simply not read from), except for one that is let go ahead, so that
// there is always one that ends. Invariant: what is taken is at most the limit and what the one ahead has.
// Transfers are known by their addresses alone. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace bowerbird {

template <typename Transfer>
class BodyRoom {
 public:
  // From here on; 0: none. What is taken stays.
  void limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t used() const { return used_; }

  // False: there is no room, and the transfer waits until it is among those of take_resumed().
  bool take(Transfer* transfer, std::uint64_t bytes) {
    if (limit_ > 0 && used_ + bytes > limit_) {
      if (ahead_ == nullptr) ahead_ = transfer;
      if (ahead_ != transfer) {
        waiting_.push_back(transfer);
        return false;
      }
    }
    used_ += bytes;
    return true;
  }
  // The transfer has ended, and what it had taken goes elsewhere.
  void leave(Transfer* transfer, std::uint64_t bytes) {
    used_ -= bytes;
    if (ahead_ == transfer) ahead_ = nullptr;
    std::erase(waiting_, transfer);
  }
  // Those that may try again: all where half of the room is free, else one where nobody is ahead.
  std::vector<Transfer*> take_resumed() {
    std::vector<Transfer*> resumed;
    if (waiting_.empty()) return resumed;
    if (limit_ == 0 || used_ <= limit_ / 2) {
      resumed.assign(waiting_.begin(), waiting_.end());
      waiting_.clear();
    } else if (ahead_ == nullptr) {
      ahead_ = waiting_.front();
      resumed.push_back(ahead_);
      waiting_.pop_front();
    }
    return resumed;
  }
  void clear() {
    used_ = 0;
    ahead_ = nullptr;
    waiting_.clear();
  }

 private:
  std::uint64_t limit_ = 0;
  std::uint64_t used_ = 0;
  Transfer* ahead_ = nullptr;
  std::deque<Transfer*> waiting_;
};

}  // namespace bowerbird
