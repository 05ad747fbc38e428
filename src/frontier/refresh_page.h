// The data of a page in the refresh queue, in 28 bytes: its slot in the queue of its host, and its record,
// which is looked up by its number.
//
// The slot has everything that is needed of a resting page: eight slots are two cache lines. Importance and
// rate are kept to five digits, the time until the page is checked again to three, rounded up. Counts of
// changes are halved, with the days that belong to them, before they overflow: the rate stays the same, and
// follows if the page changes more or less often.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

struct RefreshSlot {
  PageId page = 0;
  std::uint32_t since =
      0;                   // the tick of the last fetch, or of the discovery of a page that was never fetched
  ShortSpan rests;         // after `since`, until it is checked again
  RefreshLevel level = 0;  // its value is below this level until then; 0: it is not a candidate

  bool in_flight() const { return rests == ShortSpan::in_flight(); }
  bool postponed() const { return rests == ShortSpan::postponed(); }
  // Whether it waits for a known time, whatever its value is.
  bool waits() const { return level == 0 && rests != ShortSpan::never(); }
};
static_assert(sizeof(RefreshSlot) == 12);

struct RefreshRecord {
  Float24 importance;  // 0: the page is not known
  Float24 rate;
  std::uint8_t changes = 0, dated = 0;
  float change_days = 0;
  float days = 0;  // total of all visits; -1: it was never fetched

  bool known() const { return importance > 0; }
  bool is_new() const { return days < 0; }
  ChangeHistory history() const {
    return {static_cast<double>(changes), static_cast<double>(dated), change_days, std::max(0.0F, days)};
  }
  void set_history(ChangeHistory history) {
    constexpr double kMost = 255;
    while (history.changes > kMost || history.dated > kMost) {
      history.changes /= 2;
      history.dated /= 2;
      history.change_days /= 2;
      history.days /= 2;
    }
    changes = static_cast<std::uint8_t>(history.changes + 0.5);
    dated = static_cast<std::uint8_t>(history.dated + 0.5);
    change_days = static_cast<float>(history.change_days);
    days = static_cast<float>(history.days);
  }
};
static_assert(sizeof(RefreshRecord) == 16);

}  // namespace bowerbird
