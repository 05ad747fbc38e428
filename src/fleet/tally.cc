#include "fleet/tally.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/units.h"
#include "store/crawl_reader.h"
#include "store/known_urls.h"

namespace bowerbird {

namespace {

enum class Seen : std::uint8_t { kFound, kDone };

}  // namespace

Result<FleetTally> tally_folders(const std::vector<std::string>& folders) {
  FleetTally tally;
  std::unordered_map<std::uint64_t, Seen> seen;  // by fingerprint
  for (const std::string& folder : folders) {
    BB_TRY(const auto reader, CrawlReader::open(folder));
    std::vector<std::uint64_t> urls;
    BB_TRY_VOID(reader->for_each_url(
        [&](PageId, std::string_view url) { urls.push_back(KnownUrls::fingerprint(url)); }));
    BB_TRY_VOID(reader->for_each_links([&](const PageLinks& page) -> Status {
      const auto fits = [&urls](PageId id) { return id < urls.size(); };
      if (!fits(page.page)) return error("{}: the links do not fit the URLs", folder);
      const auto [place, fresh] = seen.try_emplace(urls[page.page], Seen::kDone);
      if (!fresh && place->second == Seen::kDone) {
        ++tally.repeats;
      } else {
        place->second = Seen::kDone;
        ++tally.pages;
      }
      for (const StoredLink& link : page.links) {
        if (!fits(link.page)) return error("{}: the links do not fit the URLs", folder);
        if ((link.flags & kLinkNotFollowed) == 0) seen.try_emplace(urls[link.page], Seen::kFound);
      }
      return {};
    }));
  }
  for (const auto& [url, what] : seen) tally.left += what == Seen::kFound ? 1 : 0;
  return tally;
}

std::string text_of(const FleetTally& tally, bool exchanges) {
  const std::string text =
      fmt::format("{} pages, {} twice; {}", format_count(tally.pages),
                  tally.repeats == 0 ? "none" : format_count(tally.repeats),
                  tally.left == 0 ? "no URL that was found is left"
                                  : format_count(tally.left) + " URLs that were found are left");
  const bool whole = tally.repeats == 0 && tally.left == 0;
  return exchanges || whole ? text : text + " (processes in this mode tell each other nothing)";
}

}  // namespace bowerbird
