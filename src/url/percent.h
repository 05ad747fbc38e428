// Percent-encoding: which bytes must be escaped in each part of a URL, encoding, and normalising escapes.
//
// append_encoded() is the WHATWG URL Standard's "UTF-8 percent-encode" (section 1.3), as browsers do with a
// link; existing escapes stay unchanged. append_query() does the same in the encoding of the page.
// normalise_escapes() produces the normal form of RFC 3986, section 6.2.2: escapes of unreserved characters
// are resolved, hexadecimal digits are upper case, and characters that RFC 3986 does not allow unescaped are
// escaped, including a '%' that begins no escape. Pure functions on bytes; threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "encoding/encoding.h"

namespace bowerbird {

// Sets of bytes, as bits of kByteSets.
enum ByteSet : std::uint16_t {
  kFragmentSet = 1,         // the standard's percent-encode sets: what must be escaped
  kQuerySet = 1 << 1,       // (special-query: that of http and https)
  kPathSet = 1 << 2,        //
  kUserinfoSet = 1 << 3,    //
  kForbiddenHost = 1 << 4,  // forbidden domain code points
  kUnreserved = 1 << 5,     // RFC 3986, section 2.3
  kNotUri = 1 << 6,         // not allowed unescaped in a path or query by RFC 3986; without '%'
  kSchemeByte = 1 << 7,     // allowed in a scheme
  kPlainHost = 1 << 8,      // allowed in a host unchanged: lower case letters, digits, '-', '.', '_'
};

namespace percent_detail {

constexpr bool is_one_of(unsigned c, std::string_view set) {
  return c < 0x80 && set.find(static_cast<char>(c)) != std::string_view::npos;
}

constexpr std::uint16_t sets_of(unsigned c) {
  const bool control = c < 0x20 || c > 0x7e;
  const bool lower = c >= 'a' && c <= 'z';
  const bool alpha = lower || (c >= 'A' && c <= 'Z');
  const bool digit = c >= '0' && c <= '9';
  unsigned sets = 0;
  if (control || is_one_of(c, " \"<>`")) sets |= kFragmentSet;
  if (control || is_one_of(c, " \"#<>'")) sets |= kQuerySet;
  if (control || is_one_of(c, " \"#<>?^`{}")) sets |= kPathSet;
  if (control || is_one_of(c, " \"#<>?^`{}/:;=@[\\]|")) sets |= kUserinfoSet;
  if (c <= 0x20 || c == 0x7f || is_one_of(c, "#/:<>?@[\\]^|%")) sets |= kForbiddenHost;
  if (alpha || digit || is_one_of(c, "-._~")) sets |= kUnreserved;
  if (control || is_one_of(c, " \"<>[\\]^`{|}")) sets |= kNotUri;
  if (alpha || digit || is_one_of(c, "+-.")) sets |= kSchemeByte;
  if (lower || digit || is_one_of(c, "-._")) sets |= kPlainHost;
  return static_cast<std::uint16_t>(sets);
}

constexpr std::array<std::uint16_t, 256> all_sets() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned c = 0; c < 256; ++c) table[c] = sets_of(c);
  return table;
}

}  // namespace percent_detail

inline constexpr std::array<std::uint16_t, 256> kByteSets = percent_detail::all_sets();

inline bool in_set(char c, unsigned sets) {
  return (kByteSets[static_cast<unsigned char>(c)] & sets) != 0;
}
inline bool any_in_set(std::string_view text, unsigned sets) {
  unsigned seen = 0;
  for (const char c : text) seen |= kByteSets[static_cast<unsigned char>(c)];
  return (seen & sets) != 0;
}

// Appends `text` with the bytes of `set` escaped; malformed UTF-8 becomes U+FFFD. True if anything was
// escaped.
bool append_encoded(std::string& out, std::string_view text, ByteSet set);

// Appends a query of an http or https URL, found on a page in `encoding` ("percent-encode after encoding"
// with the special-query set): a character that the encoding lacks becomes "%26%23", its number and "%3B", as
// browsers send it. Encodings without an encoder count as UTF-8. True if anything was escaped.
bool append_query(std::string& out, std::string_view text, Encoding encoding);

// Resolves every escape; a '%' that begins none stays.
std::string percent_decoded(std::string_view text);

// The value of the escape at the front of `text`, or -1.
int escape_value(std::string_view text);
void append_escape(std::string& out, unsigned char byte);

// The changes of normalise_escapes, as bits.
enum EscapeChange : unsigned {
  kResolved = 1,  // an unreserved character was escaped
  kUpperHex = 2,  // an escape had lower case digits
  kEscaped = 4,   // a character was escaped that RFC 3986 does not allow unescaped
};
// Appends the RFC 3986 normal form of `text`, part of a path or query. Returns the changes.
unsigned append_normal_escapes(std::string& out, std::string_view text);

}  // namespace bowerbird
