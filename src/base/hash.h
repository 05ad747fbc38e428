// A fast 64-bit hash of bytes, the same on every machine and in every run, for tables that are stored on disk
// or must agree between processes. Not for keys chosen by an attacker.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/rng.h"

namespace bowerbird {

inline std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0) {
  __extension__ using Wide = unsigned __int128;
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  const auto word = [](const char* at) {
    std::uint64_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  constexpr std::uint64_t kOdd1 = 0x9e3779b97f4a7c15u, kOdd2 = 0xd1342543de82ef95u;
  std::uint64_t state = seed ^ (bytes.size() * kOdd1);
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 16; at += 16, left -= 16) state = fold(word(at) ^ kOdd1 ^ state, word(at + 8) ^ kOdd2);
  char tail[16] = {};
  if (left > 0) std::memcpy(tail, at, left);
  return mix64(fold(word(tail) ^ kOdd1 ^ state, word(tail + 8) ^ kOdd2) ^ state);
}

}  // namespace bowerbird
