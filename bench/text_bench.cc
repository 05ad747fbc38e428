// How many bytes of text per second are read as an ASCIIGraph and as an edge list, and how long does a
// native graph take to open, checked and trusted? Every graph that is read is compared with the one that was
// written. BENCH_PAGES sets the size of the synthetic web (default 500,000 pages).
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/rng.h"
#include "bench_graph.h"
#include "graph/csr.h"
#include "graph/io/ascii.h"
#include "graph/io/edge_list.h"
#include "graph/io/native.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

const CsrGraph& graph() {
  static const CsrGraph built = make_bench_graph(500'000);
  return built;
}

bool same(const Graph& read) {
  const auto& csr = dynamic_cast<const CsrGraph&>(read);
  return std::ranges::equal(csr.offsets(), graph().offsets()) &&
         std::ranges::equal(csr.targets(), graph().targets());
}

// The graph as text, compressed or not.
template <typename Write>
std::string text_of(Compression compression, Write&& write) {
  std::string text;
  const auto sink = compressing(compression, std::make_unique<StringSink>(text));
  CHECK(write(*sink).ok());
  CHECK(sink->finish().ok());
  return text;
}

// Bytes of plain text per second, also if it is compressed.
template <typename Write, typename Read>
void measure(benchmark::State& state, Write&& write, Read&& read) {
  const auto compression = static_cast<Compression>(state.range(0));
  const std::size_t plain = text_of(Compression::kNone, write).size();
  const std::string stored = text_of(compression, write);
  for (auto _ : state) {
    const auto in = InputStream::from_memory(stored, "bench");
    const auto found = read(*in);
    state.PauseTiming();
    if (!found.ok() || !same(*found)) state.SkipWithError("not the graph that was written");
    state.ResumeTiming();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(plain * state.iterations()));
  state.SetLabel(compression == Compression::kNone   ? "plain"
                 : compression == Compression::kGzip ? "gzip"
                                                     : "zstd");
}

void BM_ReadAscii(benchmark::State& state) {
  measure(
      state, [](ByteSink& sink) { return write_ascii(graph(), sink); },
      [](InputStream& in) { return read_ascii(in); });
}
BENCHMARK(BM_ReadAscii)->ArgName("packed")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

Result<CsrGraph> read_edges(InputStream& in) {
  BB_TRY(EdgeList list, read_edge_list(in));
  return std::move(list.graph);
}

void BM_ReadEdgeList(benchmark::State& state) {
  measure(
      state, [](ByteSink& sink) { return write_edge_list(graph(), sink); }, read_edges);
}
BENCHMARK(BM_ReadEdgeList)->ArgName("packed")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

// The same links in random order.
Status write_shuffled(ByteSink& sink) {
  std::vector<std::pair<PageId, PageId>> links;
  for (PageId page = 0; page < graph().pages(); ++page) {
    for (const PageId target : graph().out(page)) links.emplace_back(page, target);
  }
  Rng rng(2);
  for (std::size_t i = links.size(); i > 1; --i) std::swap(links[i - 1], links[rng.below(i)]);
  BB_TRY_VOID(sink.write(fmt::format("# Nodes: {}\n", graph().pages())));
  for (const auto& [from, to] : links) BB_TRY_VOID(sink.write(fmt::format("{}\t{}\n", from, to)));
  return {};
}

void BM_ReadShuffledEdgeList(benchmark::State& state) {
  measure(state, write_shuffled, read_edges);
}
BENCHMARK(BM_ReadShuffledEdgeList)->ArgName("packed")->Arg(0)->Unit(benchmark::kMillisecond);

template <typename Write>
void measure_writing(benchmark::State& state, Write&& write) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    StringSink sink;
    if (!write(sink).ok()) state.SkipWithError("cannot write");
    bytes += sink.text().size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void BM_WriteAscii(benchmark::State& state) {
  measure_writing(state, [](ByteSink& sink) { return write_ascii(graph(), sink); });
}
BENCHMARK(BM_WriteAscii)->Unit(benchmark::kMillisecond);

void BM_WriteEdgeList(benchmark::State& state) {
  measure_writing(state, [](ByteSink& sink) { return write_edge_list(graph(), sink); });
}
BENCHMARK(BM_WriteEdgeList)->Unit(benchmark::kMillisecond);

void BM_OpenNative(benchmark::State& state) {
  const bool trust = state.range(0) != 0;
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("bowerbird-bench-{}.bbg", ::getpid())).string();
  {
    Web web;
    web.graph = std::make_unique<CsrGraph>(graph().offsets(), graph().targets(), graph().weights(), nullptr);
    auto sink = create_output(path);
    CHECK(sink.ok() && write_native(web, **sink).ok() && (*sink)->finish().ok());
  }
  for (auto _ : state) {
    const auto web = open_native(path, trust);
    state.PauseTiming();
    if (!web.ok() || !same(*web->graph)) state.SkipWithError("not the graph that was written");
    state.ResumeTiming();
  }
  if (!trust) {
    state.SetBytesProcessed(static_cast<std::int64_t>(std::filesystem::file_size(path) * state.iterations()));
  }
  state.SetLabel(trust ? "trusted" : "checked");
  std::filesystem::remove(path);
}
BENCHMARK(BM_OpenNative)->ArgName("trust")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
