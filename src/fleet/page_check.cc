#include "fleet/page_check.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/units.h"
#include "store/crawl_reader.h"
#include "store/known_urls.h"

namespace bowerbird {

namespace {

enum class Seen : std::uint8_t { kFound, kDone };

}  // namespace

Result<PageCheck> check_pages(const std::vector<std::string>& folders) {
  PageCheck check;
  std::unordered_map<std::uint64_t, Seen> seen;  // by fingerprint
  for (const std::string& folder : folders) {
    BB_TRY(const auto reader, CrawlReader::open(folder));
    std::vector<std::uint64_t> urls;
    BB_TRY_VOID(reader->for_each_url(
        [&](PageId, std::string_view url) { urls.push_back(KnownUrls::fingerprint(url)); }));
    BB_TRY_VOID(reader->for_each_links([&](const PageLinks& page) -> Status {
      const auto fits = [&urls](PageId id) { return id < urls.size(); };
      if (!fits(page.page)) return error("{}: the links do not match the URLs", folder);
      const auto [place, fresh] = seen.try_emplace(urls[page.page], Seen::kDone);
      if (!fresh && place->second == Seen::kDone) {
        ++check.repeats;
      } else {
        place->second = Seen::kDone;
        ++check.pages;
      }
      for (const StoredLink& link : page.links) {
        if (!fits(link.page)) return error("{}: the links do not match the URLs", folder);
        if ((link.flags & kLinkNotFollowed) == 0) seen.try_emplace(urls[link.page], Seen::kFound);
      }
      return {};
    }));
  }
  for (const auto& [url, what] : seen) check.left += what == Seen::kFound ? 1 : 0;
  return check;
}

std::string text_of(const PageCheck& check, bool exchanges) {
  const std::string text = fmt::format(
      "{}, {}; {}", plural(check.pages, "page"),
      check.repeats == 0 ? "no duplicates" : plural(check.repeats, "duplicate"),
      check.left == 0 ? "every URL found was fetched" : plural(check.left, "URL") + " found but not fetched");
  const bool whole = check.repeats == 0 && check.left == 0;
  return exchanges || whole ? text : text + " (processes do not communicate in this mode)";
}

}  // namespace bowerbird
