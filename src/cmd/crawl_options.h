// The options of a crawl on the command line, for every command that begins one.
#pragma once

#include <string>
#include <vector>

#include "cmd/app.h"
#include "crawl/options.h"

namespace bowerbird {

// What the command line said, by the place in the table.
struct CrawlCommand {
  std::vector<std::string> seeds;
  std::string config;
  bool dry_run = false;
  std::vector<std::vector<std::string>> values;
  std::vector<CLI::Option*> switches;
};

// Declares seeds, --config and a row of the table each.
void add_crawl_options(CLI::App& app, CrawlCommand& command);
// Wrong values are misuse.
Status apply_command_line(const CrawlCommand& command, CrawlOptions& options);
// The same words again, for a process of our own.
std::vector<std::string> command_words(const CrawlCommand& command);

}  // namespace bowerbird
