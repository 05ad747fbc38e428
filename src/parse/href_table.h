// Which hrefs of a page were seen before: those with the same text, up to the fragment, have the same target.
//
// Problem: on a page of documentation two thirds of the links repeat an earlier one, most with another
// fragment. Resolving, checking and looking them up again is most of the cost of links. Invariant: two hrefs
// with the same target() text have the same canonical URL, or neither has one. Ownership: the table keeps
// views; the texts must be valid until the next begin(). Once its memory has grown it allocates nothing.
// Threads: one user at a time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"

namespace bowerbird {

class HrefTable {
 public:
  // The part of an href that determines its target.
  static std::string_view target(std::string_view href) {
    const std::size_t mark = href.find('#');
    if (mark == std::string_view::npos || mark == 0) return href.substr(0, mark == 0 ? 0 : href.size());
    // A blank before the fragment belongs to the path, but would be trimmed at the end of the href.
    return static_cast<unsigned char>(href[mark - 1]) <= 0x20 ? href : href.substr(0, mark);
  }

  // Starts a new page.
  void begin() {
    used_ = 0;
    if (++turn_ != 0) return;
    slots_.assign(slots_.size(), Slot());
    turn_ = 1;
  }

  // The value stored with this text; fresh: it is new, and the value must be set. Valid until the next call.
  std::uint32_t& find(std::string_view text, bool& fresh) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(keyed_hash(text));
    Slot& slot = place(text, hash);
    fresh = slot.turn != turn_;
    if (fresh) {
      slot = {text, hash, turn_, 0};
      ++used_;
    }
    return slot.value;
  }

 private:
  struct Slot {
    std::string_view text;
    std::uint32_t hash = 0;
    std::uint32_t turn = 0;
    std::uint32_t value = 0;
  };

  Slot& place(std::string_view text, std::uint32_t hash) {
    std::size_t i = hash & (slots_.size() - 1);
    while (slots_[i].turn == turn_ && (slots_[i].hash != hash || slots_[i].text != text)) {
      i = (i + 1) & (slots_.size() - 1);
    }
    return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.turn == turn_) place(slot.text, slot.hash) = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  std::size_t used_ = 0;
  std::uint32_t turn_ = 0;
};

}  // namespace bowerbird
