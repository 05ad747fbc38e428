// Checks the folders of a fleet together: pages that two processes fetched, and links that nobody followed.
//
// It reads only URLs and links, not what the processes told each other, so it is independent of the exchange.
// Memory: 16 bytes for a URL, and 4 for each of the largest folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

struct PageCheck {
  std::uint64_t pages = 0;    // different ones that are done
  std::uint64_t repeats = 0;  // done once more, by another process
  std::uint64_t left = 0;     // pages that a followed link leads to and nobody has done
};

// As of the last commits.
Result<PageCheck> check_pages(const std::vector<std::string>& folders);

// "120 pages, no duplicates; every URL found was fetched". exchanges: whether the processes told each other
// what they found.
std::string text_of(const PageCheck& check, bool exchanges);

}  // namespace bowerbird
