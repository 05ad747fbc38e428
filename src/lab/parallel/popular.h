// The most linked pages of a whole graph, which all processes may know from the start [001, replication].
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "graph/graph.h"

namespace bowerbird {

// The `count` pages with the most links to them, ties by lower id; ascending.
std::vector<PageId> most_linked(const Graph& graph, std::uint64_t count);

}  // namespace bowerbird
