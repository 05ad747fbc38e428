#include "lab/refresh/crawl_visits.h"

#include <algorithm>
#include <unordered_map>

#include "store/crawl_reader.h"

namespace bowerbird {
namespace {

constexpr double kMicrosecondsPerDay = 86'400e6;
constexpr std::uint16_t kNotModified = 304;

}  // namespace

Result<std::vector<PageVisit>> crawl_visits(const std::string& folder) {
  BB_TRY(const std::unique_ptr<CrawlReader> crawl, CrawlReader::open(folder));
  std::vector<FetchEntry> fetches;
  BB_TRY_VOID(crawl->for_each_fetch([&](const FetchEntry& fetch) -> Status {
    if (fetch.page >= crawl->pages()) return error("fetches.log: there is no page {}", fetch.page);
    const bool good = fetch.status / 100 == 2 || fetch.status == kNotModified;
    if (good) fetches.push_back(fetch);
    return {};
  }));
  std::stable_sort(fetches.begin(), fetches.end(),
                   [](const FetchEntry& a, const FetchEntry& b) { return a.time_us < b.time_us; });
  std::unordered_map<PageId, Sha1> bodies;
  std::vector<PageVisit> visits;
  for (const FetchEntry& fetch : fetches) {
    const double day = static_cast<double>(fetch.time_us) / kMicrosecondsPerDay;
    bool changed = false;
    if (fetch.status != kNotModified) {
      const auto [body, first] = bodies.try_emplace(fetch.page, fetch.digest);
      changed = !first && body->second != fetch.digest;
      body->second = fetch.digest;
    }
    visits.push_back({fetch.page, day, changed});
  }
  return visits;
}

}  // namespace bowerbird
