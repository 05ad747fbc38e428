#include "parse/change_digest.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"

namespace bowerbird {
namespace {

constexpr std::size_t kLeastToken = 8;
constexpr char kMask = '0';

bool is_word_byte(char c) {
  return is_ascii_alnum(c) || static_cast<unsigned char>(c) >= 0x80;
}

bool is_token(std::string_view word) {
  return word.size() >= kLeastToken &&
         std::all_of(word.begin(), word.end(), [](char c) { return hex_value(c) >= 0; });
}

// Replaces each run of digits, and each token, by one fixed digit.
void append_masked(std::string& out, std::string_view word) {
  if (is_token(word)) {
    out += kMask;
    return;
  }
  bool in_number = false;
  for (const char c : word) {
    const bool digit = is_ascii_digit(c);
    if (!digit) {
      out += c;
    } else if (!in_number) {
      out += kMask;
    }
    in_number = digit;
  }
}

void append_text(std::string& out, std::string_view text, ChangedNumbers numbers) {
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_word_byte);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    numbers == ChangedNumbers::kIgnored ? append_masked(out, word) : void(out += word);
    text.remove_prefix(word.size());
    if (text.empty()) break;
    if (!is_ascii_space(text.front())) {
      out += text.front();
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
    text.remove_prefix(1);
  }
}

}  // namespace

std::uint64_t change_digest(const HtmlPage& page, ChangedNumbers numbers) {
  const std::string_view text = page.text;
  std::string kept;
  std::size_t at = 0;
  for (const HtmlLink& link : page.links) {
    const std::size_t end = std::size_t{link.anchor.at} + link.anchor.size;
    if (link.anchor.size == 0 || end <= at) continue;
    if (link.anchor.at > at) append_text(kept, text.substr(at, link.anchor.at - at), numbers);
    append_text(kept, " ", numbers);
    at = end;
  }
  append_text(kept, text.substr(std::min(at, text.size())), numbers);
  return hash64(trimmed(kept));
}

}  // namespace bowerbird
