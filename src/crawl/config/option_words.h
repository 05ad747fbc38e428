// Options of a crawl as words of a command line ("--delay=2s", "--no-traps"): how a fleet keeps the
// options that it was started with, and passes them to its processes. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crawl/config/option_table.h"

namespace bowerbird {

// The word that sets the option to this value.
std::string option_word(const CrawlOptionRow& row, std::string_view value);
// Whether the word sets the option.
bool is_word_of(std::string_view word, std::string_view name);
// "--config=FILE": the file is read before all other words.
std::string config_word(std::string_view file);
// Sets the options that the words name. Words without dashes are seeds and are skipped.
Status read_words(const std::vector<std::string>& words, CrawlOptions& options);

}  // namespace bowerbird
