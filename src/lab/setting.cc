#include "lab/setting.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "lab/hosts.h"
#include "sys/memory.h"

namespace bowerbird {
namespace {

// The graph as arrays: what PageRank and repeated walks need. Decoded once where it is not.
Result<const CsrGraph*> as_arrays(Web& web) {
  if (const auto* arrays = dynamic_cast<const CsrGraph*>(web.graph.get())) return arrays;
  BB_TRY(CsrGraph graph, to_csr(*web.graph));
  auto owned = std::make_unique<CsrGraph>(std::move(graph));
  const CsrGraph* arrays = owned.get();
  web.graph = std::move(owned);
  return arrays;
}

// The links forwards and backwards, PageRank at work, and three yardsticks.
std::uint64_t judging_bytes(const Graph& graph) {
  return graph.pages() * std::uint64_t{16 + 32 + 48} + estimated_links(graph) * 8;
}

double interhost_share(const CsrGraph& graph, const PageHosts& hosts, unsigned threads) {
  if (graph.targets().empty()) return 0;
  const unsigned parts = std::max(1u, threads) * 4;
  std::vector<std::uint64_t> across(parts, 0);
  parallel_ranges(graph.pages(), parts, threads, [&](unsigned part, std::uint64_t first, std::uint64_t last) {
    std::vector<Link> links;
    for (auto page = static_cast<PageId>(first); page < last; ++page) {
      across[part] += flag_hosts(&hosts, page, graph.out(page), links);
    }
  });
  const auto sum = std::accumulate(across.begin(), across.end(), std::uint64_t{0});
  return static_cast<double>(sum) / static_cast<double>(graph.targets().size());
}

// What is computed on the way to a Setting.
class Preparation {
 public:
  Preparation(Web web, const SettingOptions& options, const Progress& progress)
      : options_(options), progress_(progress) {
    setting_.name = options.name;
    setting_.web = std::move(web);
    setting_.importance = options.importance;
    setting_.location = options.location;
    setting_.page_budget = options.page_budget;
  }

  Result<Setting> run() {
    const bool judged = options_.importance != Importance::kNone;
    if (judged) {
      if (const Status fits = check_memory("judging a crawl of it", judging_bytes(*setting_.web.graph));
          !fits.ok()) {
        return error("{}: {}; with --importance none nothing is judged, and much larger webs fit",
                     options_.name, fits.error().text);
      }
      progress_.tick("loading the graph", 0, 0);
      BB_TRY(arrays_, as_arrays(setting_.web));
    }
    BB_TRY(seed_spec_, options_.seeds ? *options_.seeds : SeedSpec::parse(judged ? "top:160" : "random:50"));
    setting_.seed_spec = seed_spec_.text;
    // An empty graph can be looked at, as long as nobody asks to begin somewhere.
    if (setting_.web.graph->pages() > 0 || options_.seeds) {
      BB_TRY(setting_.seeds, choose_seeds(
                                 seed_spec_, setting_.web, [this] { return rank(); }, options_.random_seed));
    }
    state_facts();
    if (judged) {
      BB_TRY_VOID(judge());
    } else {
      setting_.points = Points(setting_.expected_pages());
    }
    return std::move(setting_);
  }

 private:
  Result<std::vector<double>> importance(Importance which) {
    const ImportanceOptions options{options_.location, options_.weights, options_.threads};
    return compute_importance(which, *arrays_, setting_.web, options, progress_);
  }

  Result<std::span<const double>> rank() {
    if (!rank_.empty()) return std::span<const double>(rank_);
    if (arrays_ == nullptr) {
      if (!setting_.web.graph->links()) {
        return error(
            "seeds '{}' need PageRank over the whole graph, which is too large to be kept in memory: take "
            "ids:0, random:50 or file:NAME",
            seed_spec_.text);
      }
      BB_TRY(arrays_, as_arrays(setting_.web));
    }
    BB_TRY(rank_, importance(Importance::kPageRank));
    return std::span<const double>(rank_);
  }

  void state_facts() {
    const Web& web = setting_.web;
    setting_.facts.pages = web.graph->pages();
    setting_.facts.links = web.graph->links();
    if (!web.hosts) return;
    setting_.facts.hosts = web.hosts->hosts();
    if (arrays_ != nullptr) {
      setting_.facts.interhost = interhost_share(*arrays_, *web.hosts, options_.threads);
    }
  }

  Status judge() {
    StatsOptions stats;
    stats.threads = options_.threads;
    stats.largest_hosts = 0;
    BB_TRY(setting_.stats, graph_stats(setting_.web, stats, progress_));
    BB_TRY(const PageSet reached, reachable_pages(*arrays_, setting_.seeds, progress_));
    setting_.facts.reachable = reached.size();
    std::vector<Importance> all = {options_.importance};
    for (const Importance which : {Importance::kPageRank, Importance::kBacklink, Importance::kHome}) {
      if (which != options_.importance && (!needs_urls(which) || setting_.web.names)) all.push_back(which);
    }
    for (const Importance which : all) {
      std::vector<double> value;
      if (which == Importance::kPageRank) {
        BB_TRY_VOID(rank());
        value = std::move(rank_);
      } else {
        BB_TRY(value, importance(which));
      }
      const bool graded = which != Importance::kHome || which == options_.importance;
      setting_.yardsticks.emplace_back(report_name(which), std::move(value), reached, graded);
    }
    setting_.points = Points(reached.size());
    setting_.threshold = options_.threshold.value(setting_.yardsticks.front());
    setting_.buffers = options_.buffers;
    follow_best();
    return {};
  }

  // Every crawl begins with its seeds: when the best of the others are found tells more.
  void follow_best() {
    PageSet seeds(setting_.facts.pages);
    for (const SeedPage& seed : setting_.seeds) seeds.add(seed.page);
    for (const PageId page : setting_.yardsticks.front().best_first()) {
      if (setting_.followed.size() == kFollowedPages) return;
      if (!seeds.has(page)) setting_.followed.push_back(page);
    }
  }

  // "indegree" is what the reports call the backlink count where it stands beside the chosen importance.
  std::string report_name(Importance which) const {
    if (which == Importance::kBacklink && which != options_.importance) return "indegree";
    return std::string(name_of(which));
  }

  const SettingOptions& options_;
  const Progress& progress_;
  Setting setting_;
  SeedSpec seed_spec_;
  const CsrGraph* arrays_ = nullptr;  // setting_.web.graph
  std::vector<double> rank_;
};

}  // namespace

std::vector<BufferSize> SettingOptions::default_buffers() {
  std::vector<BufferSize> sizes;
  for (const Checkpoint& checkpoint : kCheckpoints) {
    sizes.push_back({checkpoint.percent / 100.0, true, std::string(checkpoint.key)});
  }
  return sizes;
}

std::uint64_t Setting::expected_pages() const {
  const std::uint64_t most = facts.reachable.value_or(facts.pages);
  return page_budget == 0 ? most : std::min(page_budget, most);
}

Result<Setting> prepare_setting(Web web, const SettingOptions& options, const Progress& progress) {
  return Preparation(std::move(web), options, progress).run();
}

}  // namespace bowerbird
