// Finds a byte in HTML: distances are short (tens of bytes), so the search is inline, 16 bytes at a time if
// the processor has SSE2.
//
// Each returns the first hit in [p, end), or end. Never reads outside [p, end).
#pragma once

#include <cstddef>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bowerbird {

#ifdef __SSE2__
namespace find_detail {
inline __m128i load(const char* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
inline unsigned equal_mask(__m128i block, char c) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(c))));
}
}  // namespace find_detail
#endif

inline const char* find_byte(const char* p, const char* end, char c) {
#ifdef __SSE2__
  for (; end - p >= 16; p += 16) {
    const unsigned mask = find_detail::equal_mask(find_detail::load(p), c);
    if (mask != 0) return p + __builtin_ctz(mask);
  }
#endif
  while (p < end && *p != c) ++p;
  return p;
}

inline const char* find_either(const char* p, const char* end, char a, char b) {
#ifdef __SSE2__
  for (; end - p >= 16; p += 16) {
    const __m128i block = find_detail::load(p);
    const unsigned mask = find_detail::equal_mask(block, a) | find_detail::equal_mask(block, b);
    if (mask != 0) return p + __builtin_ctz(mask);
  }
#endif
  while (p < end && *p != a && *p != b) ++p;
  return p;
}

// The first of white space, any other control character, '/', '>' and, with `equals`, '='.
template <bool equals>
inline const char* find_end_of_name(const char* p, const char* end) {
#ifdef __SSE2__
  const __m128i blank = _mm_set1_epi8(0x20);
  for (; end - p >= 16; p += 16) {
    const __m128i block = find_detail::load(p);
    unsigned mask =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(block, blank), block))) |
        find_detail::equal_mask(block, '/') | find_detail::equal_mask(block, '>');
    if (equals) mask |= find_detail::equal_mask(block, '=');
    if (mask != 0) return p + __builtin_ctz(mask);
  }
#endif
  while (p<end&& static_cast<unsigned char>(*p)> 0x20 && *p != '/' && *p != '>' && !(equals && *p == '='))
    ++p;
  return p;
}

// The first byte that cannot be copied unchanged into a decoded value: '&', NUL, CR or non-ASCII.
inline const char* find_special(const char* p, const char* end) {
#ifdef __SSE2__
  for (; end - p >= 16; p += 16) {
    const __m128i block = find_detail::load(p);
    const unsigned mask = find_detail::equal_mask(block, '&') | find_detail::equal_mask(block, '\0') |
                          find_detail::equal_mask(block, '\r') |
                          static_cast<unsigned>(_mm_movemask_epi8(block));
    if (mask != 0) return p + __builtin_ctz(mask);
  }
#endif
  while (p < end && *p != '&' && *p != '\0' && *p != '\r' && static_cast<unsigned char>(*p) < 0x80) ++p;
  return p;
}

}  // namespace bowerbird
