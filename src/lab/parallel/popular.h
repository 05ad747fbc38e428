// The URLs that a process does not send, because its receiver knows them [001, section on replication].
//
// Given: the most linked pages of the whole graph, known to all from the start. Learned: each process counts
// the links to foreign pages that it sees; whenever the pages it has crawled have doubled, those most linked
// so far (all of which it has sent before) are not sent again. Threads: one owner.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "graph/graph.h"

namespace bowerbird {

// The `count` pages with the most links to them, ties by lower id; ascending.
std::vector<PageId> most_linked(const Graph& graph, std::uint64_t count);

class PopularPages {
 public:
  // Learns up to `count` pages; 0: none.
  explicit PopularPages(std::uint64_t count = 0) : count_(count) {}

  bool knows(PageId page) const { return known_.contains(page); }
  void saw(PageId page) {
    if (count_ > 0) ++links_[page];
  }
  // Called after a batch was sent.
  void sent(std::uint64_t crawled);

 private:
  std::uint64_t count_;
  std::uint64_t next_ = 1;
  std::unordered_map<PageId, std::uint32_t> links_;
  std::unordered_set<PageId> known_;
};

}  // namespace bowerbird
