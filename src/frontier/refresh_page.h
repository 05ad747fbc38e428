// What the refresh queue keeps of a page, in 28 bytes: its slot in the queue of its host, and its record,
// which is looked up by its number.
//
// All that is asked of a page that rests is in the slot: eight of them are two lines of the processor's
// cache. Importance and rate are kept to five digits, the time until the page is looked at next to three,
// rounded up. Counts of changes are halved, with the days that belong to them, before they overflow: the rate
// stays what it was, and a page's record follows it if its habits change.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/ids.h"
#include "frontier/refresh_level.h"
#include "policy/change_rate.h"

namespace bowerbird {

// A number that is not negative: a float without sign and with 16 bits after the point.
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

// A span of time as 5 bits for its magnitude and 11 for its leading digits. Longer spans have larger codes.
class ShortSpan {
 public:
  static constexpr ShortSpan never() { return ShortSpan(0xffff); }
  static constexpr ShortSpan in_flight() { return ShortSpan(0xfffe); }

  ShortSpan() = default;
  // The longest that is not longer, and the shortest that is not shorter.
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
  ShortSpan rests;         // after `since`, until it is looked at again
  RefreshLevel level = 0;  // its value is below this level until then; 0: it offers nothing

  bool in_flight() const { return rests == ShortSpan::in_flight(); }
};
static_assert(sizeof(RefreshSlot) == 12);

struct RefreshRecord {
  Float24 importance;  // 0: the page is not known
  Float24 rate;
  std::uint8_t changes = 0, dated = 0;
  float change_days = 0;
  float days = 0;  // of visits; -1: it was never fetched

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
