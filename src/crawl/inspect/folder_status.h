// What the last commit says about a crawl, running or not, as JSON: the counts, and known, stored, end,
// running, pid (while it runs) and about (the options that cannot change).
#pragma once

#include <nlohmann/json.hpp>

#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// crawl: opened to read.
nlohmann::json folder_status(const RestoredCrawl& crawl);

}  // namespace bowerbird
