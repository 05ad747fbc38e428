#include "fetch/fetcher.h"

#include <array>

namespace bowerbird {

std::string_view fetch_end_name(FetchEnd end) {
  constexpr std::array<std::string_view, kFetchEnds> kNames = {
      "answered",          "resolved",          "no-such-host",  "dns-failed",      "refused-address",
      "connection-failed", "tls-error",         "timed-out",     "connection-lost", "truncated",
      "malformed",         "headers-too-large", "internal-error"};
  return kNames[static_cast<std::size_t>(end)];
}

}  // namespace bowerbird
