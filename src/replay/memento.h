// The header fields and lists of RFC 7089: how a capture relates to the others of its URL. Pure; threads:
// any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "archive/capture_library.h"

namespace bowerbird {

// The value of Link for the capture with index `at` (captures.size(): for the TimeGate), with absolute
// addresses on `origin`.
std::string memento_links(const std::vector<FoundCapture>& captures, std::size_t at, std::string_view url,
                          std::string_view origin);
// A TimeMap in application/link-format (section 5).
std::string time_map(const std::vector<FoundCapture>& captures, std::string_view url,
                     std::string_view origin);

}  // namespace bowerbird
