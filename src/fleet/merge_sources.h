// Which crawl folders `fleet merge` reads. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// For each name, the crawl in that folder, or all crawls of the fleet in it. `into`, the folder of the
// result, must not contain a fleet.
Result<std::vector<std::string>> merge_sources(const std::vector<std::string>& names,
                                               const std::string& into);

}  // namespace bowerbird
