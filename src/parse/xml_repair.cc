#include "parse/xml_repair.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

constexpr std::string_view kCdataOpen = "<![CDATA[";
constexpr std::string_view kCommentOpen = "<!--";
constexpr std::size_t kLongestReference = 12;  // "&#x0010FFFF;"

// The bytes that are not copied unchanged.
constexpr std::array<bool, 256> kSpecial = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c] = c != '\t' && c != '\n' && c != '\r';
  for (const char c : {'&', '<', ']', '-'}) table[static_cast<unsigned char>(c)] = true;
  table[0xEF] = true;  // first byte of U+FFFE and U+FFFF
  return table;
}();

bool is_special(char c) {
  return kSpecial[static_cast<unsigned char>(c)];
}

// XML 1.0, 2.2.
bool is_xml_character(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) ||
         (c >= 0x10000 && c <= 0x10FFFF);
}

// Whether "#38" or "#x26" names a character.
bool is_character_number(std::string_view name) {
  name.remove_prefix(1);
  const bool hex = name.starts_with('x');
  if (hex) name.remove_prefix(1);
  const unsigned base = hex ? 16 : 10;
  std::uint64_t number = 0;
  for (const char c : name) {
    const int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) return false;
    number = number * base + static_cast<unsigned>(digit);
  }
  return !name.empty() && number <= 0x10FFFF && is_xml_character(static_cast<char32_t>(number));
}

bool is_reference(std::string_view name) {
  if (name.starts_with('#')) return is_character_number(name);
  return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos";
}

// Whether more bytes could make `text` start with `whole`.
bool may_become(std::string_view text, std::string_view whole) {
  return text.size() < whole.size() && whole.starts_with(text);
}

}  // namespace

void XmlRepair::push(std::string_view piece, std::string& out, bool last) {
  std::string joined;
  if (!pending_.empty()) {
    joined = pending_.append(piece);
    piece = joined;
  }
  while (!piece.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::find_if(piece.begin(), piece.end(), is_special) - piece.begin());
    out.append(piece, 0, plain);
    piece.remove_prefix(plain);
    if (piece.empty()) break;
    const std::size_t read = special(piece, out, last);
    if (read == 0) break;
    piece.remove_prefix(read);
  }
  pending_ = piece;
}

std::size_t XmlRepair::special(std::string_view rest, std::string& out, bool last) {
  const char c = rest.front();
  if (c == '&' && state_ == State::kContent) return ampersand(rest, out, last);
  if (c == '<' && state_ == State::kContent) return markup(rest, out, last);
  if (c == ']' && state_ == State::kCdata) return close(rest, "]]>", out, last);
  if (c == '-' && state_ == State::kComment) return close(rest, "-->", out, last);
  if (static_cast<unsigned char>(c) < 0x20) {
    append_utf8(out, kReplacement);
    return 1;
  }
  if (c != '\xEF') {
    out += c;
    return 1;
  }
  if (rest.size() < 3 && !last) return 0;
  const Utf8Step step = decode_utf8(rest);
  append_utf8(out, is_xml_character(step.code_point) ? step.code_point : kReplacement);
  return step.size;
}

std::size_t XmlRepair::ampersand(std::string_view rest, std::string& out, bool last) {
  std::size_t end = 1;
  while (end < rest.size() && end < kLongestReference && (is_ascii_alnum(rest[end]) || rest[end] == '#'))
    ++end;
  if (end == rest.size() && end < kLongestReference && !last) return 0;
  const bool known = end < rest.size() && rest[end] == ';' && is_reference(rest.substr(1, end - 1));
  if (known) {
    out.append(rest, 0, end + 1);
    return end + 1;
  }
  out += "&amp;";
  return 1;
}

std::size_t XmlRepair::markup(std::string_view rest, std::string& out, bool last) {
  if (!last && (may_become(rest, kCdataOpen) || may_become(rest, kCommentOpen))) return 0;
  std::size_t size = 1;
  if (rest.starts_with(kCdataOpen)) {
    state_ = State::kCdata;
    size = kCdataOpen.size();
  } else if (rest.starts_with(kCommentOpen)) {
    state_ = State::kComment;
    size = kCommentOpen.size();
  }
  out.append(rest, 0, size);
  return size;
}

std::size_t XmlRepair::close(std::string_view rest, std::string_view mark, std::string& out, bool last) {
  if (!last && may_become(rest, mark)) return 0;
  const bool closes = rest.starts_with(mark);
  if (closes) state_ = State::kContent;
  const std::size_t size = closes ? mark.size() : 1;
  out.append(rest, 0, size);
  return size;
}

}  // namespace bowerbird
