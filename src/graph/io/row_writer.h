// Writes a graph as text, page by page.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/progress.h"
#include "graph/csr.h"
#include "sys/sink.h"

namespace bowerbird {

// The weights of the links, if the graph has any.
inline const CsrGraph* weighted_graph(const Graph& graph) {
  const auto* const csr = dynamic_cast<const CsrGraph*>(&graph);
  return csr != nullptr && !csr->weights().empty() ? csr : nullptr;
}

// `text` comes before the pages. append(page, links, weights, text) adds a page; weights is null if there are
// none.
template <typename Append>
Status write_rows(const Graph& graph, std::string text, ByteSink& out, const Progress& progress,
                  const Append& append) {
  constexpr PageId kPagesPerTick = 1 << 15;
  constexpr std::size_t kWriteBuffer = 1 << 16;
  const CsrGraph* const weighted = weighted_graph(graph);
  Status status;
  graph.scan(0, graph.pages(), [&](PageId page, std::span<const PageId> links) {
    const std::uint32_t* const weights =
        weighted != nullptr ? weighted->weights().data() + weighted->offsets()[page] : nullptr;
    append(page, links, weights, text);
    if (text.size() >= kWriteBuffer) {
      status = out.write(text);
      text.clear();
    }
    if (page % kPagesPerTick == 0 && !progress.tick("writing", page, graph.pages())) {
      status = error("stopped while writing");
    }
    return status.ok();
  });
  BB_TRY_VOID(std::move(status));
  BB_TRY_VOID(graph.status());
  return out.write(text);
}

}  // namespace bowerbird
