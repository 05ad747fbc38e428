// The graph of a crawl while it grows: the crawled pages with all their links, in the order of the crawl.
//
// Pages are numbered densely as they first appear, as nodes, so that data per known page is in plain arrays
// and nothing depends on the distribution of page ids. A node with a row has been crawled; one without is
// known only from links (or as a seed) and its own links are unknown.
//
// Memory: 4 bytes per link, 12 per crawled page, 8 per known page and 4 per page id. Growing copies nothing.
// Threads: const members from many threads, append from one. Views live until the next append.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/lazy_array.h"

namespace bowerbird {

class GrowingGraph {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNoNode = 0xffffffffu;
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  // The page's node, created if necessary.
  Node add(PageId page);
  // The page has been crawled and has these links. Call once per page.
  void append(PageId page, std::span<const PageId> links);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(pages_.size()); }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(row_node_.size()); }
  std::uint64_t links() const { return targets_.size(); }

  Node node(PageId page) const { return page < node_of_.size() ? node_of_[page] - 1 : kNoNode; }
  PageId page(Node node) const { return pages_[node]; }
  // The crawled node of a row, with rows numbered in the order of the crawl; and the row of a node.
  Node row_node(std::uint32_t row) const { return row_node_[row]; }
  std::uint32_t row_of(Node node) const { return row_of_[node] - 1; }
  bool crawled(Node node) const { return row_of_[node] != 0; }
  std::span<const Node> row(std::uint32_t row) const {
    const std::uint64_t from = row == 0 ? 0 : row_end_[row - 1];
    return targets_.view().subspan(from, row_end_[row] - from);
  }

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  LazyArray<std::uint32_t> node_of_;  // by page: node + 1, 0 = none
  LazyArray<PageId> pages_;           // by node
  LazyArray<std::uint32_t> row_of_;   // by node: row + 1, 0 = not crawled
  LazyArray<Node> row_node_;
  LazyArray<std::uint64_t> row_end_;
  LazyArray<Node> targets_;
};

}  // namespace bowerbird
