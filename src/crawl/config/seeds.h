// The seeds of a crawl: URLs from the command line, from a file or as sitemaps, in canonical form. Only
// gather_seeds() reads a file; the rest is pure. Threads: any.
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

// The lines of a seed file. The first 20 errors are described, all are counted.
struct SeedFile {
  std::vector<CrawlSeed> seeds;
  std::uint64_t bad = 0;
  std::vector<std::string> complaints;  // "seeds.txt:3: ..."
  std::vector<std::string> bare;        // seeds given without a scheme
};

struct GatheredSeeds {
  std::vector<CrawlSeed> seeds;
  std::string bad;                 // errors in arguments or lines of the file; empty: none
  std::vector<std::string> notes;  // what was skipped or assumed
};

// The canonical URL that a user means by this text; "example.org" is https://example.org/.
Result<std::string> canonical_seed(std::string_view text);
// "URL", "URL weight" or empty lines and "# comments".
SeedFile parse_seed_file(std::string_view text, const std::string& name);
// All seeds of the options: arguments, then file, then sitemaps; each URL once. An error: the file cannot
// be read.
Result<GatheredSeeds> gather_seeds(const CrawlOptions& options);

}  // namespace bowerbird
