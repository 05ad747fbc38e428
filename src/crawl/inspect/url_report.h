// How a URL is normalised, as JSON: input, parsed, canonical, scheme, host, site, path, query, depth and
// changes; or input and rejected, the reason. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "url/canonical.h"

namespace bowerbird {

// Why a text is not a URL that could be fetched: "not http or https: 'mailto'".
std::string rejection_text(std::string_view text, UrlFault fault);

// base: URL of the page with the link; null: none.
nlohmann::ordered_json url_report(std::string_view text, const Url* base, const CanonicalOptions& options);

}  // namespace bowerbird
