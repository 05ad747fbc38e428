// The records of a crawl's logs: URLs by page id, the links of each crawled page. See store/block_log.h for
// the blocks.
//
// urls.log: record i is the URL of page i. links.log: for each crawled page, in the order of completion, its
// id and its links in document order; ids are coded as differences from the one before, since new pages get
// consecutive ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/varint.h"
#include "store/block_log.h"

namespace bowerbird {

enum LinkFlag : std::uint8_t {
  kLinkNofollow = 1,
  kLinkOtherHost = 2,
  kLinkAnchorHint = 4,  // its words hold one of the topic's
  kLinkRedirect = 8,
  kLinkOutOfScope = 16,
  kLinkTrap = 32,      // looks endless
  kLinkTooFar = 64,    // from a seed, or in redirects
  kLinkSitemap = 128,  // leads to a sitemap
};
// A link with one of these was seen, but not followed.
inline constexpr std::uint8_t kLinkNotFollowed = kLinkNofollow | kLinkOutOfScope | kLinkTrap | kLinkTooFar;

struct StoredLink {
  PageId page = 0;
  std::uint8_t flags = 0;
  friend bool operator==(const StoredLink&, const StoredLink&) = default;
};

// Links that were left out when they were found and followed later, since the crawl's scope had changed: from
// and to, sorted.
using AdmittedLinks = std::vector<std::pair<PageId, PageId>>;

inline bool is_followed(PageId from, const StoredLink& link, const AdmittedLinks& admitted) {
  return (link.flags & kLinkNotFollowed) == 0 ||
         std::binary_search(admitted.begin(), admitted.end(), std::pair(from, link.page));
}

struct PageLinks {
  PageId page = 0;
  std::vector<StoredLink> links;
};

inline void put_url_record(std::string& out, std::string_view url) {
  put_string(out, url);
}
inline std::string_view get_url_record(VarintReader& in) {
  return in.get_string();
}

// The URL of a page whose block this is; none where the block makes no sense.
std::optional<std::string_view> url_in_block(const Block& block, PageId page);

void put_links_record(std::string& out, PageId page, std::span<const StoredLink> links);
// Rejects the input where an id is too large.
void get_links_record(VarintReader& in, PageLinks& links);

}  // namespace bowerbird
