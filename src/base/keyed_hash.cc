#include "base/keyed_hash.h"

#include <sys/random.h>

#include <bit>
#include <cstring>

#include "base/check.h"

namespace bowerbird {

namespace {

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
};

HashKey random_key() {
  HashKey key;
  CHECK(::getrandom(&key, sizeof key, 0) == sizeof key);
  return key;
}

}  // namespace

template <int kWordRounds, int kLastRounds>
std::uint64_t siphash(const HashKey& key, std::string_view bytes) {
  SipState state{key.low ^ 0x736f6d6570736575u, key.high ^ 0x646f72616e646f6du, key.low ^ 0x6c7967656e657261u,
                 key.high ^ 0x7465646279746573u};
  const auto take = [&state](std::uint64_t word) {
    state.v3 ^= word;
    for (int i = 0; i < kWordRounds; ++i) state.round();
    state.v0 ^= word;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    take(word);
  }
  std::uint64_t last = std::uint64_t{bytes.size() & 0xff} << 56;
  if (at < bytes.size()) std::memcpy(&last, bytes.data() + at, bytes.size() - at);
  take(last);
  state.v2 ^= 0xff;
  for (int i = 0; i < kLastRounds; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

template std::uint64_t siphash<1, 3>(const HashKey&, std::string_view);
template std::uint64_t siphash<2, 4>(const HashKey&, std::string_view);

std::uint64_t keyed_hash(std::string_view bytes) {
  static const HashKey key = random_key();
  return siphash<1, 3>(key, bytes);
}

}  // namespace bowerbird
