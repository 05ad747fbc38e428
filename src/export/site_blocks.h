// Blocks that repeat across the pages of a site: an advantage that a crawl has over a single page.
//
// Of each host up to kSampledPages pages are looked at, spread evenly over the list. A pair of blocks
// (parse/text/repeated_blocks.h) that at least half of them have, and at least kFewest, is boilerplate on all
// pages of the host, unless these have it more than kMostTimes each: "error" and what that means, in the
// tables of a manual. Hosts with fewer than kFewestPages pages are judged page by page. Memory: 8 bytes per
// pair, at most kMostPairs in total; hosts after that are judged page by page too. What is found depends on
// the list alone, not on the number of threads. Threads: read-only once made, any may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "url/url.h"

namespace bowerbird {

// Pages of a host are one site.
std::uint64_t site_of(const Url& url);

class SiteBlocks {
 public:
  static constexpr std::size_t kSampledPages = 20;
  static constexpr std::size_t kFewestPages = 4;
  static constexpr std::size_t kFewest = 3;
  static constexpr std::size_t kMostTimes = 2;  // on a page, on average
  static constexpr std::size_t kMostPairs = std::size_t{1} << 22;
  static constexpr std::size_t kMostPairsOfPage = std::size_t{1} << 16;

  // The sampled pages of a site, one after the other, then end_site().
  void add_page(std::vector<std::uint64_t> pairs);
  void end_site(std::uint64_t site);

  // Ascending.
  std::span<const std::uint64_t> of(std::uint64_t site) const;

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  std::unordered_map<std::uint64_t, Range> sites_;
  std::vector<std::uint64_t> pairs_;
  struct PairCount {
    std::uint32_t pages = 0;  // that have it
    std::uint32_t times = 0;  // on all of them
  };
  std::unordered_map<std::uint64_t, PairCount> counts_;  // of this site
  std::size_t pages_ = 0;                                // of this site
};

// Which of `count` pages of a site are sampled: ascending numbers below it; none where it has too few.
std::vector<std::size_t> sampled_pages(std::size_t count);

}  // namespace bowerbird
