// ReplayWeb.page for tests: npm's package replaywebpage.
#pragma once

#include "npm_testing.h"

namespace bowerbird {

// Empty where it cannot be had.
inline std::string replay_web_page_folder(const std::string& binary) {
  return npm_package(binary, "replaywebpage", "2.4.6");
}

}  // namespace bowerbird
