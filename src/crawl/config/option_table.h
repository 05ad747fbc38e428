// The table of the crawl's options. The command line, its help, options files, completions, the manual,
// docs/options.md, --dry-run, and the checks at a resume and in a fleet all come from it.
//
// Immutable; threads: any.
#pragma once

#include <span>

#include "base/option_row.h"
#include "crawl/config/options.h"

namespace bowerbird {

using CrawlOptionRow = OptionRow<CrawlOptions>;

std::span<const CrawlOptionRow> crawl_option_table();

}  // namespace bowerbird
