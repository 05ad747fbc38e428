// Which payloads are stored already: digest -> the page it was first stored for, and when.
//
// Open addressing, 20 bytes an entry at most three quarters full. Of the digest 96 bits are kept: two
// payloads of a crawl of 10^9 pages are taken for one another with a probability of about 10^-11. Threads:
// one user.
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
    std::uint32_t second = 0;  // since 1970
  };

  std::optional<Known> find(const Sha1& digest) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[place(key_of(digest))];
    if (slot.known.page == kNoPage) return std::nullopt;
    return slot.known;
  }

  // Keeps what is known already.
  void add(const Sha1& digest, const Known& known) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    const Key key = key_of(digest);
    Slot& slot = slots_[place(key)];
    if (slot.known.page != kNoPage) return;
    slot = {key, known};
    ++size_;
  }

  std::size_t size() const { return size_; }

 private:
  using Key = std::array<std::uint32_t, 3>;
  struct Slot {
    Key key{};
    Known known;
  };

  static Key key_of(const Sha1& digest) {
    Key key;
    std::memcpy(key.data(), digest.data(), sizeof key);
    return key;
  }
  // Where the key is, or where it would go.
  std::size_t place(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key[0] & mask;
    while (slots_[at].known.page != kNoPage && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.known.page != kNoPage) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace bowerbird
