#include "lab/lab_options.h"

#include "parse/topic.h"
#include "policy/spec.h"

namespace bowerbird {

namespace {

using O = LabOptions;
using Field = OptionField<LabOptions>;
using Words = std::vector<std::string>;

template <typename T>
OptionAccess<O, T> location(T LocationOptions::*member) {
  return [member](O& options) -> T& { return options.setting.location.*member; };
}

template <typename T>
OptionAccess<O, T> team(T TeamOptions::*member) {
  return [member](O& options) -> T& { return options.teams.common.*member; };
}

Field policies() {
  return comma_field(at(&O::plan, &PlanOptions::policies), [](std::string_view list) -> Result<Words> {
    PlanOptions plan;
    BB_TRY(plan.policies, split_specs(list));
    BB_TRY_VOID(check_specs(plan));
    return plan.policies;
  });
}

Field strategies() {
  return comma_field(at(&O::plan, &PlanOptions::strategies), [](std::string_view list) -> Result<Words> {
    PlanOptions plan;
    BB_TRY(plan.strategies, split_specs(list));
    BB_TRY_VOID(check_specs(plan));
    return plan.strategies;
  });
}

Field seeds() {
  const auto read = [](std::string_view text) -> Result<std::optional<SeedSpec>> {
    BB_TRY(SeedSpec spec, SeedSpec::parse(text));
    return std::optional<SeedSpec>(std::move(spec));
  };
  return value_field(at(&O::setting, &SettingOptions::seeds), read,
                     [](const std::optional<SeedSpec>& spec) { return spec ? spec->text : ""; });
}

Field importance() {
  return value_field(at(&O::setting, &SettingOptions::importance), parse_importance,
                     [](Importance value) { return std::string(name_of(value)); });
}

Field weights() {
  const auto write = [](const std::vector<ImportanceWeight>& weights) {
    Words parts;
    for (const auto& [part, weight] : weights) parts.push_back(fmt::format("{}={}", name_of(part), weight));
    return fmt::format("{}", fmt::join(parts, ","));
  };
  return value_field(at(&O::setting, &SettingOptions::weights), parse_weights, write);
}

Field threshold() {
  return value_field(
      at(&O::setting, &SettingOptions::threshold), Threshold::parse, [](const Threshold& value) {
        return value.is_share ? fmt::format("{:g}%", 100 * value.number) : fmt::format("{}", value.number);
      });
}

Field buffers() {
  const auto read = [](std::string_view list) { return parse_buffers(split_commas(list)); };
  const auto write = [](const std::vector<BufferSize>& sizes) -> std::string {
    Words words;
    for (const BufferSize& size : sizes)
      words.push_back(size.is_share ? fmt::format("{:g}%", 100 * size.number) : size.label);
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ","));
  };
  return value_field(at(&O::setting, &SettingOptions::buffers), read, write);
}

Result<Words> split_words(std::string_view list) {
  Words words = split_commas(list);
  if (words.empty()) return error("the list is empty");
  return words;
}

// Each word must be valid for `parse`.
template <typename Parse>
Field words_of(const OptionAccess<O, Words>& access, Parse parse) {
  return comma_field(access, [parse](std::string_view list) -> Result<Words> {
    BB_TRY(Words words, split_words(list));
    for (const std::string& word : words) BB_TRY_VOID(parse(word));
    return words;
  });
}

Status check_topic(std::string_view text) {
  BB_TRY_VOID(Topic::parse(text));
  return {};
}

constexpr std::string_view kRuns = "Runs";
constexpr std::string_view kMeasure = "What is measured";
constexpr std::string_view kOutput = "Output";

using Rows = std::vector<LabOptionRow>;

Rows run_rows() {
  using P = PlanOptions;
  return {
      {{"policies", kRuns, "LIST", "Orderings to run, comma-separated; all: every ordering that fits",
        kCommon | kCommaList, 'p'},
       policies()},
      {{"strategies", kRuns, "LIST",
        "Frontier strategies, comma-separated, each combined with every ordering. all: every new link enters "
        "the queue",
        kCommon | kCommaList, 's'},
       strategies()},
      {{"seeds", kRuns, "SEEDS",
        "Start pages: top:K by PageRank, random:K, ids:1,2, home, or file:NAME. Default: top:160; random:50 "
        "with --importance none; for a crawl folder, the seeds of the crawl",
        kCommon},
       seeds()},
      {{"pages", kRuns, "N", "Stop each run after this many pages. 0: no limit", kCommon},
       count_field(at(&O::setting, &SettingOptions::page_budget))},
      {{"memory", kRuns, "BYTES",
        "Memory for frontier and ordering of each run. If it is not enough, the worst part of the queue goes "
        "to disk (in TMPDIR); orderings that cannot fit are refused. 0: no limit"},
       bytes_field(at(&O::plan, &P::memory))},
      {{"repeat", kRuns, "N",
        "Repeat every run with N random seeds, starting with --seed; with --seeds random:K, each repeat "
        "draws its own start pages. Shows means, 95 % confidence intervals and paired differences",
        kCommon | kWholeFile},
       count_field<O, unsigned>(at(&O::plan, &P::repeat), 1, 10'000)},
      {{"seed", kRuns, "N", "Random seed of the first repeat"}, count_field(at(&O::plan, &P::random_seed))},
      {{"baselines", kRuns, "", "Also run random, omniscient and ideal, for comparison"},
       flag_field(at(&O::plan, &P::baselines))},
      {{"threads", kRuns, "N", "Number of runs at the same time; fewer if memory is short. 0: all cores",
        kWholeFile},
       count_field<O, unsigned>(at(&O::threads), 0, 1024)},
  };
}

Rows measure_rows() {
  return {
      {{"importance", kMeasure, "METRIC",
        "What makes a page important: pagerank, backlink, forward, location, home, similarity (to the "
        "topic), on-topic, combined or none",
        kCommon, 'i'},
       importance()},
      {{"topic", kMeasure, "WORDS",
        "The topic, for the ordering `similar` and the importances similarity and on-topic. Needs the folder "
        "of a crawl that stored its words (crawl --topic or --terms)",
        kCommon},
       text_field(at(&O::topic), check_topic)},
      {{"weights", kMeasure, "LIST", "The parts of --importance combined, each divided by its largest value"},
       weights()},
      {{"threshold", kMeasure, "G",
        "Threshold model: count the pages with at least this importance; 10%: at least the importance of the "
        "last page of the best tenth"},
       threshold()},
      {{"buffer", kMeasure, "LIST",
        "Limited buffer model: buffer sizes, as shares or numbers of pages, or none", kCommaList},
       buffers()},
      {{"location-suffixes", kMeasure, "LIST", "Location: host suffixes that get a bonus", kCommaList},
       comma_field(location(&LocationOptions::host_suffixes), split_words)},
      {{"location-strings", kMeasure, "LIST", "Location: parts of URLs that get a bonus", kCommaList},
       comma_field(location(&LocationOptions::strings), split_words)},
      {{"location-bonus", kMeasure, "X", "Location: the bonus"},
       number_field(location(&LocationOptions::bonus), parse_number, 0.0, 1000.0)},
  };
}

Rows process_rows() {
  return {
      {{"procs", kLabProcesses, "LIST",
        "Number of processes that share the crawl; several numbers are compared", kCommon | kCommaList},
       words_of(at(&O::teams, &TeamLists::procs), parse_count)},
      {{"mode", kLabProcesses, "LIST",
        "What happens to links to pages of other processes. exchange: they are sent to their owners; "
        "firewall: they are dropped; cross-over: they are followed when the process has no other pages left",
        kCommaList},
       words_of(at(&O::teams, &TeamLists::modes), parse_mode)},
      {{"partition", kLabProcesses, "LIST",
        "How pages are divided: site-hash (by registrable domain), host-hash, url-hash or hierarchical (by "
        "top-level domain)",
        kCommaList},
       words_of(at(&O::teams, &TeamLists::partitions), parse_partitioning)},
      {{"partition-rules", kLabProcesses, "RULES",
        "hierarchical: processes for top-level domains, such as de,fr,it=0;com=1"},
       text_field(team(&TeamOptions::rules))},
      {{"coordination", kLabProcesses, "KIND",
        "static: owners are fixed, and every process knows them; dynamic: a coordinator assigns each site to "
        "the process with the least work; independent: each process has its own seeds and does not "
        "communicate"},
       enum_field(team(&TeamOptions::coordination), {"static", "dynamic", "independent"})},
      {{"batch", kLabProcesses, "N", "exchange: send links after this many pages"},
       count_field<O, std::uint32_t>(team(&TeamOptions::batch), 1, 1'000'000'000)},
      {{"replicate", kLabProcesses, "N",
        "exchange: all processes know the N most linked URLs in advance, so these are never sent"},
       count_field(team(&TeamOptions::replicate))},
      {{"learn", kLabProcesses, "",
        "With --replicate: each process learns those URLs from the links it sees"},
       flag_field(team(&TeamOptions::learn))},
      {{"scores", kLabProcesses, "", "exchange: send the scores of links, not only their URLs"},
       flag_field(team(&TeamOptions::scores))},
  };
}

Rows output_rows() {
  return {
      {{"details", kOutput, "",
        "Also show the threshold and buffer models, the RankMass bound, in-degree and home pages",
        kCommon | kWholeFile},
       flag_field(at(&O::details))},
      {{"out", kOutput, "DIR",
        "Write report.html, figures (SVG and pgf), table.tex, runs.csv, curves.csv, frontier.csv and "
        "results.json to this folder",
        kCommon | kWholeFile, 'o'},
       text_field(at(&O::out))},
  };
}

}  // namespace

std::span<const LabOptionRow> lab_option_table() {
  static const Rows table = [] {
    Rows all;
    for (const auto rows : {run_rows, measure_rows, process_rows, output_rows})
      std::ranges::move(rows(), std::back_inserter(all));
    return all;
  }();
  return table;
}

Status LabOptions::complete() {
  setting.random_seed = plan.random_seed;
  BB_TRY(plan.teams, all_teams(teams));
  return {};
}

}  // namespace bowerbird
