#include "policy/registry.h"

#include <algorithm>
#include <deque>
#include <mutex>

#include "base/ascii.h"
#include "base/suggest.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

// With M = 1 links between hosts weigh the same as others, so hosts are not needed.
Result<Need> hosts_if_weighted(const Spec& spec) {
  return spec.at && *spec.at != "1" ? Need::kHosts : Need::kNothing;
}

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<PolicyInfo>& table() {
  static const std::vector<PolicyInfo> kTable = {
      {.name = "random",
       .parameters = "seed=N: random seed (default: the run's)",
       .summary = "a random discovered page",
       .paper = "",
       .in_all = {"random"},
       .example = "random:seed=7",
       .make = make_random},
      {.name = "bfs",
       .parameters = "",
       .summary = "breadth first: the page discovered first",
       .paper = "",
       .in_all = {"bfs"},
       .example = "bfs",
       .make = make_bfs},
      {.name = "dfs",
       .parameters = "",
       .summary = "depth first: the page discovered last",
       .paper = "",
       .in_all = {"dfs"},
       .example = "dfs",
       .make = make_dfs},
      {.name = "backlink",
       .parameters = "",
       .summary = "most links from crawled pages",
       .paper = "[004]",
       .in_all = {"backlink"},
       .example = "backlink",
       .make = make_backlink},
      {.name = "location",
       .parameters = "",
       .summary = "the URL alone: few slashes, chosen suffixes and words",
       .paper = "[004]",
       .in_all = {"location"},
       .example = "location",
       .needs = Need::kUrls,
       .make = make_location},
      {.name = "batch-pagerank",
       .parameters = "k=N: pages between computations, default expected/40; expected=N",
       .summary = "PageRank of the known part of the web, recomputed every k pages",
       .paper = "[004, 003]",
       .in_all = {"batch-pagerank"},
       .example = "batch-pagerank:k=2500",
       .memory = {.page = 36, .graph = 5},
       .make = make_batch_pagerank},
      {.name = "partial-pagerank",
       .parameters = "k=N, expected=N as in batch-pagerank",
       .summary = "as batch-pagerank, with gains from new parents in between",
       .paper = "[003]",
       .in_all = {"partial-pagerank"},
       .example = "partial-pagerank:k=2500",
       .memory = {.page = 36, .graph = 5},
       .make = make_partial_pagerank},
      {.name = "opic",
       .parameters = "",
       .summary =
           "most cash: each page gets 1 when discovered, and divides its cash among its links when crawled",
       .paper = "[003]",
       .in_all = {"opic"},
       .example = "opic",
       .make = make_opic},
      {.name = "fica",
       .parameters = "k=N, expected=N: pace of learning; gamma=0...1: discount, default 0.5; alpha=0...1: "
                     "fixed learning rate",
       .summary = "smallest distance, where a link costs the log of its page's out-degree; distances are "
                  "learned as links are found",
       .paper = "[003]",
       .in_all = {"fica"},
       .example = "fica:gamma=1,alpha=1",
       .make = make_fica},
      {.name = "ieca",
       .parameters = "k=N: pace of learning, default expected/40; expected=N: total number of pages",
       .summary = "as fica, with a falling discount and a correction by the distance of the parent",
       .paper = "[003]",
       .in_all = {"ieca"},
       .example = "ieca:k=2500,expected=100000",
       .make = make_ieca},
      {.name = "rankmass",
       .parameters = "",
       .summary = "largest lower bound of PageRank, updated through crawled pages",
       .paper = "[000, 003]",
       .in_all = {"rankmass"},
       .example = "rankmass",
       .memory = {.page = 60, .link = 8},
       .make = make_rankmass},
      {.name = "windowed-rankmass",
       .parameters = "@w: per cent of the crawled pages in a window, default 5",
       .summary = "as rankmass, but pages are chosen in windows",
       .paper = "[000]",
       .in_all = {"windowed-rankmass@5"},
       .example = "windowed-rankmass@20",
       .memory = {.page = 50, .link = 8},
       .make = make_windowed_rankmass},
      {.name = "fpr",
       .parameters = "@M: weight of links between hosts, default 1",
       .summary = "fractional PageRank: importance flows from the seeds to uncrawled pages, never back",
       .paper = "[000]",
       .in_all = {"fpr", "fpr@2", "fpr@20", "fpr@100"},
       .example = "fpr@100",
       .make = make_fpr,
       .further_needs = hosts_if_weighted},
      {.name = "lipr",
       .parameters = "first=128: pages before the first recomputation; growth=1.2: recompute when the crawl "
                     "has grown by this factor; iterations=5: per recomputation; samples=200000: maximum "
                     "number of samples to learn from; without=PART+PART: turn off imputation, levels, "
                     "learning, hosts, directories, prior, spread, taken, bonus, reveals",
       .summary = "learned imputed PageRank: the importance that a page will have, estimated from its host "
                  "and siblings",
       .paper = "",
       .in_all = {"lipr"},
       .example = "lipr:growth=1.4,iterations=3",
       .memory = {.page = 46, .graph = 5, .sample = 240, .samples = 16e6},
       .make = make_lipr},
      {.name = "similar",
       .parameters =
           "by=ORDERING: ordering within both queues, default bfs, in brackets if it has parameters; "
           "variant=modified (default), or basic: anchors and URLs only; within=3: maximum distance in links "
           "from a page on the topic (modified)",
       .summary = "two queues: pages that look like the topic, by anchor, URL or a page nearby, before all "
                  "others",
       .paper = "[004]",
       .in_all = {},
       .example = "similar:by=fpr@100,within=2",
       .needs = Need::kTopic,
       .memory = {.page = 1},
       .make = make_similar,
       .parts = parts_of_similar},
      {.name = "combined",
       .parameters = "ordering=weight for each part; write a part with parameters in brackets",
       .summary = "a weighted sum of other orderings, each divided by its running maximum",
       .paper = "[004]",
       .in_all = {},
       .example = "combined:fpr@100=1,backlink=0.5",
       .memory = {.page = 64},
       .make = make_combined,
       .parts = parts_of_combined},
      {.name = "omniscient",
       .parameters = "",
       .summary = "the discovered page of highest true importance; lab only",
       .paper = "",
       .in_all = {"omniscient"},
       .example = "omniscient",
       .needs = Need::kTruth,
       .make = make_omniscient},
  };
  return kTable;
}

std::vector<std::string> parts_of(const PolicyInfo& info, const Spec& spec) {
  return info.parts == nullptr ? std::vector<std::string>() : info.parts(spec);
}

// Rows are never removed, since callers may have their addresses. The last one of a name counts.
struct AddedRows {
  std::mutex mutex;
  std::deque<AddedPolicy> texts;
  std::deque<PolicyInfo> rows;

  static AddedRows& get() {
    static AddedRows rows;
    return rows;
  }
};

bool is_ordering_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_ascii_alnum(c) || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

Status add_policy(AddedPolicy added) {
  if (!is_ordering_name(added.name)) {
    return error("'{}' is not a valid name for an ordering: use letters, digits, '-', '_' and '.'",
                 added.name);
  }
  for (const PolicyInfo& info : table()) {
    if (info.name == added.name || added.name == "all" || added.name == "ideal")
      return error("'{}' is a built-in ordering: choose another name", added.name);
  }
  AddedRows& all = AddedRows::get();
  const std::lock_guard lock(all.mutex);
  const AddedPolicy& kept = all.texts.emplace_back(std::move(added));
  PolicyInfo& info = all.rows.emplace_back();
  info.name = kept.name;
  info.summary = kept.summary;
  info.example = kept.name;
  info.make = kept.make;
  return {};
}

std::vector<const PolicyInfo*> added_policies() {
  AddedRows& all = AddedRows::get();
  const std::lock_guard lock(all.mutex);
  std::vector<const PolicyInfo*> rows;
  for (auto row = all.rows.rbegin(); row != all.rows.rend(); ++row) {
    const bool replaced = std::any_of(rows.begin(), rows.end(),
                                      [&](const PolicyInfo* later) { return later->name == row->name; });
    if (!replaced) rows.push_back(&*row);
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

std::span<const PolicyInfo> all_policies() {
  return table();
}

Result<const PolicyInfo*> find_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const PolicyInfo& info : table()) {
    if (info.name == name) return &info;
    if (info.needs != Need::kTruth) names.emplace_back(info.name);  // only for comparison, in the lab
  }
  for (const PolicyInfo* const info : added_policies()) {
    if (info->name == name) return info;
    names.emplace_back(info->name);
  }
  std::string known;
  for (const std::string& one : names) known.append(known.empty() ? "" : ", ").append(one);
  const std::string meant = did_you_mean(name, names);
  return error("unknown ordering '{}'{}", name,
               meant.empty() ? "; choose from: " + known +
                                   "; an ordering of a plug-in is known once it is loaded (--plugin)"
                             : meant);
}

Result<std::unique_ptr<Policy>> make_policy(std::string_view text, const PolicyContext& context) {
  BB_TRY(const Spec spec, Spec::parse(text));
  BB_TRY(const PolicyInfo* const info, find_policy(spec.name));
  return info->make(spec, context);
}

Result<Need> needs_of(std::string_view text) {
  BB_TRY(const Spec spec, Spec::parse(text));
  BB_TRY(const PolicyInfo* const info, find_policy(spec.name));
  Need all = info->needs;
  if (info->further_needs != nullptr) {
    BB_TRY(const Need further, info->further_needs(spec));
    all = all | further;
  }
  for (const std::string& part : parts_of(*info, spec)) {
    BB_TRY(const Need one, needs_of(part));
    all = all | one;
  }
  return all;
}

std::uint64_t PolicyMemory::bytes(double pages, double links, double graph_bytes) const {
  return static_cast<std::uint64_t>(page * pages + link * links + std::min(graph * links, graph_bytes) +
                                    std::min(sample * pages, samples));
}

void PolicyMemory::add(const PolicyMemory& other) {
  page += other.page;
  link += other.link;
  graph += other.graph;
  sample += other.sample;
  samples += other.samples;
}

Result<PolicyMemory> memory_of(std::string_view text) {
  BB_TRY(const Spec spec, Spec::parse(text));
  BB_TRY(const PolicyInfo* const info, find_policy(spec.name));
  PolicyMemory sum = info->memory;
  for (const std::string& part : parts_of(*info, spec)) {
    BB_TRY(const PolicyMemory one, memory_of(part));
    sum.add(one);
  }
  return sum;
}

}  // namespace bowerbird
