#include "base/utf8.h"

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bowerbird {

namespace {

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

// The meaning of a lead byte: the length of the sequence and the range of its second byte; length 0 if it is
// not a lead byte.
struct Lead {
  std::uint8_t length;
  std::uint8_t low;
  std::uint8_t high;
};

constexpr Lead lead_of(std::uint8_t byte) {
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// How many bytes from the front fit a sequence that begins with `lead`; at most its length.
std::uint32_t fitting(std::string_view text, Lead lead) {
  std::uint32_t n = 1;
  std::uint8_t low = lead.low;
  std::uint8_t high = lead.high;
  while (n < lead.length && n < text.size() && byte_at(text, n) >= low && byte_at(text, n) <= high) {
    ++n;
    low = 0x80;
    high = 0xBF;
  }
  return n;
}

}  // namespace

Utf8Step decode_utf8(std::string_view text) {
  const std::uint8_t first = byte_at(text, 0);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = lead_of(first);
  if (lead.length == 0) return {kReplacement, 1, false};
  const std::uint32_t n = fitting(text, lead);
  if (n < lead.length) return {kReplacement, n, false};
  char32_t code_point = first & (0x7Fu >> lead.length);
  for (std::uint32_t i = 1; i < n; ++i) code_point = (code_point << 6) | (byte_at(text, i) & 0x3Fu);
  return {code_point, n, true};
}

std::uint32_t encode_utf8(char32_t c, char* at) {
  const auto low_bits = [c](unsigned shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    at[0] = static_cast<char>(c);
    return 1;
  }
  if (c < 0x800) {
    at[0] = static_cast<char>(0xC0 | (c >> 6));
    at[1] = low_bits(0);
    return 2;
  }
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return encode_utf8(kReplacement, at);
  if (c < 0x10000) {
    at[0] = static_cast<char>(0xE0 | (c >> 12));
    at[1] = low_bits(6);
    at[2] = low_bits(0);
    return 3;
  }
  at[0] = static_cast<char>(0xF0 | (c >> 18));
  at[1] = low_bits(12);
  at[2] = low_bits(6);
  at[3] = low_bits(0);
  return 4;
}

void append_utf8(std::string& out, char32_t c) {
  char bytes[4];
  out.append(bytes, encode_utf8(c, bytes));
}

void append_as_valid_utf8(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t plain = ascii_run(text);
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Utf8Step step = decode_utf8(text);
    if (step.valid) {
      out.append(text.data(), step.size);
    } else {
      append_utf8(out, kReplacement);
    }
    text.remove_prefix(step.size);
  }
}

std::size_t ascii_run(std::string_view text) {
  std::size_t i = 0;
#ifdef __SSE2__
  for (; i + 16 <= text.size(); i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
    const int mask = _mm_movemask_epi8(block);
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(mask)));
  }
#endif
  while (i < text.size() && byte_at(text, i) < 0x80) ++i;
  return i;
}

bool is_ascii(std::string_view text) {
  return ascii_run(text) == text.size();
}

bool is_valid_utf8(std::string_view text) {
  for (;;) {
    text.remove_prefix(ascii_run(text));
    if (text.empty()) return true;
    const Utf8Step step = decode_utf8(text);
    if (!step.valid) return false;
    text.remove_prefix(step.size);
  }
}

std::size_t incomplete_utf8_tail(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const std::string_view tail = text.substr(text.size() - back);
    const std::uint8_t first = byte_at(tail, 0);
    if (first < 0x80) return 0;
    const Lead lead = lead_of(first);
    if (lead.length > 0) return fitting(tail, lead) == back && back < lead.length ? back : 0;
  }
  return 0;
}

}  // namespace bowerbird
