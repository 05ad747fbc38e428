// The keys under which archives index a URL: "http://www.Example.org/A/?b&a" -> "org,example)/a?a&b" (SURT,
// sort-friendly URI reordering transform).
//
// Problem: a capture is found only if reader and writer compute the same key, and readers differ.
// surt_key() is the key of the Python package `surt`, which pywb and cdxj-indexer use: it undoes all
// percent-encoding, and removes session ids, empty path segments and the trailing slash of a path.
// browser_key() is the key of warcio.js, which ReplayWeb.page uses: it changes little except letter case.
// If the two differ, an index for both readers has the line under both keys. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// url: http or https, canonical or not. Other URLs are only converted to lower case.
std::string surt_key(std::string_view url);
// url: http or https, as serialised by the URL parser. Other URLs are returned unchanged.
std::string browser_key(std::string_view url);

}  // namespace bowerbird
