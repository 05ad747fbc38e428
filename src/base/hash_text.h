// A 64-bit hash of text, the same on every machine and in every build: what a host's ways are drawn from,
// which process a site belongs to. Not for an adversary: whoever knows the function can make collisions.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/rng.h"

namespace bowerbird {

inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t hash = mix64(seed ^ (text.size() * 0x9e3779b97f4a7c15u));
  while (text.size() >= 8) {
    std::uint64_t block = 0;
    std::memcpy(&block, text.data(), 8);
    hash = mix64(hash ^ block) + 0x632be59bd9b4e019u;
    text.remove_prefix(8);
  }
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    tail |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return mix64(hash ^ tail);
}

}  // namespace bowerbird
