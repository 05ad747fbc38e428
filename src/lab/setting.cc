#include "lab/setting.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "lab/hosts.h"
#include "sys/memory.h"

namespace bowerbird {
namespace {

// The graph as arrays, for PageRank and repeated traversals. Decoded once if it is not.
Result<const CsrGraph*> as_arrays(Web& web) {
  if (const auto* arrays = dynamic_cast<const CsrGraph*>(web.graph.get())) return arrays;
  BB_TRY(CsrGraph graph, to_csr(*web.graph));
  auto owned = std::make_unique<CsrGraph>(std::move(graph));
  const CsrGraph* arrays = owned.get();
  web.graph = std::move(owned);
  return arrays;
}

// The links in both directions, the memory of PageRank, and three yardsticks.
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

// The importance of the pages of the whole web by one measure.
struct Worth {
  std::string name;
  std::vector<double> value;
  bool graded = true;
};

// Without the seeds: every crawl begins with them, so only the other pages are informative.
void follow_best(Setting& setting) {
  PageSet seeds(setting.facts.pages);
  for (const SeedPage& seed : setting.seeds) seeds.add(seed.page);
  setting.followed.clear();
  for (const PageId page : setting.yardsticks.front().best_first()) {
    if (setting.followed.size() == kFollowedPages) return;
    if (!seeds.has(page)) setting.followed.push_back(page);
  }
}

// Ranks the pages that the seeds reach, and sets everything else that depends on the seeds.
Status judge_reachable(Setting& setting, std::vector<Worth> measures, const Threshold& threshold,
                       const Progress& progress) {
  BB_TRY(const PageSet reached, reachable_pages(*setting.web.graph, setting.seeds, progress));
  setting.facts.reachable = reached.size();
  setting.yardsticks.clear();
  for (Worth& worth : measures) {
    setting.yardsticks.emplace_back(std::move(worth.name), std::move(worth.value), reached, worth.graded);
  }
  setting.points = Points(reached.size());
  setting.threshold = threshold.value(setting.yardsticks.front());
  follow_best(setting);
  return {};
}

// Intermediate results of preparing a Setting.
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
        return error("{}: {}; with --importance none nothing is measured, and much larger webs fit",
                     options_.name, fits.error().text);
      }
      progress_.tick("loading the graph", 0, 0);
      BB_TRY(arrays_, as_arrays(setting_.web));
    }
    BB_TRY(setting_.seed_spec,
           options_.seeds ? *options_.seeds : SeedSpec::parse(judged ? "top:160" : "random:50"));
    // An empty graph is allowed if no seeds are requested.
    if (setting_.web.graph->pages() > 0 || options_.seeds) {
      BB_TRY(setting_.seeds,
             choose_seeds(
                 setting_.seed_spec, setting_.web, [this] { return rank(); }, options_.random_seed));
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
            "seeds '{}' need PageRank over the whole graph, which does not fit into memory: use ids:0, "
            "random:50 or file:NAME",
            setting_.seed_spec.text);
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
    std::vector<Importance> all = {options_.importance};
    for (const Importance which : {Importance::kPageRank, Importance::kBacklink, Importance::kHome}) {
      if (which != options_.importance && (!needs_urls(which) || setting_.web.names)) all.push_back(which);
    }
    std::vector<Worth> measures;
    for (const Importance which : all) {
      Worth& worth = measures.emplace_back();
      worth.name = report_name(which);
      worth.graded = which != Importance::kHome || which == options_.importance;
      if (which == Importance::kPageRank) {
        BB_TRY_VOID(rank());
        worth.value = std::move(rank_);
      } else {
        BB_TRY(worth.value, importance(which));
      }
    }
    const std::vector<double>& worth = measures.front().value;
    if (!worth.empty() && std::ranges::count(worth, 0.0) == std::ssize(worth)) {
      return error("{}: the importance '{}' of every page is 0, so no ordering is better than another{}",
                   setting_.name, name_of(options_.importance),
                   options_.importance == Importance::kOnTopic ? "; no page is about the topic" : "");
    }
    setting_.buffers = options_.buffers;
    return judge_reachable(setting_, std::move(measures), options_.threshold, progress_);
  }

  // "indegree" is the name of the backlink count in reports if it is not the chosen importance.
  std::string report_name(Importance which) const {
    if (which == Importance::kBacklink && which != options_.importance) return "indegree";
    return std::string(name_of(which));
  }

  const SettingOptions& options_;
  const Progress& progress_;
  Setting setting_;
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

Result<Setting> redraw_seeds(Setting setting, const SettingOptions& options, std::uint64_t random_seed) {
  CHECK(setting.seed_spec.drawn());
  BB_TRY(setting.seeds, choose_seeds(setting.seed_spec, setting.web, {}, random_seed));
  if (!setting.judged()) return setting;
  std::vector<Worth> measures;
  for (Yardstick& yardstick : setting.yardsticks) {
    measures.push_back({yardstick.name(), std::move(yardstick).take_values(), yardstick.graded()});
  }
  BB_TRY_VOID(judge_reachable(setting, std::move(measures), options.threshold, {}));
  return setting;
}

}  // namespace bowerbird
