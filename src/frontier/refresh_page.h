// The data of a page in the refresh queue, in 28 bytes: its slot in the queue of its host, and its record,
// which is looked up by its number.
//
// The slot has everything that a value depends on, so that pages are checked and filed without their records,
// each of which is a cache miss; only visits need them. Importance and rate are kept to five digits, the time
// until the page is checked again to three, rounded up. Counts of changes are halved, with the days that
// belong to them, before they overflow: the rate stays the same, and newer visits have more weight.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/ids.h"
#include "frontier/refresh_level.h"
#include "policy/change_rate.h"

namespace bowerbird {

// A non-negative number: an unsigned float with 16 bits of fraction.
class Float24 {
 public:
  Float24() = default;
  explicit Float24(double value) {
    const auto bits = (std::bit_cast<std::uint32_t>(static_cast<float>(value)) + 0x40u) >> 7;
    for (unsigned i = 0; i < 3; ++i) bytes_[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  operator double() const {  // NOLINT(google-explicit-constructor): it is a number
    const std::uint32_t bits = bytes_[0] | std::uint32_t{bytes_[1]} << 8 | std::uint32_t{bytes_[2]} << 16;
    return std::bit_cast<float>(bits << 7);
  }

 private:
  std::array<std::uint8_t, 3> bytes_{};
};

// A duration as 5 bits of exponent and 11 of leading digits. Longer durations have larger codes.
class ShortSpan {
 public:
  static constexpr ShortSpan never() { return ShortSpan(0xffff); }
  static constexpr ShortSpan in_flight() { return ShortSpan(0xfffe); }
  static constexpr ShortSpan postponed() { return ShortSpan(0xfffd); }  // the queue knows until when

  ShortSpan() = default;
  // Rounded down, and rounded up.
  static constexpr ShortSpan at_most(std::uint32_t ticks) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(ticks)) - 12);
    return ShortSpan(
        static_cast<std::uint16_t>((static_cast<std::uint32_t>(shift) << 11) + (ticks >> shift)));
  }
  static constexpr ShortSpan at_least(std::uint32_t ticks) {
    const ShortSpan span = at_most(ticks);
    return span.ticks() < ticks ? span.next_longer() : span;
  }
  friend constexpr bool operator==(ShortSpan, ShortSpan) = default;
  constexpr ShortSpan next_longer() const { return ShortSpan(static_cast<std::uint16_t>(code_ + 1)); }
  constexpr std::uint64_t ticks() const {
    const unsigned magnitude = code_ >> 11;
    if (magnitude == 0) return code_;
    return std::uint64_t{(code_ & 0x7ffu) | 0x800u} << (magnitude - 1);
  }

 private:
  explicit constexpr ShortSpan(std::uint16_t code) : code_(code) {}
  std::uint16_t code_ = 0;
};

// A number of four bytes that is aligned like one of two.
template <typename T>
class Halves {
  static_assert(sizeof(T) == 4);

 public:
  Halves() = default;
  Halves(T value)  // NOLINT(google-explicit-constructor): it is a number
      : halves_(std::bit_cast<std::array<std::uint16_t, 2>>(value)) {}
  operator T() const { return std::bit_cast<T>(halves_); }  // NOLINT(google-explicit-constructor)

 private:
  std::array<std::uint16_t, 2> halves_{};
};

struct RefreshSlot {
  Halves<PageId> page;
  // the tick of the last fetch, or of the discovery of a page that was never fetched
  Halves<std::uint32_t> since;
  ShortSpan rests;         // how long after `since` it is checked again
  RefreshLevel level = 0;  // its value is below this level until then; 0: it is not a candidate
  Float24 importance;
  Float24 rate;

  bool in_flight() const { return rests == ShortSpan::in_flight(); }
  bool postponed() const { return rests == ShortSpan::postponed(); }
  // Whether it waits for a known time, whatever its value is.
  bool waits() const { return level == 0 && rests != ShortSpan::never(); }
};
static_assert(sizeof(RefreshSlot) == 18);

// What visits have shown. All zero: the page is not known.
class RefreshRecord {
 public:
  bool known() const { return days_ != 0; }
  bool is_new() const { return days_ < 0; }
  // It was never fetched.
  void set_new() { days_ = -1.0F; }
  ChangeHistory history() const {
    return {static_cast<double>(changes_), static_cast<double>(dated_), change_days_,
            std::max(0.0F, days_ - 1)};
  }
  // It was fetched.
  void set_history(ChangeHistory history) {
    constexpr double kMost = 255;
    while (history.changes > kMost || history.dated > kMost) {
      history.changes /= 2;
      history.dated /= 2;
      history.change_days /= 2;
      history.days /= 2;
    }
    changes_ = static_cast<std::uint8_t>(history.changes + 0.5);
    dated_ = static_cast<std::uint8_t>(history.dated + 0.5);
    change_days_ = static_cast<float>(history.change_days);
    days_ = static_cast<float>(1 + history.days);
  }
  bool is_sound() const {
    return std::isfinite(change_days_) && change_days_ >= 0 && std::isfinite(days_) &&
           (days_ >= 1 || days_ == 0 || days_ == -1);
  }

 private:
  std::uint8_t changes_ = 0, dated_ = 0;
  Halves<float> change_days_;
  Halves<float> days_;  // one more than the total of all visits; -1: it was never fetched; 0: not known
};
static_assert(sizeof(RefreshRecord) == 10);

}  // namespace bowerbird
