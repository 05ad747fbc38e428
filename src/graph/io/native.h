// Our own graph format: how it is recognised.
#pragma once

#include <string_view>

namespace bowerbird {

inline bool is_native(std::string_view head) {
  return head.starts_with(
      "\x89"
      "BBG\r\n\x1a\n");
}

}  // namespace bowerbird
