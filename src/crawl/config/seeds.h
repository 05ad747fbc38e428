// Where a crawl begins: URLs given by hand, in a file or as sitemaps, each made canonical.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"

namespace bowerbird {

struct CrawlSeed {
  std::string url;  // canonical
  double weight = 1;
  bool sitemap = false;
};

// The lines of a seed file. What is wrong with the bad ones is told of the first 20.
struct SeedFile {
  std::vector<CrawlSeed> seeds;
  std::uint64_t bad = 0;
  std::vector<std::string> complaints;  // "seeds.txt:3: ..."
};

struct GatheredSeeds {
  std::vector<CrawlSeed> seeds;
  std::string skipped;  // what was skipped by --skip-bad-seeds, and why; empty: nothing
};

// The URL that people mean by this text; "example.org" is one too.
Result<std::string> canonical_seed(std::string_view text);
// "URL", "URL weight" or empty lines and "# comments".
SeedFile parse_seed_file(std::string_view text, const std::string& name);
// All seeds of the options, in the order: arguments, file, sitemaps; each URL once. An error names every bad
// argument, or the first bad lines of the file.
Result<GatheredSeeds> gather_seeds(const CrawlOptions& options);

}  // namespace bowerbird
