// The records of a crawl's logs: URLs by page id, and the links of each crawled page. See
// store/block_log.h for the blocks.
//
// urls.log: record i is the URL of page i. links.log: for each crawled page, in the order of completion,
// its id and its links in document order. Ids are encoded as differences from the previous one, since new
// pages get consecutive ids. Pure.
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
  kLinkAnchorHint = 4,  // its words contain a word of the topic
  kLinkRedirect = 8,
  kLinkOutOfScope = 16,
  kLinkTrap = 32,      // looks like a trap
  kLinkTooFar = 64,    // too far from a seed, or too many redirects
  kLinkSitemap = 128,  // leads to a sitemap
};
// A link with one of these flags was found, but not followed.
inline constexpr std::uint8_t kLinkNotFollowed = kLinkNofollow | kLinkOutOfScope | kLinkTrap | kLinkTooFar;

struct StoredLink {
  PageId page = 0;
  std::uint8_t flags = 0;
  friend bool operator==(const StoredLink&, const StoredLink&) = default;
};

// Links that were excluded when they were found and entered later, after a change of the scope: pairs of
// source and target, sorted.
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

// The URL of a page in this block; none if the block is invalid.
std::optional<std::string_view> url_in_block(const Block& block, PageId page);

void put_links_record(std::string& out, PageId page, std::span<const StoredLink> links);
// Fails if an id is too large.
void get_links_record(VarintReader& in, PageLinks& links);

}  // namespace bowerbird
