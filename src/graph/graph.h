// A web graph: pages 0 ... pages()-1 and, for each, its distinct out-links in ascending order.
//
// It may be in memory, mapped from a file, decoded on the fly or computed: its users need not know. Hosts and
// names are separate (graph/web.h), since not every graph has them.
//
// Ownership: out() returns a view that is valid until the next call with the same buffer, or as long as the
// graph if the links are in memory anyway. Threads: all const members may be called from many threads at
// once, each with its own buffer. Errors: a graph that is decoded on the fly may find its file corrupt in the
// middle of a scan. Then out() returns no links and status() has the first such error: check it after a pass.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace bowerbird {

// Scratch space of one reader of a graph.
struct LinkBuffer {
  std::vector<PageId> links;               // storage for the result of out()
  std::vector<std::vector<PageId>> spare;  // for decoders that need more than one list
};

class Graph {
 public:
  virtual ~Graph() = default;

  virtual PageId pages() const = 0;
  // The number of all links, if it is known without a pass over the graph.
  virtual std::optional<std::uint64_t> links() const = 0;
  virtual std::span<const PageId> out(PageId page, LinkBuffer& buffer) const = 0;
  virtual Status status() const { return {}; }

  // Calls visit(page, links) for first <= page < last in ascending order, in the fastest way for this graph.
  // Stops early if visit returns false.
  using Visitor = std::function<bool(PageId page, std::span<const PageId> links)>;
  virtual void scan(PageId first, PageId last, const Visitor& visit) const;
};

// The number of links, if necessary estimated from a sample of the pages, for use before a pass.
std::uint64_t estimated_links(const Graph& graph);

}  // namespace bowerbird
