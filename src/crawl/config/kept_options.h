// The options that a crawl folder keeps, so that the next run need not be told them again.
//
// Two files: options.toml has those of the last run, which the next one may change; the journal's first
// record has those that the state depends on, which nobody can change. Pure but for the reading and writing
// of files.
#pragma once

#include <string>

#include "base/result.h"
#include "crawl/config/options.h"

namespace bowerbird {

// Reads the options of the last run in a folder, as far as they differ from the defaults (options.toml).
// Changes nothing where there is none.
Status recall_options(const std::string& folder, CrawlOptions& options);
// Writes them for the next run. The file is for its owner alone: options hold passwords.
Status remember_options(const CrawlOptions& options);

// The options that cannot change, as the folder keeps them.
std::string fixed_options(const CrawlOptions& options);
// Whether these options agree with the kept ones. An error says which does not, and what to do.
Status check_unchanged(const CrawlOptions& options, const std::string& about);
// Sets the options that cannot change to what they were.
Status adopt_fixed(const std::string& about, CrawlOptions& options);

}  // namespace bowerbird
