// How many links per second does one PageRank iteration process, with one thread and with two? Verified:
// ranks sum to 1 and do not depend on the number of threads. BENCH_PAGES sets the size of the synthetic web
// (default 2,000,000 pages).
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>

#include "bench_graph.h"
#include "graph/pagerank.h"

namespace bowerbird {
namespace {

const CsrGraph& graph() {
  static const CsrGraph built = make_bench_graph(2'000'000);
  return built;
}

void BM_PageRankIteration(benchmark::State& state) {
  PageRankOptions options;
  options.threads = static_cast<unsigned>(state.range(0));
  options.max_iterations = 10;
  options.tolerance = 0;
  PageRankOptions one = options;
  one.threads = 1;
  static const std::vector<double> expected = pagerank(graph(), one)->rank;
  double seconds = 0;
  std::uint64_t links = 0;
  for (auto _ : state) {
    // The first tick comes after the graph is reversed and one iteration is done: time starts there.
    auto first = std::chrono::steady_clock::time_point();
    auto last = first;
    const Progress watch([&](std::string_view, std::uint64_t, std::uint64_t) {
      last = std::chrono::steady_clock::now();
      if (first == std::chrono::steady_clock::time_point()) first = last;
      return true;
    });
    const auto result = pagerank(graph(), options, watch);
    seconds += std::chrono::duration<double>(last - first).count();
    links += *graph().links() * (options.max_iterations - 1);
    double sum = 0;
    for (const double rank : result->rank) sum += rank;
    if (std::fabs(sum - 1) > 1e-9) state.SkipWithError("the ranks do not sum to 1");
    if (result->rank != expected) state.SkipWithError("the ranks depend on the number of threads");
  }
  state.counters["links/s"] = static_cast<double>(links) / seconds;
}
BENCHMARK(BM_PageRankIteration)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->Iterations(5);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
