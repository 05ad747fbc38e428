#include "fetch/fetcher.h"

#include <array>

namespace bowerbird {

std::string_view fetch_end_name(FetchEnd end) {
  constexpr std::array<std::string_view, kFetchEnds> kNames = {
      "answered",  "resolved", "no-such-name", "dns-failed", "refused-address", "no-connection", "tls",
      "timed-out", "broken",   "cut-short",    "malformed",  "head-too-large",  "internal"};
  return kNames[static_cast<std::size_t>(end)];
}

}  // namespace bowerbird
