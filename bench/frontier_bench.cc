// How many links per second do the on-line orderings process, and how many bytes does a known page need?
// Each run is a complete crawl with Frontier and ordering only, on one core. `memory` has the web in memory
// (almost all time is the frontier's), `procedural` computes the links on request, `plain` keeps the queue
// in a std::set, the simplest way, `spill` keeps the best part of the queue in memory (about 3 % of the
// pages) and the rest on disk. Verified: every page is crawled once, all links of crawled pages lead to
// crawled pages, the numbers of pages and links are right, and the order is the same each way. BENCH_PAGES
// sets other sizes than 1M and 10M ("100M,1G"; above 20M only procedural, above 2M nothing plain),
// BENCH_ORDERINGS other orderings.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/units.h"
#include "frontier/frontier.h"
#include "graph/csr.h"
#include "graph/synthetic.h"
#include "policy/registry.h"
#include "store/spill_folder.h"

namespace bowerbird {
namespace {

constexpr PageId kMostInMemory = 20'000'000;
constexpr PageId kMostPlain = 2'000'000;
constexpr PageId kSeeds = 160;

// The first pages of hosts at equal distances.
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
  std::uint64_t pages = 0, links = 0, bytes = 0, known = 0, peak = 0, spilled = 0;
  std::uint64_t order = 0;  // a hash
  bool twice = false;

  void take(PageId page, std::size_t links_of_page) {
    twice |= done[page];
    done[page] = true;
    order = mix64(order ^ (page + 1));
    ++pages;
    links += links_of_page;
  }
};

std::unique_ptr<Policy> policy_of(const std::string& spec, PageId pages) {
  auto policy = make_policy(spec, {.expected_pages = pages});
  CHECK(policy.ok());
  return std::move(*policy);
}

Crawl crawl_with(const Web& web, const Graph& graph, const std::string& spec, std::uint64_t queue_bytes,
                 SpillStore* spill) {
  Crawl result;
  const PageId n = graph.pages();
  result.done.resize(n);
  FrontierOptions options;
  options.expected_pages = n;
  options.page_capacity = n;
  options.queue_bytes = queue_bytes;
  options.spill = spill;
  auto made = Frontier::make(options, policy_of(spec, n));
  Frontier& frontier = **made;
  frontier.seed(seeds_of(web));
  LinkBuffer buffer;
  std::vector<Link> links;
  while (const auto job = frontier.next(Time{})) {
    const auto [first, last] = web.hosts->run(job->page);
    links.clear();
    for (const PageId to : graph.out(job->page, buffer)) links.push_back({to, to < first || to >= last});
    result.take(job->page, links.size());
    frontier.complete(job->page, links);
  }
  result.bytes = frontier.bytes();
  result.known = frontier.counts().discovered;
  result.peak = frontier.counts().peak;
  result.spilled = frontier.spilled().peak;
  return result;
}

Crawl crawl(const Web& web, const Graph& graph, const std::string& spec) {
  return crawl_with(web, graph, spec, 0, nullptr);
}

Crawl spilling_crawl(const Web& web, const Graph& graph, const std::string& spec) {
  auto spill = TemporarySpill::make();
  CHECK(spill.ok());
  return crawl_with(web, graph, spec, graph.pages(), &(*spill)->store());
}

// The same crawl with a queue in a balanced tree. Enough for orderings that only give() scores.
Crawl plain_crawl(const Web& web, const Graph& graph, const std::string& spec) {
  Crawl result;
  const PageId n = graph.pages();
  result.done.resize(n);
  const auto policy = policy_of(spec, n);
  const auto better = [](const QueueItem& a, const QueueItem& b) { return a.better_than(b); };
  std::set<QueueItem, decltype(better)> queue(better);
  std::vector<QueueItem> item(n);
  std::vector<bool> known(n);
  const auto enter = [&](const QueueItem& entry) {
    item[entry.page()] = entry;
    known[entry.page()] = true;
    queue.insert(entry);
    result.peak = std::max<std::uint64_t>(result.peak, queue.size());
  };
  const std::vector<SeedPage> seeds = seeds_of(web);
  for (const SeedPage& seed : seeds) {
    if (known[seed.page]) continue;
    const auto number = static_cast<std::uint32_t>(result.known++);
    enter({seed.page, number, policy->seed({seed.page, number, 1 / static_cast<double>(seeds.size()), {}})});
  }
  LinkBuffer buffer;
  std::vector<OpenLink> open;
  while (!queue.empty()) {
    const QueueItem best = *queue.begin();
    queue.erase(queue.begin());
    const auto targets = graph.out(best.page(), buffer);
    const auto [first, last] = web.hosts->run(best.page());
    result.take(best.page(), targets.size());
    Visit visit{best.page(), best.discovered(), best.score(), static_cast<std::uint32_t>(targets.size()),
                0,           result.pages,      result.known};
    open.clear();
    std::uint32_t new_links = 0;
    for (const PageId to : targets) {
      const bool other = to < first || to >= last;
      visit.other_host += other ? 1 : 0;
      if (result.done[to]) continue;
      const auto number =
          known[to] ? item[to].discovered() : static_cast<std::uint32_t>(result.known + new_links++);
      open.push_back({to, number, !known[to], other, {}, known[to] ? item[to].score() : 0});
    }
    policy->crawled(visit, {});
    policy->give(visit, open);
    result.known += new_links;
    policy->given(visit, open, {});
    for (const OpenLink& link : open) {
      if (!link.is_new) queue.erase(item[link.page]);
      enter({link.page, link.discovered, link.score});
    }
  }
  constexpr std::uint64_t kNode = 32;  // overhead of the tree per item
  result.bytes = n * sizeof(QueueItem) + result.peak * (sizeof(QueueItem) + kNode);
  return result;
}

// Empty if everything is correct.
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

// False if another way to crawl this web with this ordering gave another order.
bool same_order(const Web& web, const std::string& spec, std::uint64_t order) {
  static std::map<std::pair<PageId, std::string>, std::uint64_t> seen;
  return seen.emplace(std::pair(web.graph->pages(), spec), order).first->second == order;
}

using Way = Crawl (*)(const Web& web, const Graph& graph, const std::string& spec);

void run(benchmark::State& state, const Web& web, const Graph& graph, const std::string& spec, Way way) {
  Crawl result;
  for (auto _ : state) result = way(web, graph, spec);
  if (const std::string wrong = verify(result, web); !wrong.empty()) state.SkipWithError(wrong.c_str());
  // Scores that are rounded on disk may change the order.
  const bool rounded = way == spilling_crawl && spec != "bfs" && spec != "backlink";
  if (!rounded && !same_order(web, spec, result.order))
    state.SkipWithError("not the order of the other ways to crawl");
  const auto known = static_cast<double>(result.known);
  state.counters["links/s"] =
      benchmark::Counter(static_cast<double>(result.links), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["links"] = static_cast<double>(result.links);
  state.counters["pages"] = static_cast<double>(result.pages);
  state.counters["bytes/page"] = static_cast<double>(result.bytes) / known;
  state.counters["spilled"] = static_cast<double>(result.spilled) / known;
  state.counters["pages/s"] =
      benchmark::Counter(static_cast<double>(result.pages), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["peak queue"] = static_cast<double>(result.peak) / known;
}

std::vector<std::string> words_of(const char* variable, std::string words) {
  if (const char* given = std::getenv(variable); given != nullptr) words = given;
  return *split_specs(words);
}

// One web at a time, to save memory.
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
  const bool memory = where != "procedural";
  const Way way = where == "plain" ? plain_crawl : where == "spill" ? spilling_crawl : crawl;
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) {
        const Web& web = web_of(pages);
        run(state, web, memory ? static_cast<const Graph&>(in_memory(pages)) : *web.graph, spec, way);
      })
      ->Unit(benchmark::kSecond)
      ->Iterations(1);
}

void add_all() {
  for (const std::string& size : words_of("BENCH_PAGES", "1M,10M")) {
    const std::uint64_t pages = *parse_count(size);
    for (const std::string where : {"plain", "memory", "spill", "procedural"}) {
      if (where == "plain" && pages > kMostPlain) continue;
      if ((where == "memory" || where == "spill") && pages > kMostInMemory) continue;
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
