// The figures of the papers, one function each: [000] Fractional PageRank, [002] Crawling the Web with
// limited memory, [003] IECA, [004] Efficient crawling through URL ordering. The orderings are in the order
// in which the paper names them, and so have the same style in all figures of a paper.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "dash/lab_curves.h"
#include "dash/lab_figures.h"
#include "dash/style.h"

namespace bowerbird {
namespace {

using Labels = std::vector<std::string_view>;

const Labels kFpr = {"windowed-rankmass@5", "fpr", "fpr@2", "fpr@20", "fpr@100"};
const Labels kIeca = {"ieca", "fica", "partial-pagerank", "batch-pagerank", "opic", "backlink", "bfs"};
const Labels kStanford = {"batch-pagerank", "backlink", "bfs"};
// The importances in the figures of [004].
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMetrics = {
    {{"backlink", "IB"}, {"pagerank", "IR"}, {"similarity", "IS"}, {"on-topic", "IS"}, {"combined", "IC"}}};
const Labels kSydney = {"bfs", "dfs", "bfs sydney@8", "bfs sydney@16"};

const PlotAxis kShare = {"fraction of the pages crawled", false, false, 0, 1};
const PlotAxis kPages = {"pages crawled", false, false, 0, {}};
const PlotAxis kFraction = {"", false, false, 0, 1};

PlotAxis named(PlotAxis axis, std::string label) {
  axis.label = std::move(label);
  return axis;
}

const RunGroup* group_of(const LabReport& report, std::string_view label) {
  for (const RunGroup& group : report.groups) {
    if (label_of(group) == label) return &group;
  }
  return nullptr;
}

// Calls make(group) for each label that was run; its style is its index in the list.
template <typename Make>
std::vector<PlotSeries> each(const LabReport& report, const Labels& labels, const Make& make) {
  std::vector<PlotSeries> all;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const RunGroup* group = group_of(report, labels[i]);
    if (group == nullptr) continue;
    PlotSeries series = make(*group);
    series.style = static_cast<int>(i);
    if (!series.x.empty()) all.push_back(std::move(series));
  }
  return all;
}

std::vector<PlotSeries> measured(const LabReport& report, const Labels& labels, std::string_view curve,
                                 CrawlAxis axis = CrawlAxis::kShare) {
  return each(report, labels,
              [&](const RunGroup& group) { return measured_series(report, group, curve, axis); });
}

std::vector<PlotSeries> queues(const LabReport& report, const Labels& labels) {
  return each(report, labels,
              [&](const RunGroup& group) { return sampled_series(report, group, queue_share); });
}

void add_baselines(const LabReport& report, std::string_view curve, std::vector<PlotSeries>& series) {
  for (const auto& [name, style] : {std::pair("ideal", kIdealStyle), std::pair("random", kRandomStyle)}) {
    const RunGroup* group = group_of(report, name);
    if (group == nullptr) continue;
    series.push_back(measured_series(report, *group, curve));
    series.back().style = style;
    series.back().marked.clear();
  }
}

// "cumulative" is the curve of the chosen importance; otherwise PageRank has its own curve.
std::string_view pagerank_curve(const LabReport& report) {
  return report.importance == "pagerank" ? "cumulative" : "pagerank";
}
std::string_view indegree_curve(const LabReport& report) {
  return report.importance == "backlink" ? "cumulative" : "indegree";
}

class PaperFigures {
 public:
  explicit PaperFigures(const LabReport& report) : report_(report), note_(figure_note(report)) {}

  std::vector<PlotFigure> make() {
    fractional_pagerank();
    limited_memory();
    out_degrees();
    ieca();
    url_ordering();
    return std::move(figures_);
  }

 private:
  // A figure needs at least two curves to compare.
  void add(std::string name, std::string title, std::vector<PlotPanel> panels) {
    std::erase_if(panels, [](const PlotPanel& panel) { return panel.series.size() < 2; });
    if (!panels.empty()) figures_.push_back({std::move(name), std::move(title), note_, std::move(panels)});
  }

  void fractional_pagerank() {
    const auto time = each(report_, kFpr, [&](const RunGroup& group) {
      return sampled_series(report_, group, scheduling_seconds, CrawlAxis::kPages);
    });
    add("000-figure-3", "[000] Figure 3: running time of the crawlers",
        {{"", kPages, {"seconds", false, false, 0, {}}, time, {}}});
    add("000-figure-4", "[000] Figure 4: effectiveness of the crawlers",
        {{"",
          kPages,
          named(kFraction, "cumulative PageRank"),
          measured(report_, kFpr, pagerank_curve(report_), CrawlAxis::kPages),
          {}}});
  }

  PlotPanel queue_panel(std::string title, const Labels& labels) const {
    return {std::move(title),
            kShare,
            {"queue size, fraction of the pages", false, false, 0, {}},
            queues(report_, labels),
            {}};
  }

  void limited_memory() {
    add("002-figure-1", "[002] Figure 1: queue size of BFS and DFS", {queue_panel("", {"bfs", "dfs"})});
    if (group_of(report_, "bfs sydney@8") != nullptr) {
      add("002-figure-3", "[002] Figure 3: memory of the Sydney strategy", {queue_panel("", kSydney)});
      add("002-figure-7", "[002] Figure 7: separate growth of both queues", {both_queues()});
    }
    const Labels truncated = {"bfs", "dfs", "bfs truncated@8", "bfs truncated@16"};
    if (group_of(report_, "bfs truncated@8") != nullptr) {
      add("002-figure-6", "[002] Figure 6: without the secondary queue, coverage is lost",
          {queue_panel("", truncated)});
    }
    std::vector<PlotPanel> budgets;
    for (const int t : {8, 16}) {
      std::vector<std::string> names;
      for (const int share : {3, 5, 7}) names.push_back(fmt::format("bfs sydney@{}:budget={}%", t, share));
      if (group_of(report_, names.front()) == nullptr) continue;
      budgets.push_back(queue_panel(fmt::format("t = {}", t), {"bfs", names[0], names[1], names[2]}));
    }
    add("002-figure-8", "[002] Figure 8: memory of the fixed-budget Sydney strategy", std::move(budgets));
    if (group_of(report_, "bfs sydney@8") == nullptr) return;
    Labels all = kSydney;
    all.insert(all.end(), {"bfs truncated@8", "bfs truncated@16"});
    const auto panel = [&](std::string title, std::string_view curve) {
      return PlotPanel{
          std::move(title), kShare, named(kFraction, "fraction of all"), measured(report_, all, curve), {}};
    };
    add("002-figure-9", "[002] Figure 9: quality of the collections",
        {panel("cumulative PageRank", pagerank_curve(report_)),
         panel("cumulative in-degree", indegree_curve(report_)),
         panel("home pages", report_.importance == "home" ? "cumulative" : "home")});
  }

  // |P|, |S| and their sum, together with breadth-first order.
  PlotPanel both_queues() const {
    const RunGroup& sydney = *group_of(report_, "bfs sydney@8");
    PlotPanel panel = queue_panel("", {"bfs"});
    const auto add_part = [&](std::string label, int style, SampleValue value) {
      panel.series.push_back(sampled_series(report_, sydney, value));
      panel.series.back().label = std::move(label);
      panel.series.back().style = style;
    };
    add_part("t = 8: primary + secondary", 1, queue_share);
    add_part("t = 8: primary", 2,
             [](const RunResult& run, const FrontierSample& at) { return reachable_share(run, at.primary); });
    add_part("t = 8: secondary", 3, [](const RunResult& run, const FrontierSample& at) {
      return reachable_share(run, at.secondary);
    });
    return panel;
  }

  void out_degrees() {
    if (!report_.stats || report_.stats->out.count() == 0) return;
    const Histogram& out = report_.stats->out;
    const auto total = static_cast<double>(out.count());
    PlotSeries points{"pages", {}, {}, 0, {}};
    for (const HistogramBin& bin : log_bins(out)) {
      if (bin.first == 0) continue;
      const double width = static_cast<double>(bin.last - bin.first) + 1;
      points.x.push_back(std::sqrt(static_cast<double>(bin.first) * static_cast<double>(bin.last)));
      points.y.push_back(static_cast<double>(bin.count) / width / total);
    }
    for (std::size_t i = 0; i < points.x.size(); ++i) points.marked.push_back(i);
    figures_.push_back({"002-figure-4",
                        "[002] Figure 4: out-degrees",
                        note_,
                        {{"",
                          {"out-degree", true, false, {}, {}},
                          {"fraction of the pages", true, false, {}, {}},
                          {points},
                          {}}}});
    double above[2] = {0, 0};
    for (const auto& [value, count] : out.values()) {
      if (value > 8) above[0] += static_cast<double>(count) / total;
      if (value > 16) above[1] += static_cast<double>(count) / total;
    }
    PlotPanel bars{"",
                   {"", false, false, {}, {}},
                   {"fraction of the pages", false, false, 0, 1},
                   {{"more than 8 links", {}, {}, 0, {}}, {"more than 16 links", {}, {}, 1, {}}},
                   {{report_.name.substr(0, 40), {above[0], above[1]}}}};
    add("002-figure-5", "[002] Figure 5: pages with more than 8 and 16 links", {std::move(bars)});
  }

  void ieca() {
    if (group_of(report_, "ieca") == nullptr) return;
    add("003-figures-4-6", "[003] Figures 4 to 6: hot pages found",
        {{"", kShare, named(kFraction, "fraction of the hot pages"), measured(report_, kIeca, "hot"), {}}});
    // The number of pages each has to consider to order its pages: the queue, or all known pages. [003]
    // section V.
    const Labels compared = {"ieca", "partial-pagerank", "batch-pagerank"};
    const auto held = each(report_, compared, [&](const RunGroup& group) {
      const SampleValue known = [](const RunResult& run, const FrontierSample& at) {
        return static_cast<double>(at.pages) + queue_length(run, at);
      };
      return sampled_series(report_, group, group.policy == "ieca" ? queue_length : known);
    });
    add("003-figure-8", "[003] Figure 8: pages that take part in the computation",
        {{"", kShare, {"pages in memory", false, false, 0, {}}, held, {}}});
  }

  // For a topic also the orderings that use it, in the order they were run in.
  void url_ordering() {
    const auto metric_at = std::find_if(kMetrics.begin(), kMetrics.end(),
                                        [&](const auto& one) { return one.first == report_.importance; });
    if (metric_at == kMetrics.end()) return;
    const std::string_view metric = metric_at->second;
    std::vector<std::string> names(kStanford.begin(), kStanford.end());
    for (const RunGroup& group : report_.groups) {
      if (group.policy.starts_with("similar") || group.policy.starts_with("combined"))
        names.push_back(label_of(group));
    }
    const Labels labels(names.begin(), names.end());
    const auto panel = [&](std::string_view curve, std::string label) {
      PlotPanel made{"", kShare, named(kFraction, std::move(label)), measured(report_, labels, curve), {}};
      if (made.series.size() >= 2) add_baselines(report_, curve, made.series);
      return made;
    };
    add("004-pst", fmt::format("[004] P_ST: crawl & stop with threshold, I = {}", metric),
        {panel("threshold", fmt::format("P_ST, {} hot pages", report_.threshold_pages))});
    add("004-pcs", fmt::format("[004] P_CS: crawl & stop, I = {}", metric), {panel("hot", "P_CS")});
  }

  const LabReport& report_;
  std::string note_;
  std::vector<PlotFigure> figures_;
};

}  // namespace

std::vector<PlotFigure> paper_figures(const LabReport& report) {
  return PaperFigures(report).make();
}

}  // namespace bowerbird
