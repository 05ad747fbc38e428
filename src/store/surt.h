// The keys under which archives index a URL: "http://www.Example.org/A/?b&a" -> "org,example)/a?a&b" (SURT,
// sort-friendly URI reordering transform).
//
// Problem: a capture is found again only if its reader computes the key that its writer computed, and readers
// differ. surt_key() is the key of the Python package `surt`, which pywb and cdxj-indexer use: it undoes all
// percent-encoding, leaves out session identifiers, empty path segments and the slash at the end of a path.
// browser_key() is the key of warcio.js, which ReplayWeb.page uses: it changes little but the letter case.
// Where the two differ, an index that both are to read holds the line under both. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// url: http or https, canonical or not. Anything else is only put in lower case.
std::string surt_key(std::string_view url);
// url: http or https, as the URL parser writes it. Anything else is returned as it is.
std::string browser_key(std::string_view url);

}  // namespace bowerbird
