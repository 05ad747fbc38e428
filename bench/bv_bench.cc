// How many links per second does the BVGraph code read, by scan and by random access, and write? It uses
// cnr-2000 if the real graphs are available (BOWERBIRD_DATA, or shared/data next to the sources), otherwise
// a generated graph of BENCH_PAGES pages (default 300,000). Verified: a slow reader reads the same links, and
// a graph that was written is the same when it is read. items_per_second are links; bits/link is given for
// writing.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <numeric>

#include "base/parallel.h"
#include "graph/io/bv_testing.h"
#include "graph/io/bv_twin.h"
#include "graph/io/bv_writer.h"

namespace bowerbird {
namespace {

using bv_testing::Lists;

// A sum over all links that depends on which page each belongs to, but not on the order of pages.
std::uint64_t sum_of(PageId page, std::span<const PageId> links) {
  std::uint64_t sum = 0;
  for (const PageId link : links) sum += mix64(page + 1) ^ link;
  return sum;
}

// The first, the last and the number of links: cheap compared with what is measured.
std::uint64_t taste(PageId page, std::span<const PageId> links) {
  if (links.empty()) return page;
  return page + links.size() + links.front() + links.back();
}

struct Subject {
  BvProperties properties;
  std::string lists, offsets;
  std::uint64_t sum = 0, tasted = 0;

  void learn(PageId page, std::span<const PageId> links) {
    sum += sum_of(page, links);
    tasted += taste(page, links);
  }
};

std::string data_folder() {
  const char* given = std::getenv("BOWERBIRD_DATA");
  return given != nullptr ? given : std::string(BOWERBIRD_SOURCE_DIR) + "/../shared/data";
}

// Writes the lists with some options and stores what a reader must find.
Subject subject_of(const Graph& graph, const BvOptions& options) {
  bv_testing::StringSink lists, offsets;
  const auto stats = compress_bv(graph, options, lists, offsets);
  CHECK(stats.ok());
  Subject subject{{stats->pages, stats->links, options}, lists.text(), offsets.text()};
  const auto truth = BvTwin::decode(subject.properties, bv_testing::bytes_of(subject.lists));
  CHECK(truth.has_value());
  for (PageId page = 0; page < graph.pages(); ++page) subject.learn(page, (*truth)[page]);
  std::uint64_t sum = 0;
  graph.scan(0, graph.pages(), [&](PageId page, std::span<const PageId> links) {
    sum += sum_of(page, links);
    return true;
  });
  CHECK(sum == subject.sum);
  return subject;
}

const CsrGraph& source() {
  static const CsrGraph built = [] {
    const std::string base = data_folder() + "/cnr-2000-nat/cnr-2000-nat";
    if (file_exists(base + ".graph")) {
      const auto graph = BvGraph::open(base);
      CHECK(graph.ok());
      return *to_csr(**graph);
    }
    const char* pages = std::getenv("BENCH_PAGES");
    return bv_testing::graph_of(
        bv_testing::weblike(static_cast<PageId>(pages == nullptr ? 300'000 : std::atoll(pages)), 1));
  }();
  return built;
}

// As cnr-2000 was published.
BvOptions published() {
  BvOptions options;
  options.min_interval = 3;
  return options;
}

const Subject& subject() {
  static const Subject made = subject_of(source(), published());
  return made;
}

// The same graph in codes without a specialised reader.
const Subject& other_codes() {
  BvOptions options = published();
  options.zeta_k = 4;
  options.codes[BvPart::kOutdegrees] = BvCode::kDelta;
  options.codes[BvPart::kReferences] = BvCode::kGamma;
  static const Subject made = subject_of(source(), options);
  return made;
}

std::unique_ptr<BvGraph> opened(const Subject& what) {
  auto graph = bv_testing::open_bytes(what.properties, what.lists, &what.offsets);
  CHECK(graph.ok());
  return std::move(*graph);
}

void count_links(benchmark::State& state, const Subject& what) {
  state.SetItemsProcessed(static_cast<std::int64_t>(what.properties.links) * state.iterations());
}

void scan(benchmark::State& state, const Subject& what) {
  const auto graph = opened(what);
  std::uint64_t sum = 0;
  graph->scan(0, graph->pages(), [&](PageId page, std::span<const PageId> links) {
    sum += sum_of(page, links);
    return true;
  });
  CHECK(sum == what.sum);
  for (auto _ : state) {
    std::uint64_t tasted = 0;
    graph->scan(0, graph->pages(), [&](PageId page, std::span<const PageId> links) {
      tasted += taste(page, links);
      return true;
    });
    CHECK(tasted == what.tasted);
  }
  CHECK(graph->status().ok());
  count_links(state, what);
}

void BM_BvScan(benchmark::State& state) {
  scan(state, subject());
}
void BM_BvScanOtherCodes(benchmark::State& state) {
  scan(state, other_codes());
}

void BM_BvScanInParts(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const auto graph = opened(subject());
  for (auto _ : state) {
    std::atomic<std::uint64_t> tasted = 0;
    parallel_ranges(graph->pages(), 64, threads, [&](unsigned, std::uint64_t first, std::uint64_t last) {
      std::uint64_t mine = 0;
      graph->scan(static_cast<PageId>(first), static_cast<PageId>(last),
                  [&](PageId page, std::span<const PageId> links) {
                    mine += taste(page, links);
                    return true;
                  });
      tasted += mine;
    });
    CHECK(tasted == subject().tasted);
  }
  count_links(state, subject());
}

// Every page once, in an order without any locality.
void BM_BvRandomAccess(benchmark::State& state) {
  const auto graph = opened(subject());
  std::vector<PageId> order(graph->pages());
  std::iota(order.begin(), order.end(), PageId{0});
  Rng rng(1);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  LinkBuffer buffer;
  std::uint64_t sum = 0;
  for (const PageId page : order) sum += sum_of(page, graph->out(page, buffer));
  CHECK(sum == subject().sum);
  for (auto _ : state) {
    std::uint64_t tasted = 0;
    for (const PageId page : order) tasted += taste(page, graph->out(page, buffer));
    CHECK(tasted == subject().tasted);
  }
  CHECK(graph->status().ok());
  count_links(state, subject());
}

// From bytes to a graph that can be read, with the offsets file (1) or without (0).
void BM_BvOpen(benchmark::State& state) {
  const std::string* const offsets = state.range(0) == 1 ? &subject().offsets : nullptr;
  for (auto _ : state) {
    const auto graph = bv_testing::open_bytes(subject().properties, subject().lists, offsets);
    CHECK(graph.ok());
    CHECK((*graph)->bits() / 8 < subject().lists.size() + 1);
  }
  count_links(state, subject());
}

void BM_BvCompress(benchmark::State& state) {
  double bits = 0;
  for (auto _ : state) {
    bv_testing::StringSink lists, offsets;
    const auto stats = compress_bv(source(), published(), lists, offsets);
    CHECK(stats.ok());
    CHECK(lists.text() == subject().lists);
    bits = stats->bits_per_link();
  }
  state.counters["bits/link"] = bits;
  count_links(state, subject());
}

BENCHMARK(BM_BvScan)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BvScanOtherCodes)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BvScanInParts)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BvRandomAccess)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BvOpen)->ArgName("offsets")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BvCompress)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
