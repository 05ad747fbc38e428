// The options of a crawl on the command line, for every command that begins one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/app.h"
#include "crawl/config/options.h"
#include "crawl/config/seeds.h"

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
// Some rows of the table alone.
using IsWanted = std::function<bool(const CrawlOptionRow& row)>;
void add_crawl_rows(CLI::App& app, CrawlCommand& command, const IsWanted& is_wanted);
// Wrong values are misuse.
Status apply_command_line(const CrawlCommand& command, CrawlOptions& options);
// The options file, and on top of it the command line.
Status read_given(const CrawlCommand& command, CrawlOptions& options);
// The seeds of the options; bad ones are misuse.
std::vector<CrawlSeed> given_seeds(const CrawlOptions& options);
// Whether the command line says anything of the option.
bool is_given(const CrawlCommand& command, std::string_view name);
// The same words again, for a process of our own; they mean the same files from anywhere.
std::vector<std::string> command_words(const CrawlCommand& command);
// And back, seeds apart.
Status read_words(const std::vector<std::string>& words, CrawlOptions& options);
// Of words like those, the ones that say something of the option.
bool is_word_of(std::string_view word, std::string_view name);

}  // namespace bowerbird
