// What a command needs to know about a crawl folder before it starts or resumes a crawl in it. Only
// reads. Threads: any.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "crawl/config/seeds.h"

namespace bowerbird {

// The source of each option's value, by option name. Options that are missing have their default.
using OptionOrigins = std::map<std::string, std::string, std::less<>>;

// "HOST.crawl", with the host of the first seed.
std::string default_folder(const CrawlSeed& first);

// Whether the crawl has the given seeds. Sitemaps that it found in robots.txt do not count.
bool has_seeds(const std::vector<CrawlSeed>& crawl, const std::vector<CrawlSeed>& given);

struct LastRun {
  OptionOrigins origins;
  std::string fixed;  // the options that cannot change (check_unchanged in crawl/config/kept_options.h)
};
// The options with which the crawl in this folder last ran.
Result<LastRun> read_last_options(const std::string& folder, CrawlOptions& options);

}  // namespace bowerbird
