#include "lab/crawl_order.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "base/keyed_hash.h"
#include "graph/csr.h"
#include "lab/evaluation.h"
#include "lab/run.h"
#include "lab/setting.h"
#include "store/crawl_reader.h"
#include "url/host.h"

namespace bowerbird {

namespace {

// The pages that are done, renumbered in order of discovery.
struct DonePages {
  std::vector<PageId> order;   // old numbers, in the order they were done
  std::vector<PageId> number;  // new number by old one; kNoPage: not done
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> size;  // by position in `order`
  std::vector<PageId> links;        // old numbers
};

Result<DonePages> read_done(const CrawlReader& crawl, const AdmittedLinks& admitted) {
  DonePages done;
  done.number.assign(crawl.pages(), kNoPage);
  BB_TRY_VOID(crawl.for_each_links([&](const PageLinks& row) -> Status {
    if (row.page >= crawl.pages()) return error("links.log: there is no page {}", row.page);
    if (done.number[row.page] != kNoPage) return {};  // if a page was done twice, the first time counts
    done.number[row.page] = 0;
    done.order.push_back(row.page);
    done.begin.push_back(done.links.size());
    for (const StoredLink& link : row.links) {
      if (link.page >= crawl.pages()) return error("links.log: there is no page {}", link.page);
      if (is_followed(row.page, link, admitted)) done.links.push_back(link.page);
    }
    done.size.push_back(static_cast<std::uint32_t>(done.links.size() - done.begin.back()));
    return {};
  }));
  PageId next = 0;
  for (PageId& number : done.number) {
    if (number != kNoPage) number = next++;
  }
  return done;
}

CsrGraph to_graph(const DonePages& done) {
  std::vector<std::size_t> place(done.order.size());
  for (std::size_t i = 0; i < done.order.size(); ++i) place[done.number[done.order[i]]] = i;
  CsrBuilder builder(done.order.size(), done.links.size());
  std::vector<PageId> row;
  for (const std::size_t i : place) {
    row.clear();
    for (const PageId old : std::span(done.links).subspan(done.begin[i], done.size[i])) {
      if (done.number[old] != kNoPage) row.push_back(done.number[old]);
    }
    builder.add(row);
  }
  return std::move(builder).finish();
}

Status name_pages(const CrawlReader& crawl, const DonePages& done, Web& web) {
  std::unordered_map<std::string, HostId, KeyedStringHash> hosts;
  std::vector<std::string> host_names;
  std::vector<HostId> host_of;
  auto names = std::make_unique<StoredNames>();
  BB_TRY_VOID(crawl.for_each_url([&](PageId page, std::string_view url) {
    if (done.number[page] == kNoPage) return;
    const auto [found, fresh] = hosts.try_emplace(host_of_url(url), static_cast<HostId>(hosts.size()));
    if (fresh) host_names.push_back(found->first);
    host_of.push_back(found->second);
    names->add(url);
  }));
  web.hosts = std::make_unique<StoredHosts>(host_of, std::move(host_names));
  web.names = std::move(names);
  return {};
}

// A light seed has the mean weight of a done page, as in the crawl: the given weights over the done pages.
SeedSpec own_seeds(const CrawlOrderOptions& options, const DonePages& done) {
  double given = 0;
  for (const SeedPage& seed : options.seeds) given += seed.light ? 0 : seed.weight;
  const double light = given / static_cast<double>(std::max<std::size_t>(1, done.order.size()));
  SeedSpec spec;
  spec.kind = SeedSpec::Kind::kIds;
  spec.text = "the crawl's own";
  for (const SeedPage& seed : options.seeds) {
    if (seed.page >= done.number.size() || done.number[seed.page] == kNoPage) continue;
    spec.ids.push_back(done.number[seed.page]);
    spec.weights.push_back(seed.light && light > 0 ? light : seed.weight);
    spec.light.push_back(seed.light);
  }
  return spec;
}

JudgedOrder judged(const Scores& scores) {
  return {scores.measured.front().cumulative, scores.measured.front().auc};
}

void name_best(const Setting& setting, const DonePages& done, std::size_t most, CrawlOrder& order) {
  const Yardstick& importance = setting.yardsticks.front();
  std::vector<PageId> best = importance.best_first();
  best.resize(std::min(best.size(), most));
  std::unordered_map<PageId, RankedPage*> wanted;
  order.best.reserve(best.size());
  for (const PageId page : best) {
    RankedPage& ranked = order.best.emplace_back();
    ranked.url = setting.web.names->name(page);
    ranked.importance = importance.share(importance.value(page));
    wanted[page] = &ranked;
  }
  LinkBuffer buffer;
  for (PageId page = 0; page < setting.web.graph->pages(); ++page) {
    for (const PageId to : setting.web.graph->out(page, buffer)) {
      if (to == page) continue;
      if (const auto found = wanted.find(to); found != wanted.end()) ++found->second->in_links;
    }
  }
  for (std::size_t i = 0; i < done.order.size(); ++i) {
    const auto found = wanted.find(done.number[done.order[i]]);
    if (found != wanted.end()) found->second->done_as = i + 1;
  }
}

}  // namespace

Result<CrawlOrder> judge_crawl_order(const std::string& folder, const CrawlOrderOptions& options,
                                     const Progress& progress) {
  BB_TRY(const std::unique_ptr<CrawlReader> crawl, CrawlReader::open(folder));
  progress.tick("reading links", 0, 0);
  BB_TRY(DonePages done, read_done(*crawl, options.admitted));
  CrawlOrder order;
  order.pages = done.order.size();
  SettingOptions wanted;
  wanted.name = folder;
  wanted.seeds = own_seeds(options, done);
  wanted.buffers.clear();
  wanted.random_seed = options.random_seed;
  wanted.threads = options.threads;
  if (wanted.seeds->ids.empty()) {
    order.problem = "no seed is done yet";
    return order;
  }
  Web web;
  web.graph = std::make_unique<CsrGraph>(to_graph(done));
  done.links = {};
  BB_TRY_VOID(name_pages(*crawl, done, web));
  BB_TRY(const Setting setting, prepare_setting(std::move(web), wanted, progress));
  order.links = setting.facts.links.value_or(0);
  order.points = setting.points.at();

  Evaluation evaluation(setting);
  const Yardstick& importance = setting.yardsticks.front();
  LinkBuffer buffer;
  order.collected.reserve(done.order.size() + 1);
  order.collected.push_back(0);
  double sum = 0;
  for (const PageId old : done.order) {
    const PageId page = done.number[old];
    if (importance.rank(page) != kNoPage) {
      evaluation.page(page, setting.web.graph->out(page, buffer));
      sum += importance.value(page);
    }
    order.collected.push_back(static_cast<float>(importance.share(sum)));
  }
  order.real = judged(evaluation.finish(false));
  order.ideal = judged(ideal_scores(setting));
  name_best(setting, done, options.best, order);

  progress.tick("computing the order without politeness", 0, 0);
  RunRequest request;
  request.policy = options.policy;
  request.strategy = options.strategy;
  request.random_seed = options.random_seed;
  request.threads = options.threads;
  RunMonitor monitor;
  const std::atomic<bool> stop{false};
  const auto run = run_crawl(setting, request, monitor, stop);
  if (run.ok()) {
    order.unconstrained = judged(run->scores);
  } else {
    order.problem = run.error().text;
  }
  return order;
}

}  // namespace bowerbird
