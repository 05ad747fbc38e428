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
  std::vector<std::string> bare;        // seeds given without a scheme
};

struct GatheredSeeds {
  std::vector<CrawlSeed> seeds;
  std::string bad;                 // what is wrong with arguments or lines of the file; empty: nothing
  std::vector<std::string> notes;  // what was skipped or assumed
};

// The URL that people mean by this text; "example.org" is https://example.org/.
Result<std::string> canonical_seed(std::string_view text);
// "URL", "URL weight" or empty lines and "# comments".
SeedFile parse_seed_file(std::string_view text, const std::string& name);
// All seeds of the options, in the order: arguments, file, sitemaps; each URL once. An error: the file cannot
// be read.
Result<GatheredSeeds> gather_seeds(const CrawlOptions& options);

}  // namespace bowerbird
