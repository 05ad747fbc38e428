#include "parse/text/markdown_escape.h"

#include "base/ascii.h"

namespace bowerbird {

namespace {

bool is_word_byte(char c) {
  return is_ascii_alnum(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Whether the character at `at` needs a backslash wherever it stands in a line.
bool needs_escape(std::string_view text, std::size_t at) {
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '<':
      return true;
    case '_':  // inside a word it means nothing
      return at == 0 || at + 1 == text.size() || !is_word_byte(text[at - 1]) || !is_word_byte(text[at + 1]);
    case '&':
      return at + 1 < text.size() && (is_ascii_alpha(text[at + 1]) || text[at + 1] == '#');
    case '~':
    case '$':
      return at + 1 < text.size() && text[at + 1] == text[at];
    default:
      return false;
  }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (needs_escape(text, i)) out += '\\';
    out += text[i];
  }
}

void escape_line_start(std::string& line) {
  if (line.empty()) return;
  const char first = line.front();
  if (first == '#' || first == '>' || first == '+' || first == '-' || first == '=' || first == '|' ||
      first == ':') {
    line.insert(line.begin(), '\\');
    return;
  }
  std::size_t digits = 0;
  while (digits < line.size() && digits < 10 && is_ascii_digit(line[digits])) ++digits;
  if (digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')')) {
    if (digits + 1 == line.size() || line[digits + 1] == ' ') line.insert(digits, 1, '\\');
  }
}

std::string link_target(std::string_view url) {
  std::string out;
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7F || c == '<' || c == '>' || c == '(' || c == ')' || c == '\\') {
      constexpr char kDigits[] = "0123456789ABCDEF";
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      out += c;
    }
  }
  return out;
}

std::string escaped_markdown(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  escape_line_start(out);
  return out;
}

}  // namespace bowerbird
