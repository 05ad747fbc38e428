// PageRank, in-links and depth of the pages of an archive.
//
// Of crawls, the graph is that of their links.log, without nofollow links, and depth is what crawl.jsonl
// says; the crawls of a fleet are one graph. Of WARC files, the graph is made of the links of their pages.
// Pages are known by the hashes of their URLs. Memory: 56 bytes per page and 4 per link, while PageRank runs
// twice as much. Threads: read-only once made, any may use it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/document.h"

namespace bowerbird {

class LinkGraph {
 public:
  // The number of a page, new or known.
  PageId page(std::uint64_t url_hash);
  void add_links(PageId from, std::vector<PageId> to);
  void set_depth(std::uint64_t url_hash, std::uint32_t depth);
  // Computes PageRank; no links are added after it.
  Status finish(const Progress& progress);

  CrawlNumbers numbers(std::uint64_t url_hash) const;

 private:
  std::unordered_map<std::uint64_t, PageId> pages_;
  std::vector<std::vector<PageId>> links_;  // by page
  std::vector<std::uint32_t> depth_;        // by page; kNoDepth: not known
  std::vector<double> pagerank_;
  std::vector<std::uint32_t> in_links_;
};

// Adds the links and depths of a crawl's folder.
Status add_crawl(const std::string& folder, LinkGraph& graph, const Progress& progress);

}  // namespace bowerbird
