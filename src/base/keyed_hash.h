// A hash for tables with untrusted keys: URLs, host names, links of a page.
//
// Problem: an attacker who knows a hash function can compute keys that collide, and turn a table into a list.
// This is SipHash-1-3 with a key that is drawn at random when the process starts and never leaves it. So
// values differ from run to run: never store them, send them, or let an order depend on them. If processes or
// runs must agree, and nobody gains by collisions, use hash64() (base/hash.h). Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bowerbird {

struct HashKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// SipHash-c-d with c rounds per word and d at the end [Aumasson, Bernstein: SipHash, 2012].
template <int kWordRounds, int kLastRounds>
std::uint64_t siphash(const HashKey& key, std::string_view bytes);

// Uses this process's key.
std::uint64_t keyed_hash(std::string_view bytes);

// For standard containers of strings.
struct KeyedStringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return keyed_hash(text); }
};

}  // namespace bowerbird
