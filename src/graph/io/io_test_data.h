// What the tests of graph files share: small graphs, temporary files, and where the real graphs are.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "graph/csr.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {

using Rows = std::vector<std::vector<PageId>>;

inline CsrGraph graph_of(Rows rows) {
  CsrBuilder builder;
  for (auto& row : rows) builder.add(row);
  return std::move(builder).finish();
}

inline Rows rows_of(const Graph& graph) {
  Rows rows;
  graph.scan(0, graph.pages(), [&](PageId, std::span<const PageId> links) {
    rows.emplace_back(links.begin(), links.end());
    return true;
  });
  return rows;
}

inline std::vector<std::uint32_t> weights_of(const Graph& graph) {
  const auto* csr = dynamic_cast<const CsrGraph*>(&graph);
  if (csr == nullptr) return {};
  return {csr->weights().begin(), csr->weights().end()};
}

inline CsrGraph random_graph(PageId pages, std::uint64_t links, std::uint64_t seed, bool weighted = false) {
  Rng rng(seed);
  Rows rows(pages);
  for (std::uint64_t i = 0; i < links; ++i) {
    rows[rng.below(pages)].push_back(static_cast<PageId>(rng.below(pages)));
  }
  CsrBuilder builder;
  for (auto& row : rows) {
    std::vector<std::uint32_t> weights(weighted ? row.size() : 0);
    for (std::uint32_t& weight : weights) weight = static_cast<std::uint32_t>(1 + rng.below(1000));
    builder.add(row, weights);
  }
  return std::move(builder).finish();
}

// A file of the real graphs, or an empty string where they are absent.
inline std::string real_data(const std::string& name) {
  const char* folder = std::getenv("BOWERBIRD_DATA");
  const std::string path =
      (folder != nullptr ? std::string(folder) : std::string(BOWERBIRD_SOURCE_DIR "/../shared/data")) + "/" +
      name;
  return std::filesystem::exists(path) ? path : std::string();
}

}  // namespace bowerbird
