#include "fetch/fetcher.h"

#include <array>

#include "base/ascii.h"

namespace bowerbird {

std::string_view fetch_end_name(FetchEnd end) {
  constexpr std::array<std::string_view, kFetchEnds> kNames = {
      "answered",  "resolved", "no-such-name", "dns-failed", "refused-address", "no-connection", "tls",
      "timed-out", "broken",   "cut-short",    "malformed",  "head-too-large",  "internal"};
  return kNames[static_cast<std::size_t>(end)];
}

std::string_view head_field(std::string_view head, std::string_view name) {
  std::size_t at = head.find('\n');
  while (at != head.npos && at + 1 < head.size()) {
    const std::string_view line = head.substr(at + 1, head.find('\n', at + 1) - at - 1);
    if (line.size() > name.size() && line[name.size()] == ':' && starts_ignoring_case(line, name)) {
      std::string_view value = line.substr(name.size() + 1);
      while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
      while (!value.empty() && (value.back() == ' ' || value.back() == '\t' || value.back() == '\r')) {
        value.remove_suffix(1);
      }
      return value;
    }
    at = head.find('\n', at + 1);
  }
  return {};
}

}  // namespace bowerbird
