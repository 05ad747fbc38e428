// The key under which archives index a URL: "http://www.Example.org/A/?b&a" -> "org,example)/a?a&b" (SURT,
// sort-friendly URI reordering transform), made as pywb looks URLs up.
//
// Lower case; no scheme, no "www." and the like, no default port, no slash at the end of a path, no empty
// query; parameters in order; host names from the last part to the first, addresses as they are. Unlike
// pywb's, ours knows no session identifiers: canonical URLs have none (docs/urls.md). Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// `url`: http or https, as the URL parser writes it. Anything else is only put in lower case.
std::string surt_key(std::string_view url);

}  // namespace bowerbird
