// Which crawl folders `fleet merge` takes. Reads folders; threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Of each name the crawl in that folder, or all crawls of the fleet in it. `into`, where the result goes,
// must not hold a fleet.
Result<std::vector<std::string>> merge_sources(const std::vector<std::string>& names,
                                               const std::string& into);

}  // namespace bowerbird
