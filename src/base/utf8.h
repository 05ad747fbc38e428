// UTF-8, one code point at a time, after the decoder of the WHATWG Encoding Standard (section 8.1): a
// malformed sequence is one U+FFFD for each maximal part that could have begun a character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

constexpr char32_t kReplacementCharacter = 0xfffd;

struct Utf8Step {
  char32_t code;      // kReplacementCharacter where the bytes are malformed
  std::uint8_t size;  // bytes consumed, at least 1
  bool valid;
};

// The code point at the front of `text`, which is not empty.
inline Utf8Step utf8_front(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xc2 || lead > 0xf4) return {kReplacementCharacter, 1, false};
  const std::uint8_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The second byte's range shuts out overlong forms, surrogates and what lies beyond U+10FFFF.
  unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  char32_t code = lead & (0x7fu >> size);
  for (std::uint8_t i = 1; i < size; ++i) {
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {kReplacementCharacter, i, false};
    code = (code << 6) | (byte(i) & 0x3fu);
    low = 0x80;
    high = 0xbf;
  }
  return {code, size, true};
}

inline void append_utf8(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  }
}

}  // namespace bowerbird
