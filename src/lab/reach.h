// The pages reachable from the seeds of a crawl. The lab judges only these.
//
// One bit per page, and 4 bytes for each page that waits in the search. Threads: a PageSet is read by many
// once it is filled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "frontier/frontier.h"
#include "graph/graph.h"

namespace bowerbird {

class PageSet {
 public:
  PageSet() = default;
  explicit PageSet(PageId pages) : words_((std::uint64_t{pages} + 63) / 64, 0) {}

  bool has(PageId page) const { return (words_[page / 64] >> (page % 64)) & 1; }
  // True if the page was not in the set yet.
  bool add(PageId page) {
    const std::uint64_t bit = std::uint64_t{1} << (page % 64);
    if ((words_[page / 64] & bit) != 0) return false;
    words_[page / 64] |= bit;
    ++size_;
    return true;
  }
  std::uint64_t size() const { return size_; }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

// Seeds must be pages of the graph. Fails with the graph's own status, or if the progress callback asks to
// stop.
Result<PageSet> reachable_pages(const Graph& graph, std::span<const SeedPage> seeds,
                                const Progress& progress = {});

}  // namespace bowerbird
