#include "parse/text_words.h"

#include <array>

#include "base/rng.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

// For ASCII the letter in lower case, or 0; 1 for bytes beyond it.
constexpr std::array<std::uint8_t, 256> kFolded = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = static_cast<std::uint8_t>(c);
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = table[c - 32] = static_cast<std::uint8_t>(c);
  for (unsigned c = 0x80; c < 256; ++c) table[c] = 1;
  return table;
}();

bool is_separator(char32_t c) {
  return c < 0xAA || c == 0xAB || c == 0xBB || (c >= 0x2000 && c <= 0x206F) || (c >= 0x3000 && c <= 0x3003) ||
         (c >= 0x3008 && c <= 0x3020) || (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20);
}

// Scripts that put no spaces between words: Thai to Myanmar, Khmer, kana, CJK.
bool is_word_alone(char32_t c) {
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) ||
         (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

constexpr std::uint64_t kStart = 0xcbf29ce484222325u;
constexpr std::uint64_t kPrime = 0x100000001b3u;

}  // namespace

// Bytes are folded in one by one (FNV-1a), and the whole is mixed, since a simhash needs all bits to be good.
bool TextWords::next() {
  std::uint64_t hash = kStart;
  bool any = false;
  while (at_ < text_.size()) {
    const std::uint8_t folded = kFolded[static_cast<unsigned char>(text_[at_])];
    if (folded > 1) {
      if (!any) begin_ = at_;
      any = true;
      hash = (hash ^ folded) * kPrime;
      ++at_;
      continue;
    }
    if (folded == 0) {
      if (any) break;
      ++at_;
      continue;
    }
    const Utf8Step step = decode_utf8(text_.substr(at_));
    const bool alone = is_word_alone(step.code_point);
    const bool separator = step.valid && is_separator(step.code_point);
    if (any && (alone || separator)) break;
    if (!any) begin_ = at_;
    at_ += step.size;
    if (separator) continue;
    any = true;
    hash = (hash ^ step.code_point) * kPrime;
    if (alone) break;
  }
  hash_ = mix64(hash);
  return any;
}

}  // namespace bowerbird
