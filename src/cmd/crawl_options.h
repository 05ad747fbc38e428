// The options of a crawl on the command line, for every command that starts or changes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/app.h"
#include "cmd/option_flags.h"
#include "crawl/config/option_table.h"
#include "crawl/config/seeds.h"

namespace bowerbird {

// The parsed command line. Must not move once it has flags.
struct CrawlCommand {
  std::vector<std::string> seeds;
  std::string config;
  bool dry_run = false;
  OptionFlags flags;
};

// Declares the seeds, --config and all rows of the table.
void add_crawl_options(CLI::App& app, CrawlCommand& command);

// The file of --config, then the command line. Wrong values are usage errors. Returns the names of the
// options that the file sets.
Result<std::vector<std::string>> read_given(const CrawlCommand& command, CrawlOptions& options);
// The seeds of the options; bad ones are usage errors, but an unreadable file is a failure.
Result<std::vector<CrawlSeed>> given_seeds(const CrawlOptions& options);

// The command line as words (crawl/config/option_words.h) for another process; relative paths are made
// absolute.
std::vector<std::string> command_words(const CrawlCommand& command);

}  // namespace bowerbird
