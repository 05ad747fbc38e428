// Facts about each page besides its score: its distance from the seeds, and a few rare facts.
//
// Five bytes per known page, and a map entry for each page with a rare fact. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "base/result.h"

namespace bowerbird {

class PageFacts {
 public:
  // Special depths: no link to the page was followed; the page was excluded after that.
  static constexpr std::uint8_t kUnknownDepth = 255;
  static constexpr std::uint8_t kExcludedDepth = 254;

  void add_page() {
    depth_.push_back(kUnknownDepth);
    via_.push_back(kNoPage);
  }
  std::uint64_t pages() const { return depth_.size(); }

  std::uint32_t depth(PageId page) const { return depth_[page]; }
  // Whether a link to it was followed and it was not excluded after that.
  bool belongs(PageId page) const { return depth_[page] < kExcludedDepth; }
  bool is_excluded(PageId page) const { return depth_[page] == kExcludedDepth; }
  void set_depth(PageId page, std::uint32_t depth) {
    depth_[page] = static_cast<std::uint8_t>(std::min<std::uint32_t>(depth, kExcludedDepth - 1));
  }
  void exclude(PageId page);
  // The page whose link was followed first; kNoPage: a seed, or found by another process.
  PageId via(PageId page) const { return via_[page]; }
  void set_via(PageId page, PageId from) { via_[page] = from; }
  // The path from a seed in the letters of WARC 1.1 (hopsFromSeed): L a link, R a redirect, M a sitemap
  // entry. Of the part that another process found only the number of links is known.
  std::string hops(PageId page) const;

  // Consecutive redirects that led to the page.
  std::uint32_t redirects(PageId page) const { return value_or_zero(redirects_, page); }
  void set_redirects(PageId page, std::uint32_t hops) { set(redirects_, page, hops); }
  // Failures so far.
  std::uint32_t tries(PageId page) const { return value_or_zero(tries_, page); }
  void set_tries(PageId page, std::uint32_t tries) { set(tries_, page, tries); }
  void clear_tries(PageId page) { tries_.erase(page); }
  bool is_sitemap(PageId page) const { return (value_or_zero(marks_, page) & kSitemap) != 0; }
  void set_sitemap(PageId page) { marks_[page] |= kSitemap; }
  // The page was fetched by a process whose archive is lost, and is fetched again for its body alone: the
  // ordering already has its links.
  bool is_again(PageId page) const { return (value_or_zero(marks_, page) & kAgain) != 0; }
  void set_again(PageId page) { marks_[page] |= kAgain; }

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  using Map = std::unordered_map<PageId, std::uint8_t>;
  static std::uint32_t value_or_zero(const Map& map, PageId page) {
    const auto found = map.find(page);
    return found == map.end() ? 0 : found->second;
  }
  static void set(Map& map, PageId page, std::uint32_t value) {
    if (value > 0) map[page] = static_cast<std::uint8_t>(std::min(value, 255u));
  }

  LazyArray<std::uint8_t> depth_;  // links from a seed, at most 253
  LazyArray<PageId> via_;
  Map redirects_;
  Map tries_;
  Map marks_;  // of the following
  static constexpr std::uint8_t kSitemap = 1, kAgain = 2;
};

}  // namespace bowerbird
