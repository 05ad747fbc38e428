#include "fetch/fetcher.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace bowerbird {

std::string_view fetch_end_name(FetchEnd end) {
  constexpr std::array<std::string_view, kFetchEnds> kNames = {
      "answered",          "resolved",          "no-such-host",  "dns-failed",      "refused-address",
      "connection-failed", "tls-error",         "timed-out",     "connection-lost", "truncated",
      "malformed",         "headers-too-large", "internal-error"};
  return kNames[static_cast<std::size_t>(end)];
}

void append_to_body(FetchOutcome& outcome, std::string_view bytes) {
  std::string& body = outcome.body;
  const std::size_t size = body.size() + bytes.size();
  if (size > body.capacity() && size > kMostBodyReserved) body.reserve(size + size / 8);
  body.append(bytes);
}

bool names_same_field(std::string_view lines, std::string_view line) {
  const std::string_view name = line.substr(0, line.find(':'));
  while (!lines.empty()) {
    const std::string_view other = lines.substr(0, lines.find("\r\n"));
    lines.remove_prefix(std::min(other.size() + 2, lines.size()));
    if (equals_ignoring_case(other.substr(0, other.find(':')), name)) return true;
  }
  return false;
}

}  // namespace bowerbird
