// The files of src/dash/assets, which are part of the program: reports need no other files.
//
// The views live as long as the program. Threads: any.
#pragma once

#include <span>
#include <string_view>

namespace bowerbird {

struct Asset {
  std::string_view name;  // "page.css", "live/openapi.json"
  std::string_view text;
};

// Generated at build time (cmake/embed.cmake).
std::span<const Asset> all_assets();

// The text of an asset, which must exist.
std::string_view asset(std::string_view name);

}  // namespace bowerbird
