// The icons of a web app manifest (W3C Web Application Manifest, 1.7 and 2.1): those of the app and of its
// shortcuts.
//
// A manifest that is no JSON, is larger than 512 KiB or nested deeper than 64 levels has none. Pure; threads:
// any.
#pragma once

#include <functional>
#include <string_view>

namespace bowerbird {

// Calls take(url) for each, in the order of the manifest; URLs are as written, relative to the manifest's.
void read_manifest_icons(std::string_view manifest, const std::function<void(std::string_view)>& take);

}  // namespace bowerbird
