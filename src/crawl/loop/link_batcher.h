// Parsed pages that wait for the lookup of their links.
//
// Problem: with many known URLs their fingerprints are on disk, and looking up one link at a time would
// read the disk for each. So pages wait for a short time, and the links of all of them are looked up at
// once. While all fingerprints are in memory, pages do not wait. Pages leave in the order in which they
// came. Threads: one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/time.h"
#include "crawl/judge/page_parser.h"
#include "store/known_urls.h"

namespace bowerbird {

class LinkBatcher {
 public:
  void add(ParsedPage page, Time now) {
    if (pages_.empty()) since_ = now;
    links_ += page.links.size() + page.requisites.size();
    bytes_ += page.bytes();
    pages_.push_back(std::move(page));
  }
  std::size_t pages() const { return pages_.size(); }
  bool empty() const { return pages_.empty(); }

  // all_in_memory: whether all fingerprints are. fetching: more pages may come soon.
  bool is_due(Time now, bool all_in_memory, bool fetching) const {
    return !pages_.empty() && (all_in_memory || !fetching || links_ >= kLinksAtOnce ||
                               bytes_ >= kBytesAtOnce || now - since_ >= kLongestWait);
  }
  // All waiting pages, after their links were prefetched into `known`.
  std::vector<ParsedPage> take(KnownUrls& known) {
    if (!known.all_in_memory()) {
      fingerprints_.clear();
      for (const ParsedPage& page : pages_) {
        for (const FoundLink& link : page.links) fingerprints_.push_back(link.fingerprint);
        for (const FoundPart& part : page.requisites) fingerprints_.push_back(part.link.fingerprint);
      }
      known.prefetch(fingerprints_);
    }
    links_ = 0;
    bytes_ = 0;
    return std::exchange(pages_, {});
  }

  static constexpr std::size_t kLinksAtOnce = 4096;
  static constexpr std::uint64_t kBytesAtOnce = 4 << 20;
  static constexpr Duration kLongestWait = 50ms;

 private:
  std::vector<ParsedPage> pages_;
  std::size_t links_ = 0;
  std::uint64_t bytes_ = 0;
  Time since_{};
  std::vector<std::uint64_t> fingerprints_;
};

}  // namespace bowerbird
