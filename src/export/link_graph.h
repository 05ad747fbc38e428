// PageRank, in-links and depth of the pages of an archive.
//
// Of crawls, the graph is that of their links.log, without nofollow links, and depth is what crawl.jsonl
// says; the crawls of a fleet are one graph. Of WARC files, the graph is made of the links of their pages.
// Pages are known by the hashes of their URLs; the number of a page is the place of its hash among all.
// Pages, links and ranks are in temporary files (sys/scratch_file.h), sorted in a fixed amount of memory; on
// disk they take 16 bytes per link added, 8 per distinct one and 48 per page. Use: add what there is,
// finish(), then numbers(). Threads: numbers() any, once finished; otherwise one user.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/document.h"
#include "sys/disk_sorter.h"
#include "sys/scratch_file.h"

namespace bowerbird {

class LinkGraph {
 public:
  // memory: for sorting.
  explicit LinkGraph(std::size_t memory = DiskSorter<std::uint64_t>::kMemory)
      : memory_(memory), hashes_(memory) {}

  Status add_page(std::uint64_t url_hash) { return hashes_.add(url_hash); }
  // Both pages are, or will be, added as pages.
  Status add_link(std::uint64_t from, std::uint64_t to) { return links_.push_back({from, to}); }
  Status add_depth(std::uint64_t url_hash, std::uint32_t depth) {
    return depths_.push_back({url_hash, depth});
  }
  // Computes PageRank; nothing is added after it.
  Status finish(const Progress& progress);

  CrawlNumbers numbers(std::uint64_t url_hash) const;

 private:
  struct HashedLink {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  struct HashedDepth {
    std::uint64_t page = 0;
    std::uint64_t depth = 0;
  };
  static constexpr PageId kNoPage = ~PageId{0};

  // The number of a page, or kNoPage.
  PageId find(std::uint64_t url_hash) const;
  Status number_pages();
  Status sort_links(const Progress& progress);
  Status set_depths();
  Status rank(const Progress& progress);

  std::size_t memory_;
  DiskSorter<std::uint64_t> hashes_;
  ScratchArray<HashedLink> links_;
  ScratchArray<HashedDepth> depths_;
  ScratchArray<std::uint64_t> pages_;          // ascending hashes
  ScratchArray<PageId> sources_;               // the pages that link to each page, one page after the other
  ScratchArray<std::uint64_t> first_sources_;  // where those of each page begin, and the end
  ScratchArray<std::uint32_t> out_degrees_;
  ScratchArray<std::uint32_t> depth_;  // kNoDepth: not known
  ScratchArray<double> pagerank_;
};

// Adds the pages, links and depths of a crawl's folder.
Status add_crawl(const std::string& folder, LinkGraph& graph, const Progress& progress);

}  // namespace bowerbird
