#include "parse/text_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/byte_block.h"
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

std::uint8_t folded(char c) {
  return kFolded[static_cast<unsigned char>(c)];
}

bool is_separator(char32_t c) {
  return c < 0xAA || c == 0xAB || c == 0xBB || (c >= 0x2000 && c <= 0x206F) || (c >= 0x3000 && c <= 0x3003) ||
         (c >= 0x3008 && c <= 0x3020) || (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20);
}

// Scripts that put no spaces between words: Thai to Myanmar, Khmer, kana, CJK.
bool is_word_alone(char32_t c) {
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) ||
         (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

// Eight bytes are gathered, then mixed in: a simhash needs every bit of the hash to be good.
class WordHash {
 public:
  void add(std::uint64_t unit) {
    gathered_ = gathered_ << 8 ^ unit;
    if (++count_ % 8 == 0) mix();
  }
  // The units of [begin, end), letters and digits of ASCII; nothing is read from `limit` on.
  void add(const char* begin, const char* end, const char* limit) {
    for (const char* at = begin; at < end; at += 8) {
      const std::size_t size = std::min<std::size_t>(8, static_cast<std::size_t>(end - at));
      std::uint64_t eight = 0;
      if (limit - at >= 8) {
        std::memcpy(&eight, at, 8);
      } else {
        std::memcpy(&eight, at, size);
      }
      eight |= 0x2020202020202020u;  // letters become small, digits stay
      if constexpr (std::endian::native == std::endian::little) eight = __builtin_bswap64(eight);
      count_ += size;
      gathered_ = eight >> (8 * (8 - size));
      if (size == 8) mix();
    }
  }
  std::uint64_t finish() {
    gathered_ += count_;
    mix();
    return state_;
  }

 private:
  void mix() {
    state_ = mix64(state_ ^ gathered_);
    gathered_ = 0;
  }
  std::uint64_t state_ = 0x9e3779b97f4a7c15u;
  std::uint64_t gathered_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

bool TextWords::next() {
  const char* const text = text_.data();
  const char* const end = text + text_.size();
  const ByteRun run =
      find_run(text + at_, end, [](const ByteBlock& block) { return block.letters_and_digits(); });
  const auto begin = static_cast<std::size_t>(run.begin - text);
  if (run.end < end && folded(*run.end) != 0) return next_beyond_ascii(begin);
  WordHash hash;
  hash.add(run.begin, run.end, end);
  begin_ = begin;
  at_ = static_cast<std::size_t>(run.end - text);
  hash_ = hash.finish();
  return run.begin < run.end;
}

// The same from `at` on, character by character.
bool TextWords::next_beyond_ascii(std::size_t at) {
  const char* const data = text_.data();
  const std::size_t size = text_.size();
  begin_ = at;
  WordHash hash;
  bool any = false;
  while (at < size) {
    const std::uint8_t letter = folded(data[at]);
    if (letter > 1) {
      any = true;
      hash.add(letter);
      ++at;
      continue;
    }
    if (letter == 0) {
      if (any) break;
      begin_ = ++at;
      continue;
    }
    const Utf8Step step = decode_utf8(text_.substr(at));
    const bool alone = is_word_alone(step.code_point);
    const bool separator = step.valid && is_separator(step.code_point);
    if (any && (alone || separator)) break;
    at += step.size;
    if (separator) {
      begin_ = at;
      continue;
    }
    any = true;
    hash.add(step.code_point);
    if (alone) break;
  }
  at_ = at;
  hash_ = hash.finish();
  return any;
}

}  // namespace bowerbird
