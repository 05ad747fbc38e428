// One run of a crawl on this terminal: `crawl` and `recrawl`.
#pragma once

#include "base/result.h"
#include "cmd/app.h"
#include "crawl/config/options.h"

namespace bowerbird {

// Opens or resumes the crawl of options.out, which were checked, runs it, shows how it goes and writes the
// report.
Status run_crawl(CrawlOptions options, const CommonOptions& common);

}  // namespace bowerbird
