#include "parse/sha1_pairs.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace bowerbird {

#ifdef __x86_64__

namespace {

constexpr std::size_t kBlock = 64;

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b >> 29 & 1) == 0) return false;  // SHA
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c >> 19 & 1) != 0;                      // SSE4.1
}

// One message in progress: its whole blocks, then the rest with the padding (FIPS 180-4, 5.1.1).
struct Lane {
  alignas(16) std::uint32_t state[5];
  const std::uint8_t* at;
  std::size_t blocks;  // from `at` on
  bool at_end;         // these are the last
  std::uint8_t end[2 * kBlock];
  std::size_t end_blocks;
  Sha1* digest;

  void begin(std::string_view message, Sha1& to) {
    constexpr std::uint32_t kStart[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    std::copy(std::begin(kStart), std::end(kStart), state);
    at = reinterpret_cast<const std::uint8_t*>(message.data());
    blocks = message.size() / kBlock;
    digest = &to;
    at_end = false;
    const std::size_t rest = message.size() % kBlock;
    end_blocks = rest + 9 <= kBlock ? 1 : 2;
    std::memset(end, 0, sizeof end);
    if (rest > 0) std::memcpy(end, at + blocks * kBlock, rest);
    end[rest] = 0x80;
    for (std::size_t i = 0; i < 8; ++i) {
      end[end_blocks * kBlock - 1 - i] =
          static_cast<std::uint8_t>(std::uint64_t{message.size()} * 8 >> (8 * i));
    }
    if (blocks == 0) go_to_end();
  }
  void go_to_end() {
    at = end;
    blocks = end_blocks;
    at_end = true;
  }
  // True if the message is done.
  bool pass(std::size_t count) {
    at += count * kBlock;
    blocks -= count;
    if (blocks > 0) return false;
    if (!at_end) {
      go_to_end();
      return false;
    }
    for (std::size_t i = 0; i < 20; ++i) {
      (*digest)[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    }
    return true;
  }
};

// Four rounds, the `group`-th of twenty, of `lanes` messages.
#define SHA1_ROUNDS(group, kind)                                                                             \
  for (int l = 0; l < lanes; ++l) {                                                                          \
    __m128i* const words = w[l];                                                                             \
    if ((group) >= 4) {                                                                                      \
      words[(group) % 4] =                                                                                   \
          _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(words[(group) % 4], words[((group) + 1) % 4]), \
                                           words[((group) + 2) % 4]),                                        \
                             words[((group) + 3) % 4]);                                                      \
    }                                                                                                        \
    const __m128i sum =                                                                                      \
        (group) == 0 ? _mm_add_epi32(e[l], words[0]) : _mm_sha1nexte_epu32(before[l], words[(group) % 4]);   \
    before[l] = abcd[l];                                                                                     \
    abcd[l] = _mm_sha1rnds4_epu32(abcd[l], sum, kind);                                                       \
  }

// `count` blocks of each lane.
template <int lanes>
__attribute__((target("sha,sse4.1"))) void run_blocks(Lane* const* lane, std::size_t count) {
  const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i abcd[lanes], e[lanes], w[lanes][4];
  for (int l = 0; l < lanes; ++l) {
    abcd[l] = _mm_shuffle_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(lane[l]->state)), 0x1b);
    e[l] = _mm_set_epi32(static_cast<int>(lane[l]->state[4]), 0, 0, 0);
  }
  for (std::size_t block = 0; block < count; ++block) {
    __m128i abcd_then[lanes], e_then[lanes], before[lanes];
    for (int l = 0; l < lanes; ++l) {
      abcd_then[l] = abcd[l];
      e_then[l] = e[l];
      const auto* const words = reinterpret_cast<const __m128i*>(lane[l]->at + block * kBlock);
      for (int i = 0; i < 4; ++i) w[l][i] = _mm_shuffle_epi8(_mm_loadu_si128(words + i), order);
    }
    SHA1_ROUNDS(0, 0)
    SHA1_ROUNDS(1, 0)
    SHA1_ROUNDS(2, 0)
    SHA1_ROUNDS(3, 0)
    SHA1_ROUNDS(4, 0)
    SHA1_ROUNDS(5, 1) SHA1_ROUNDS(6, 1) SHA1_ROUNDS(7, 1) SHA1_ROUNDS(8, 1) SHA1_ROUNDS(9, 1)
        SHA1_ROUNDS(10, 2) SHA1_ROUNDS(11, 2) SHA1_ROUNDS(12, 2) SHA1_ROUNDS(13, 2) SHA1_ROUNDS(14, 2)
            SHA1_ROUNDS(15, 3) SHA1_ROUNDS(16, 3) SHA1_ROUNDS(17, 3) SHA1_ROUNDS(18, 3)
                SHA1_ROUNDS(19, 3) for (int l = 0; l < lanes; ++l) {
      e[l] = _mm_sha1nexte_epu32(before[l], e_then[l]);
      abcd[l] = _mm_add_epi32(abcd[l], abcd_then[l]);
    }
  }
  for (int l = 0; l < lanes; ++l) {
    _mm_store_si128(reinterpret_cast<__m128i*>(lane[l]->state), _mm_shuffle_epi32(abcd[l], 0x1b));
    lane[l]->state[4] = static_cast<std::uint32_t>(_mm_extract_epi32(e[l], 3));
  }
}

#undef SHA1_ROUNDS

}  // namespace

void sha1_of_all(std::span<const std::string_view> messages, std::span<Sha1> digests) {
  CHECK(messages.size() == digests.size());
  static const bool fast = has_instructions();
  if (!fast || messages.size() < 2) {
    std::transform(messages.begin(), messages.end(), digests.begin(), sha1);
    return;
  }
  Lane memory[2];
  Lane* lanes[2] = {&memory[0], &memory[1]};
  memory[0].begin(messages[0], digests[0]);
  memory[1].begin(messages[1], digests[1]);
  std::size_t next = 2;
  for (;;) {
    const std::size_t count = std::min(memory[0].blocks, memory[1].blocks);
    run_blocks<2>(lanes, count);
    std::size_t left = 0;  // lanes with work left come first
    for (Lane* const lane : {lanes[0], lanes[1]}) {
      if (lane->pass(count)) {
        if (next == messages.size()) continue;
        lane->begin(messages[next], digests[next]);
        ++next;
      }
      lanes[left++] = lane;
    }
    if (left == 2) continue;
    while (left == 1) {
      const std::size_t rest = lanes[0]->blocks;
      run_blocks<1>(lanes, rest);
      if (lanes[0]->pass(rest)) left = 0;
    }
    return;
  }
}

#else

void sha1_of_all(std::span<const std::string_view> messages, std::span<Sha1> digests) {
  CHECK(messages.size() == digests.size());
  std::transform(messages.begin(), messages.end(), digests.begin(), sha1);
}

#endif

}  // namespace bowerbird
