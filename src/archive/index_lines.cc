#include "archive/index_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bowerbird {

std::string_view index_line(std::string_view lines, std::size_t at) {
  return lines.substr(at, std::min(lines.find('\n', at), lines.size()) - at);
}

std::size_t lower_index_line(std::string_view lines, std::string_view text) {
  std::size_t low = 0, high = lines.size();
  while (low < high) {
    // The line with the middle byte.
    std::size_t at = low + (high - low) / 2;
    const std::size_t before = at == 0 ? std::string_view::npos : lines.rfind('\n', at - 1);
    at = before == std::string_view::npos || before < low ? low : before + 1;
    const std::string_view line = index_line(lines, at);
    if (line < text) {
      low = std::min(at + line.size() + 1, lines.size());
    } else {
      high = at;
    }
  }
  return low;
}

std::string index_text(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  return found->is_number_unsigned() ? std::to_string(found->get<std::uint64_t>()) : std::string();
}

}  // namespace bowerbird
