// Character references of HTML: "&amp;", "&eacute", "&#x20AC;" (HTML standard 13.2.5.72 to 13.2.5.80,
// names 13.5).
//
// Pure; reads nothing outside the given text. Threads: none needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bowerbird {

struct CharacterReference {
  std::uint32_t size = 0;  // its length in bytes, with the '&'; 0: not a reference, the '&' is literal
  char32_t first = 0;      // its code point
  char32_t second = 0;     // its second code point, or 0
};

// Reads the reference at the front of `text`, which begins with '&'. In an attribute a name without ';' that
// is followed by '=', a letter or a digit is not a reference ("?a=1&copy=2").
CharacterReference read_character_reference(std::string_view text, bool in_attribute);

// How many names the standard has, and how many of those may lack the ';'. For tests.
std::size_t named_reference_count(bool without_semicolon);

}  // namespace bowerbird
