// How many links a second do the on-line orderings take in, and how many bytes does a known page cost?
// A crawl to the end with Frontier and ordering alone, one core: `memory` has the web in memory (time of the
// frontier and little else), `procedural` computes the links as they are asked for. Verifies that every page
// was crawled once, that all links of crawled pages lead to crawled pages, and how many pages and links
// there were. BENCH_PAGES names other sizes than 1M and 10M ("100M,1G"; above 20M only procedural ones),
// BENCH_ORDERINGS other orderings.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/units.h"
#include "frontier/frontier.h"
#include "graph/csr.h"
#include "graph/synthetic.h"
#include "policy/registry.h"

namespace bowerbird {
namespace {

constexpr PageId kMostInMemory = 20'000'000;
constexpr PageId kSeeds = 160;

// The first page of the hosts at equal distances.
std::vector<SeedPage> seeds_of(const Web& web) {
  std::vector<SeedPage> seeds;
  const PageId n = web.graph->pages();
  for (PageId i = 0; i < kSeeds; ++i) {
    const auto page = static_cast<PageId>(std::uint64_t{n} * i / kSeeds);
    seeds.push_back({web.hosts->run(page).first, 1});
  }
  return seeds;
}

struct Crawl {
  std::vector<bool> done;
  std::uint64_t pages = 0, links = 0, bytes = 0, known = 0, peak = 0;
  bool twice = false;
};

Crawl crawl(const Web& web, const Graph& graph, const std::string& spec) {
  Crawl result;
  const PageId n = graph.pages();
  result.done.resize(n);
  auto policy = make_policy(spec, {.expected_pages = n});
  CHECK(policy.ok());
  auto made = Frontier::make({.expected_pages = n, .page_capacity = n}, std::move(*policy));
  Frontier& frontier = **made;
  frontier.seed(seeds_of(web));
  LinkBuffer buffer;
  std::vector<Link> links;
  while (const auto job = frontier.next(0)) {
    const auto [first, last] = web.hosts->run(job->page);
    links.clear();
    for (const PageId to : graph.out(job->page, buffer)) links.push_back({to, to < first || to >= last});
    result.twice |= result.done[job->page];
    result.done[job->page] = true;
    ++result.pages;
    result.links += links.size();
    frontier.complete(job->page, links);
  }
  result.bytes = frontier.bytes();
  result.known = frontier.counts().discovered;
  result.peak = frontier.counts().peak;
  return result;
}

// Empty if all is well.
std::string verify(const Crawl& crawl, const Web& web) {
  if (crawl.twice) return "a page was crawled twice";
  if (crawl.pages != crawl.known) return "a discovered page was not crawled";
  for (const SeedPage& seed : seeds_of(web)) {
    if (!crawl.done[seed.page]) return "a seed was not crawled";
  }
  std::uint64_t pages = 0, links = 0;
  bool closed = true;
  web.graph->scan(0, web.graph->pages(), [&](PageId page, std::span<const PageId> targets) {
    if (!crawl.done[page]) return true;
    ++pages;
    links += targets.size();
    for (const PageId to : targets) closed &= static_cast<bool>(crawl.done[to]);
    return true;
  });
  if (!closed) return "a link of a crawled page leads to a page that was not";
  return pages == crawl.pages && links == crawl.links ? "" : "the crawl saw other links than the graph has";
}

void run(benchmark::State& state, const Web& web, const Graph& graph, const std::string& spec) {
  Crawl result;
  for (auto _ : state) result = crawl(web, graph, spec);
  if (const std::string wrong = verify(result, web); !wrong.empty()) state.SkipWithError(wrong.c_str());
  const auto known = static_cast<double>(result.known);
  state.counters["links/s"] =
      benchmark::Counter(static_cast<double>(result.links), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["links"] = static_cast<double>(result.links);
  state.counters["pages"] = static_cast<double>(result.pages);
  state.counters["bytes/page"] = static_cast<double>(result.bytes) / known;
  state.counters["peak queue"] = static_cast<double>(result.peak) / known;
}

std::vector<std::string> words_of(const char* variable, std::string words) {
  if (const char* given = std::getenv(variable); given != nullptr) words = given;
  return *split_specs(words);
}

// One web at a time: those in memory of the last size would only be in the way.
const Web& web_of(std::uint64_t pages) {
  static Web web;
  if (web.graph == nullptr || web.graph->pages() != pages) {
    SyntheticOptions options;
    options.pages = pages;
    web = make_synthetic(options);
  }
  return web;
}

const CsrGraph& in_memory(std::uint64_t pages) {
  static CsrGraph graph;
  if (graph.pages() != pages) {
    graph = CsrGraph();
    graph = std::move(*to_csr(*web_of(pages).graph));
  }
  return graph;
}

void add(const std::string& where, std::uint64_t pages, const std::string& spec) {
  const std::string name = where + "/" + format_count(pages) + "/" + spec;
  const bool memory = where == "memory";
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 const Web& web = web_of(pages);
                                 run(state, web,
                                     memory ? static_cast<const Graph&>(in_memory(pages)) : *web.graph, spec);
                               })
      ->Unit(benchmark::kSecond)
      ->Iterations(1);
}

void add_all() {
  for (const std::string& size : words_of("BENCH_PAGES", "1M,10M")) {
    const std::uint64_t pages = *parse_count(size);
    for (const char* where : {"memory", "procedural"}) {
      if (where == std::string("memory") && pages > kMostInMemory) continue;
      for (const std::string& spec : words_of("BENCH_ORDERINGS", "bfs,backlink,opic,fica,ieca,fpr,fpr@100")) {
        add(where, pages, spec);
      }
    }
  }
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  bowerbird::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
