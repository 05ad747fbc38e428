// The synthetic graph of a bench, made once. BENCH_PAGES sets its size.
#pragma once

#include <cstdlib>

#include "graph/csr.h"
#include "graph/synthetic.h"

namespace bowerbird {

inline CsrGraph make_bench_graph(std::uint64_t default_pages) {
  const char* const pages = std::getenv("BENCH_PAGES");
  SyntheticOptions options;
  options.pages = pages == nullptr ? default_pages : std::strtoull(pages, nullptr, 10);
  return std::move(to_csr(SyntheticGraph(options))).value();
}

}  // namespace bowerbird
