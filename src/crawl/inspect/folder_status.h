// The state of a crawl at its last commit, running or not, as JSON: the counts, and known, stored, end,
// running, pid (while it runs), about (the fixed options) and, if requisites are fetched, the number of
// complete pages. Threads: one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "base/result.h"
#include "crawl/inspect/completeness.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// crawl: opened for reading.
Result<nlohmann::json> folder_status(const RestoredCrawl& crawl);

// From the last commit or, if an earlier version wrote it, from the journal. None: the crawl fetches no
// requisites.
Result<std::optional<PagesLacking>> completeness_of(const RestoredCrawl& crawl);

}  // namespace bowerbird
