#include "parse/xml_style_sheet.h"

#include <algorithm>

#include "base/ascii.h"

namespace bowerbird {

std::string_view style_sheet_href(std::string_view content) {
  const auto skip_spaces = [&content] {
    while (!content.empty() && is_ascii_space(content.front())) content.remove_prefix(1);
  };
  for (;;) {
    skip_spaces();
    const auto end = std::ranges::find_if(content, [](char c) { return c == '=' || is_ascii_space(c); });
    const std::string_view name = content.substr(0, static_cast<std::size_t>(end - content.begin()));
    content.remove_prefix(name.size());
    skip_spaces();
    if (name.empty() || content.empty() || content.front() != '=') return {};
    content.remove_prefix(1);
    skip_spaces();
    if (content.empty() || (content.front() != '"' && content.front() != '\'')) return {};
    const std::size_t close = content.find(content.front(), 1);
    if (close == content.npos) return {};
    if (name == "href") return content.substr(1, close - 1);
    content.remove_prefix(close + 1);
  }
}

}  // namespace bowerbird
