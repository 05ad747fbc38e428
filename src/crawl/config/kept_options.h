// The options that a crawl folder keeps for the next run.
//
// options.toml has the options of the last run, which the next run may change. The first record of the
// journal has the fixed options, on which the state depends. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"

namespace bowerbird {

// Reads options.toml, if there is one; returns the names of the options that it sets.
Result<std::vector<std::string>> recall_options(const std::string& folder, CrawlOptions& options);
// Writes options.toml, readable by its owner only: options may hold passwords.
Status remember_options(const CrawlOptions& options);

// The fixed options as text, for the first record of the journal.
std::string fixed_options(const CrawlOptions& options);
// An error: a fixed option has changed. about: the first record of the journal.
Status check_unchanged(const CrawlOptions& options, const std::string& about);
// Sets the fixed options to those of the crawl's journal.
Status adopt_fixed(const std::string& about, CrawlOptions& options);

}  // namespace bowerbird
