// A graph read as an edge list, written and read again is the same; relabelling only renames pages.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "graph/io/edge_list.h"
#include "graph_property.h"
#include "sys/sink.h"

using namespace bowerbird;

namespace {

Result<EdgeList> parse(std::string_view text, bool relabel) {
  const auto in = InputStream::from_memory(text, "X");
  return read_edge_list(*in, {.relabel = relabel});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto relabelled = parse(text, true);
  if (!relabelled.ok()) {
    CHECK(relabelled.error().text.starts_with("X: "));
    CHECK(!parse(text, false).ok());
    return 0;
  }
  const auto& ids = relabelled->original_ids;
  CHECK(ids.size() == relabelled->graph.pages());
  CHECK(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end());
  // Large graphs with few links only take time here.
  if (!ids.empty() && ids.back() > 100'000) return 0;
  const auto list = parse(text, false);
  if (!list.ok()) return 0;  // the comment announces too many pages
  if (list->graph.pages() > 200'000) return 0;
  CHECK(std::ranges::equal(list->graph.weights(), relabelled->graph.weights()));
  CHECK(std::ranges::equal(list->graph.targets(), relabelled->graph.targets(), {}, {},
                           [&](PageId page) { return ids[page]; }));
  StringSink sink;
  CHECK(write_edge_list(list->graph, sink).ok());
  const auto again = parse(sink.text(), false);
  CHECK(again.ok());
  check_same(list->graph, again->graph);
  return 0;
}
