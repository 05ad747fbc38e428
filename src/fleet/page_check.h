// Checks the folders of a fleet together: pages fetched by two processes, and links that nobody followed.
//
// It reads only URLs and links, not the messages between processes, so it is independent of the exchange.
// Memory: 16 bytes per URL, plus 4 per URL of the largest folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

struct PageCheck {
  std::uint64_t pages = 0;    // distinct pages that are done
  std::uint64_t repeats = 0;  // done again by another process
  std::uint64_t left = 0;     // pages that a followed link leads to and that are not done
};

// As of the last commits.
Result<PageCheck> check_pages(const std::vector<std::string>& folders);

// "120 pages, no duplicates; every URL found was fetched". exchanges: whether the processes send each other
// the links they find.
std::string text_of(const PageCheck& check, bool exchanges);

}  // namespace bowerbird
