// How many links per second does the synthetic web compute on one core, page after page and in random order,
// and does the size of the web matter? Verified: every row is ascending, distinct and in range, and the same
// when it is computed again.
#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "graph/synthetic.h"

namespace bowerbird {
namespace {

constexpr PageId kPages = 400'000;  // visited in each round

bool sound(std::span<const PageId> links, PageId pages) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i] >= pages || (i > 0 && links[i] <= links[i - 1])) return false;
  }
  return true;
}

std::uint64_t digest(std::uint64_t sum, PageId page, std::span<const PageId> links) {
  std::uint64_t row = page;
  for (const PageId link : links) row += link;
  return sum + mix64(row + links.size());
}

SyntheticGraph graph_of(const benchmark::State& state) {
  SyntheticOptions options;
  options.pages = static_cast<std::uint64_t>(state.range(0));
  return SyntheticGraph(options);
}

void BM_Scan(benchmark::State& state) {
  const SyntheticGraph graph = graph_of(state);
  const PageId first = graph.pages() / 3;
  const PageId last = std::min<std::uint64_t>(graph.pages(), std::uint64_t{first} + kPages);
  std::uint64_t expected = 0;
  graph.scan(first, last, [&](PageId page, std::span<const PageId> links) {
    if (!sound(links, graph.pages())) state.SkipWithError("a row is not ascending, distinct and in range");
    expected = digest(expected, page, links);
    return true;
  });
  std::uint64_t count = 0;
  for (auto _ : state) {
    std::uint64_t sum = 0;
    graph.scan(first, last, [&](PageId page, std::span<const PageId> links) {
      sum = digest(sum, page, links);
      count += links.size();
      return true;
    });
    if (sum != expected) state.SkipWithError("the rows differ from those of the first time");
  }
  state.counters["links/s"] = benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
}

void BM_Random(benchmark::State& state) {
  const SyntheticGraph graph = graph_of(state);
  LinkBuffer buffer;
  std::uint64_t count = 0;
  std::uint64_t expected = 0;
  for (auto _ : state) {
    Rng rng(1);
    std::uint64_t sum = 0;
    for (PageId i = 0; i < kPages; ++i) {
      const auto page = static_cast<PageId>(rng.below(graph.pages()));
      const auto links = graph.out(page, buffer);
      sum = digest(sum, page, links);
      count += links.size();
    }
    if (expected != 0 && sum != expected) state.SkipWithError("the rows differ from those of the first time");
    expected = sum;
  }
  state.counters["links/s"] = benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
}

BENCHMARK(BM_Scan)->Arg(1'000'000)->Arg(100'000'000)->Arg(1'000'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Random)->Arg(1'000'000)->Arg(100'000'000)->Arg(1'000'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
