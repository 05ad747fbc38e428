// Where a crawl begins: URLs given by hand, in a file or as sitemaps, each made canonical.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crawl/options.h"

namespace bowerbird {

struct CrawlSeed {
  std::string url;  // canonical
  double weight = 1;
  bool sitemap = false;
};

// The URL that people mean by this text; "example.org" is one too.
Result<std::string> canonical_seed(std::string_view text);
// "URL", "URL weight" or empty lines and "# comments"; every complaint at once, with its line.
Result<std::vector<CrawlSeed>> parse_seed_file(std::string_view text, const std::string& name);
// All seeds of the options, in the order: arguments, file, sitemaps; each URL once.
Result<std::vector<CrawlSeed>> gather_seeds(const CrawlOptions& options);

}  // namespace bowerbird
