#include "crawl/inspect/resumable.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/option_table.h"
#include "store/crawl_reader.h"
#include "url/url.h"

namespace bowerbird {

namespace {

std::set<std::string> urls_of(const std::vector<CrawlSeed>& seeds, bool sitemaps) {
  std::set<std::string> urls;
  for (const CrawlSeed& seed : seeds) {
    if (seed.sitemap == sitemaps) urls.insert(seed.url);
  }
  return urls;
}

}  // namespace

std::string default_folder(const CrawlSeed& first) {
  Url url;
  CHECK(parse_url(first.url, nullptr, url) == UrlFault::kNone);  // seeds are canonical
  return std::string(url.hostname()) + ".crawl";
}

bool has_seeds(const std::vector<CrawlSeed>& crawl, const std::vector<CrawlSeed>& given) {
  return urls_of(crawl, false) == urls_of(given, false) &&
         std::ranges::includes(urls_of(crawl, true), urls_of(given, true));
}

Result<LastRun> read_last_options(const std::string& folder, CrawlOptions& options) {
  LastRun last;
  BB_TRY(const std::vector<std::string> kept, recall_options(folder, options));
  for (const std::string& name : kept) last.origins[name] = "last run";
  BB_TRY(const auto reader, CrawlReader::open(folder));
  last.fixed = reader->about();
  BB_TRY_VOID(adopt_fixed(last.fixed, options));
  const CrawlOptions defaults;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.is(kFixed) && row.texts(options) != row.texts(defaults))
      last.origins[std::string(row.name)] = "start of the crawl";
  }
  return last;
}

}  // namespace bowerbird
