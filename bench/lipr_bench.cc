// What does a whole crawl with `lipr` cost compared with `fpr`, how does the work of its recomputations grow
// with the crawl, how many bytes does a known page need, and what does it cost to have the growing graph on
// disk, except its last 64 KiB? Complete crawls of synthetic webs, with links and hosts computed on request.
// Time is CPU time of all threads, including the system's for reading and writing, without that of computing
// the links; "whole crawl" includes it. Verified: every reachable page is crawled once, and the order
// depends neither on the number of threads nor on where the graph is. BENCH_PAGES sets other sizes than 100k
// and 1M ("10M").
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/units.h"
#include "frontier/frontier.h"
#include "graph/synthetic.h"
#include "policy/registry.h"
#include "store/spill_folder.h"

namespace bowerbird {
namespace {

constexpr PageId kSeeds = 50;

struct How {
  std::string policy;
  unsigned threads = 1;
  bool on_disk = false;

  std::string name() const { return policy + (on_disk ? ", graph on disk" : ""); }
};

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Web web_of(std::uint64_t pages) {
  SyntheticOptions options;
  options.pages = pages;
  return make_synthetic(options);
}

// The links of a page, flagged by host.
void links_of(const Web& web, PageId page, LinkBuffer& buffer, std::vector<Link>& links) {
  const std::span<const PageId> targets = web.graph->out(page, buffer);
  const auto [first, last] = web.hosts->run(page);
  links.clear();
  for (const PageId target : targets) links.push_back({target, target < first || target >= last});
}

struct Crawl {
  std::uint64_t pages = 0, links = 0, known = 0;
  std::uint64_t order = 0;  // a hash
  std::uint64_t policy_bytes = 0;
  double seconds = 0;
  std::map<std::string, double> accounts;
};

Crawl crawl(const Web& web, const How& how) {
  PolicyContext context;
  context.expected_pages = web.graph->pages();
  context.threads = how.threads;
  auto spill = TemporarySpill::make();
  CHECK(spill.ok());
  if (how.on_disk) {
    context.spill = &(*spill)->store();
    context.graph_bytes = 0;
  }
  context.hosts = [&web](PageId page) { return web.hosts->host(page); };
  auto policy = make_policy(how.policy, context);
  CHECK(policy.ok());
  auto made = Frontier::make({.page_capacity = web.graph->pages()}, std::move(*policy), {}, context.hosts);
  CHECK(made.ok());
  Frontier& frontier = **made;
  std::vector<SeedPage> seeds;
  for (PageId i = 0; i < kSeeds; ++i) {
    seeds.push_back({static_cast<PageId>(to_below(draw(1, i), web.graph->pages())), 1});
  }
  Crawl result;
  std::vector<bool> done(web.graph->pages());
  LinkBuffer buffer;
  std::vector<Link> links;
  const double start = cpu_seconds();
  frontier.seed(seeds);
  while (const auto job = frontier.next(Time{})) {
    CHECK(!done[job->page]);
    done[job->page] = true;
    result.order = mix64(result.order ^ (job->page + 1));
    links_of(web, job->page, buffer, links);
    result.links += links.size();
    frontier.complete(job->page, links);
  }
  result.seconds = cpu_seconds() - start;
  result.pages = frontier.counts().crawled;
  result.known = frontier.counts().discovered;
  CHECK(result.pages == result.known);
  CHECK(frontier.take_troubles().empty());
  result.policy_bytes = frontier.policy().bytes();
  for (const Account& account : frontier.policy().accounts()) {
    result.accounts[std::string(account.name)] = account.value;
  }
  return result;
}

// The links of all pages, computed as a crawl does.
double link_seconds(const Web& web) {
  LinkBuffer buffer;
  std::vector<Link> links;
  std::uint64_t sum = 0;
  const double start = cpu_seconds();
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    links_of(web, static_cast<PageId>(to_below(draw(7, page), web.graph->pages())), buffer, links);
    sum += links.size();
  }
  benchmark::DoNotOptimize(sum);
  return cpu_seconds() - start;
}

// One web and the results of its first crawls, shared by the benches of a size.
struct Ground {
  Web web;
  double links = 0, fpr = 0, fpr_whole = 0;
  std::uint64_t order = 0;               // of lipr
  std::map<unsigned, double> in_memory;  // seconds of lipr, by threads
};

Ground& ground_of(std::uint64_t pages) {
  static std::map<std::uint64_t, Ground> grounds;
  Ground& ground = grounds[pages];
  if (!ground.web.graph) {
    ground.web = web_of(pages);
    ground.links = link_seconds(ground.web);
  }
  return ground;
}

void bm_crawl(benchmark::State& state, const How& how, std::uint64_t pages) {
  Ground& ground = ground_of(pages);
  for (auto _ : state) {
    const Crawl result = crawl(ground.web, how);
    const double own = result.seconds - ground.links;
    state.SetIterationTime(own);
    const auto links = static_cast<double>(result.links);
    state.counters["links"] = links;
    state.counters["ns/link"] = own * 1e9 / links;
    if (how.policy == "fpr") {
      ground.fpr = own;
      ground.fpr_whole = result.seconds;
    }
    if (how.policy != "lipr") continue;
    if (ground.order != 0) CHECK(ground.order == result.order);
    ground.order = result.order;
    if (!how.on_disk) ground.in_memory[how.threads] = own;
    if (how.on_disk && ground.in_memory.contains(how.threads)) {
      state.counters["times in memory"] = own / ground.in_memory[how.threads];
    }
    if (ground.fpr > 0) {
      state.counters["times fpr"] = own / ground.fpr;
      state.counters["times fpr, whole crawl"] = result.seconds / ground.fpr_whole;
    }
    state.counters["recomputations"] = result.accounts.at("recomputations");
    state.counters["recomputed links/link"] = result.accounts.at("recomputed_links") / links;
    const double known = static_cast<double>(result.known);
    state.counters["state B/page"] = result.accounts.at("state_bytes") / known;
    state.counters["graph B/link"] = result.accounts.at("graph_bytes") / links;
    state.counters["disk B/link"] = result.accounts.at("graph_disk_bytes") / links;
    state.counters["all B/page"] = static_cast<double>(result.policy_bytes) / known;
  }
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  using namespace bowerbird;
  benchmark::Initialize(&argc, argv);
  const char* const sizes = std::getenv("BENCH_PAGES");
  std::string rest = sizes == nullptr ? "100k,1M" : sizes;
  while (!rest.empty()) {
    const std::string size = rest.substr(0, rest.find(','));
    rest = size.size() < rest.size() ? rest.substr(size.size() + 1) : "";
    const auto pages = parse_count(size);
    CHECK(pages.ok());
    for (const How& how :
         {How{"fpr"}, How{"lipr"}, How{"lipr", 2}, How{"lipr", 1, true}, How{"lipr", 2, true}}) {
      const std::string name = how.name() + "/" + size + "/threads:" + std::to_string(how.threads);
      benchmark::RegisterBenchmark(name.c_str(),
                                   [=](benchmark::State& state) { bm_crawl(state, how, *pages); })
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
