// Payloads that are already stored: digest -> the page for which it was first stored, and when.
//
// Open addressing, 24 bytes per entry, at most three quarters full. 96 bits of the digest are kept: the
// probability that two different payloads of a crawl of 10^9 pages are confused is about 10^-11. With a
// memory limit there are two generations: when the young one is full it becomes the old one, and the old
// one is dropped. A dropped payload is stored again. Threads: one user.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "parse/fingerprint.h"

namespace bowerbird {

class KnownPayloads {
 public:
  struct Known {
    PageId page = kNoPage;
    std::int64_t time_us = 0;
    bool derived_id = true;  // FetchEntry
  };

  // bytes: memory limit; 0: none.
  explicit KnownPayloads(std::uint64_t bytes = 0) {
    if (bytes == 0) return;
    most_slots_ = 1024;
    while (most_slots_ * 4 * sizeof(Slot) <= bytes) most_slots_ *= 2;
  }

  std::optional<Known> find(const Sha1& digest) const {
    for (const std::vector<Slot>* slots : {&slots_, &old_}) {
      if (slots->empty()) continue;
      const Slot& slot = (*slots)[place(*slots, key_of(digest))];
      if (slot.page != kNoPage) return Known{slot.page, slot.time >> 1, (slot.time & 1) != 0};
    }
    return std::nullopt;
  }

  // Does nothing if the digest is already known.
  void add(const Sha1& digest, const Known& known) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    const Key key = key_of(digest);
    Slot& slot = slots_[place(slots_, key)];
    if (slot.page != kNoPage) return;
    slot = {key, known.page, known.time_us * 2 + (known.derived_id ? 1 : 0)};
    ++size_;
  }

  std::size_t size() const { return size_; }  // of the young generation
  std::uint64_t bytes() const { return (slots_.capacity() + old_.capacity()) * sizeof(Slot); }

 private:
  using Key = std::array<std::uint32_t, 3>;
  struct Slot {
    Key key{};
    PageId page = kNoPage;
    std::int64_t time = 0;  // 2 * time, plus 1 if derived_id
  };

  static Key key_of(const Sha1& digest) {
    Key key;
    std::memcpy(key.data(), digest.data(), sizeof key);
    return key;
  }
  // The slot of the key, or the free slot where it would be.
  static std::size_t place(const std::vector<Slot>& slots, const Key& key) {
    const std::size_t mask = slots.size() - 1;
    std::size_t at = key[0] & mask;
    while (slots[at].page != kNoPage && slots[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    if (slots_.size() >= most_slots_) {
      old_ = std::vector<Slot>(slots_.size());
      old_.swap(slots_);
      size_ = 0;
      return;
    }
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.page != kNoPage) slots_[place(slots_, slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<Slot> old_;
  std::size_t size_ = 0;  // of the young generation
  std::size_t most_slots_ = ~std::size_t{0};
};

}  // namespace bowerbird
