#include "encoding/encoder.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "encoding/indexes.h"

namespace bowerbird {

namespace {

using namespace std::literals;

constexpr char32_t kYen = 0xA5;
constexpr char32_t kOverline = 0x203E;

bool is_halfwidth_katakana(char32_t c) {
  return c >= 0xFF61 && c <= 0xFF9F;
}

char as_byte(unsigned value) {
  return static_cast<char>(static_cast<unsigned char>(value));
}

void put_pair(std::string& bytes, unsigned lead, unsigned trail) {
  bytes += as_byte(lead);
  bytes += as_byte(trail);
}

// The encoders below are called for characters outside ASCII; false if the encoding lacks the character.

bool put_single_byte(std::string& bytes, Encoding encoding, char32_t c) {
  const std::u16string_view index = single_byte_index(encoding);
  const std::size_t pointer = c <= 0xFFFF ? index.find(static_cast<char16_t>(c)) : index.npos;
  if (pointer == index.npos) return false;
  bytes += as_byte(0x80 + static_cast<unsigned>(pointer));
  return true;
}

// Private use code points of GB 18030-2005 that are now assigned in the index (section 10.2.2).
struct Gb18030Exception {
  char16_t code_point;
  unsigned char lead, trail;
};
constexpr Gb18030Exception kGb18030Exceptions[] = {
    {0xE78D, 0xA6, 0xD9}, {0xE78E, 0xA6, 0xDA}, {0xE78F, 0xA6, 0xDB}, {0xE790, 0xA6, 0xDC},
    {0xE791, 0xA6, 0xDD}, {0xE792, 0xA6, 0xDE}, {0xE793, 0xA6, 0xDF}, {0xE794, 0xA6, 0xEC},
    {0xE795, 0xA6, 0xED}, {0xE796, 0xA6, 0xF3}, {0xE81E, 0xFE, 0x59}, {0xE826, 0xFE, 0x61},
    {0xE82B, 0xFE, 0x66}, {0xE82C, 0xFE, 0x67}, {0xE832, 0xFE, 0x6D}, {0xE843, 0xFE, 0x7E},
    {0xE854, 0xFE, 0x90}, {0xE864, 0xFE, 0xA0},
};

// "Index gb18030 ranges pointer".
unsigned gb18030_range_pointer(char32_t c) {
  if (c == 0xE7C7) return 7457;
  if (c >= 0x10000) return 189000 + (c - 0x10000);
  const Gb18030Range* after =
      std::upper_bound(std::begin(kGb18030Ranges), std::end(kGb18030Ranges), c,
                       [](char32_t wanted, const Gb18030Range& range) { return wanted < range.code_point; });
  return after[-1].pointer + (c - after[-1].code_point);
}

bool put_gb18030(std::string& bytes, bool is_gbk, char32_t c) {
  if (c == 0xE5E5) return false;
  if (is_gbk && c == 0x20AC) {
    bytes += '\x80';
    return true;
  }
  for (const Gb18030Exception& exception : kGb18030Exceptions) {
    if (exception.code_point != c) continue;
    put_pair(bytes, exception.lead, exception.trail);
    return true;
  }
  if (const auto pointer = gb18030_pointers().first(c)) {
    const unsigned trail = *pointer % 190;
    put_pair(bytes, *pointer / 190 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x41));
    return true;
  }
  if (is_gbk) return false;
  const unsigned pointer = gb18030_range_pointer(c);
  put_pair(bytes, pointer / 12600 + 0x81, pointer / 1260 % 10 + 0x30);
  put_pair(bytes, pointer / 10 % 126 + 0x81, pointer % 10 + 0x30);
  return true;
}

bool put_big5(std::string& bytes, char32_t c) {
  // For these the later pointer is the usual one.
  const bool last = U"\u2550\u255E\u2561\u256A\u5341\u5345"sv.find(c) != std::u32string_view::npos;
  const auto pointer = last ? big5_pointers().last(c) : big5_pointers().first(c);
  if (!pointer) return false;
  const unsigned trail = *pointer % 157;
  put_pair(bytes, *pointer / 157 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x62));
  return true;
}

// The pointer in JIS X 0208, whose minus sign is the full-width one.
std::optional<unsigned> jis0208_pointer(const ReverseIndex<char16_t>& pointers, char32_t c) {
  return pointers.first(c == 0x2212 ? 0xFF0D : c);
}

bool put_euc_jp(std::string& bytes, char32_t c) {
  if (c == kYen || c == kOverline) {
    bytes += c == kYen ? '\x5C' : '\x7E';
    return true;
  }
  if (is_halfwidth_katakana(c)) {
    put_pair(bytes, 0x8E, c - 0xFF61 + 0xA1);
    return true;
  }
  const auto pointer = jis0208_pointer(jis0208_pointers(), c);
  if (!pointer) return false;
  put_pair(bytes, *pointer / 94 + 0xA1, *pointer % 94 + 0xA1);
  return true;
}

bool put_shift_jis(std::string& bytes, char32_t c) {
  if (c == 0x80 || c == kYen || c == kOverline) {
    bytes += c == 0x80 ? '\x80' : c == kYen ? '\x5C' : '\x7E';
    return true;
  }
  if (is_halfwidth_katakana(c)) {
    bytes += as_byte(c - 0xFF61 + 0xA1);
    return true;
  }
  const auto pointer = jis0208_pointer(shift_jis_pointers(), c);
  if (!pointer) return false;
  const unsigned lead = *pointer / 188, trail = *pointer % 188;
  put_pair(bytes, lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41));
  return true;
}

bool put_euc_kr(std::string& bytes, char32_t c) {
  const auto pointer = euc_kr_pointers().first(c);
  if (!pointer) return false;
  put_pair(bytes, *pointer / 190 + 0x81, *pointer % 190 + 0x41);
  return true;
}

bool put_user_defined(std::string& bytes, char32_t c) {
  if (c < 0xF780 || c > 0xF7FF) return false;
  bytes += as_byte(c - 0xF780 + 0x80);
  return true;
}

bool put_character(std::string& bytes, Encoding encoding, char32_t c) {
  switch (encoding) {
    case Encoding::kUtf8:
      append_utf8(bytes, c);
      return true;
    case Encoding::kGbk:
    case Encoding::kGb18030:
      return put_gb18030(bytes, encoding == Encoding::kGbk, c);
    case Encoding::kBig5:
      return put_big5(bytes, c);
    case Encoding::kEucJp:
      return put_euc_jp(bytes, c);
    case Encoding::kShiftJis:
      return put_shift_jis(bytes, c);
    case Encoding::kEucKr:
      return put_euc_kr(bytes, c);
    case Encoding::kXUserDefined:
      return put_user_defined(bytes, c);
    default:
      return put_single_byte(bytes, encoding, c);
  }
}

}  // namespace

TextEncoder::TextEncoder(Encoding encoding) : encoding_(encoding) {
  CHECK(output_encoding(encoding) == encoding);
}

char32_t TextEncoder::encode(char32_t c, std::string& bytes) {
  if (encoding_ == Encoding::kIso2022Jp) return encode_iso_2022_jp(c, bytes);
  if (c < 0x80) {
    bytes += static_cast<char>(c);
    return 0;
  }
  return put_character(bytes, encoding_, c) ? 0 : c;
}

void TextEncoder::finish(std::string& bytes) {
  select(CharacterSet::kAscii, bytes);
}

void TextEncoder::select(CharacterSet set, std::string& bytes) {
  if (set == set_) return;
  set_ = set;
  bytes += set == CharacterSet::kAscii ? "\x1B(B" : set == CharacterSet::kRoman ? "\x1B(J" : "\x1B$B";
}

// Section 12.2.2.
char32_t TextEncoder::encode_iso_2022_jp(char32_t c, std::string& bytes) {
  if (c < 0x80) {
    const bool shifts = c == 0x0E || c == 0x0F || c == 0x1B;  // would change the meaning of the rest
    if (set_ == CharacterSet::kJis0208 || (set_ == CharacterSet::kRoman && (c == '\\' || c == '~'))) {
      select(CharacterSet::kAscii, bytes);
    }
    if (shifts) return kReplacement;
    bytes += static_cast<char>(c);
    return 0;
  }
  if (c == kYen || c == kOverline) {
    select(CharacterSet::kRoman, bytes);
    bytes += c == kYen ? '\x5C' : '\x7E';
    return 0;
  }
  const char32_t wide = is_halfwidth_katakana(c) ? kKatakanaIndex[c - 0xFF61] : c;
  const auto pointer = jis0208_pointer(jis0208_pointers(), wide);
  if (!pointer) {
    if (set_ == CharacterSet::kJis0208) select(CharacterSet::kAscii, bytes);
    return c;
  }
  select(CharacterSet::kJis0208, bytes);
  put_pair(bytes, *pointer / 94 + 0x21, *pointer % 94 + 0x21);
  return 0;
}

}  // namespace bowerbird
