#include "base/html_escape.h"

namespace bowerbird {

namespace {

std::string_view reference_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "&#39;";
  }
}

}  // namespace

void append_html_escaped(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t special = text.find_first_of("&<>\"'");
    out.append(text.substr(0, special));
    if (special == text.npos) return;
    out += reference_of(text[special]);
    text.remove_prefix(special + 1);
  }
}

}  // namespace bowerbird
