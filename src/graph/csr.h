// A graph in memory as two arrays (compressed sparse rows): the fastest form to traverse, 4 bytes per link
// and 8 per page.
//
// Invariant: offsets has pages+1 ascending entries, offsets[0] = 0, offsets[pages] = number of targets; the
// targets of a page are ascending, distinct and below pages(). For arrays from outside, call validate()
// first. Ownership: the arrays are owned, or belong to `keeper` (a mapped file), which the graph keeps alive.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace bowerbird {

class CsrGraph final : public Graph {
 public:
  CsrGraph() : CsrGraph(std::vector<std::uint64_t>{0}, {}) {}
  CsrGraph(std::vector<std::uint64_t> offsets, std::vector<PageId> targets,
           std::vector<std::uint32_t> weights = {});
  CsrGraph(std::span<const std::uint64_t> offsets, std::span<const PageId> targets,
           std::span<const std::uint32_t> weights, std::shared_ptr<const void> keeper);
  CsrGraph(CsrGraph&&) = default;
  CsrGraph& operator=(CsrGraph&&) = default;

  PageId pages() const override { return static_cast<PageId>(offsets_.size() - 1); }
  std::optional<std::uint64_t> links() const override { return targets_.size(); }
  std::span<const PageId> out(PageId page, LinkBuffer&) const override { return out(page); }
  std::span<const PageId> out(PageId page) const {
    return targets_.subspan(offsets_[page], offsets_[page + 1] - offsets_[page]);
  }
  std::uint64_t degree(PageId page) const { return offsets_[page + 1] - offsets_[page]; }

  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const PageId> targets() const { return targets_; }
  // One weight per link, parallel to targets(), in host graphs; otherwise empty.
  std::span<const std::uint32_t> weights() const { return weights_; }

  // Checks the invariant above; the error names the first page that violates it.
  Status validate() const;

 private:
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    std::vector<PageId> targets;
    std::vector<std::uint32_t> weights;
  };
  std::shared_ptr<const void> keeper_;
  std::span<const std::uint64_t> offsets_;
  std::span<const PageId> targets_;
  std::span<const std::uint32_t> weights_;
};

// Builds a CsrGraph row by row, in page order. Each row is sorted and made distinct (the weights of equal
// links are added, up to the largest number that fits).
class CsrBuilder {
 public:
  explicit CsrBuilder(std::uint64_t expected_pages = 0, std::uint64_t expected_links = 0);

  // Adds the row of the next page. `row` is reordered. weights: empty, or as many as row.
  void add(std::span<PageId> row, std::span<const std::uint32_t> weights = {});
  PageId pages() const { return static_cast<PageId>(offsets_.size() - 1); }
  std::uint64_t links() const { return targets_.size(); }
  CsrGraph finish() &&;

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<PageId> targets_;
  std::vector<std::uint32_t> weights_;
  std::vector<std::pair<PageId, std::uint32_t>> sorting_;
};

// Any graph as arrays. Fails with the graph's own status.
Result<CsrGraph> to_csr(const Graph& graph);
// Reverses all links.
CsrGraph transpose(const CsrGraph& graph);

}  // namespace bowerbird
