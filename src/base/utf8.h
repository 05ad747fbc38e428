// UTF-8 by the Encoding Standard: invalid input becomes U+FFFD, one for each maximal part of a sequence that
// could still have become valid (Encoding Standard 8.1.1, Unicode 3.9 "U+FFFD substitution of maximal
// subparts").
//
// Pure functions; any bytes are input. Threads: none needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

inline constexpr char32_t kReplacement = 0xFFFD;

// One code point read from the front of a text.
struct Utf8Step {
  char32_t code_point;  // U+FFFD if the bytes are invalid
  std::uint32_t size;   // bytes used, at least 1
  bool valid;
};

// Reads one code point; `text` must not be empty.
Utf8Step decode_utf8(std::string_view text);

// Writes a code point at `at`, which has room for four bytes; returns its length. Surrogates and numbers past
// U+10FFFF become U+FFFD.
std::uint32_t encode_utf8(char32_t code_point, char* at);

// Appends a code point in the same way.
void append_utf8(std::string& out, char32_t code_point);

// Appends `text`, with its invalid parts replaced.
void append_as_valid_utf8(std::string& out, std::string_view text);

// The length of the ASCII at the front of `text`.
std::size_t ascii_run(std::string_view text);
bool is_ascii(std::string_view text);
bool is_valid_utf8(std::string_view text);

// How many bytes at the end of `text` (0 to 3) are the beginning of a sequence that more bytes could
// complete.
std::size_t incomplete_utf8_tail(std::string_view text);

}  // namespace bowerbird
