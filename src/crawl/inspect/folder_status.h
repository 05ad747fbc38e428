// What the last commit says about a crawl, running or not, as JSON: the counts, and known, stored, end,
// running, pid (while it runs) and about (the options that cannot change); of a crawl with requisites also
// how many pages are complete.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "base/result.h"
#include "crawl/inspect/completeness.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// crawl: opened to read.
Result<nlohmann::json> folder_status(const RestoredCrawl& crawl);

// None: the crawl fetches no requisites. By the last commit; if an earlier version wrote it, by the journal.
Result<std::optional<PagesLacking>> completeness_of(const RestoredCrawl& crawl);

}  // namespace bowerbird
