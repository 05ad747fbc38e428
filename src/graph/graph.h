// A web graph: pages 0 ... pages()-1 and, for each, its distinct out-links in ascending order.
//
// Stored in memory, mapped from a file, decoded on the fly or computed from nothing: the readers of a graph
// need not know. Hosts and names are beside it (graph/web.h), since not every graph has them.
//
// Ownership: out() answers with a view that lives until the next call with the same buffer, or as long as the
// graph where the links are in memory anyway. Threads: all const members may be called from many threads at
// once, each with a buffer of its own. Errors: a graph that is decoded on the fly may find its file to be
// corrupt in the middle of a scan. Then out() answers with no links and status() has the first such error:
// look at it after a pass.
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
  std::vector<PageId> links;               // what out() may answer from
  std::vector<std::vector<PageId>> spare;  // for decoders that need more than one list
};

class Graph {
 public:
  virtual ~Graph() = default;

  virtual PageId pages() const = 0;
  // All links, if that is known without a pass over the graph.
  virtual std::optional<std::uint64_t> links() const = 0;
  virtual std::span<const PageId> out(PageId page, LinkBuffer& buffer) const = 0;
  virtual Status status() const { return {}; }

  // Calls visit(page, links) for first <= page < last in ascending order, in the fastest way this graph
  // knows. Stops early when visit answers false.
  using Visitor = std::function<bool(PageId page, std::span<const PageId> links)>;
  virtual void scan(PageId first, PageId last, const Visitor& visit) const;
};

// The number of links, where need be guessed from a sample of the pages: for what must be known before a
// pass.
std::uint64_t estimated_links(const Graph& graph);

}  // namespace bowerbird
