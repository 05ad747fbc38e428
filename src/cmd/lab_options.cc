#include "cmd/lab_options.h"

#include <filesystem>
#include <functional>

#include "base/units.h"
#include "crawl/inspect/crawl_history.h"
#include "lab/crawl_graph.h"
#include "parse/topic.h"
#include "policy/spec.h"

namespace bowerbird {
namespace {

std::vector<std::string> split_commas(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) words.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
}

Result<std::vector<TeamOptions>> teams_of(const LabCommand& command) {
  TeamLists lists;
  lists.procs = split_commas(command.procs);
  lists.modes = split_commas(command.mode);
  lists.partitions = split_commas(command.partition);
  lists.common = command.team;
  lists.common.scores = !command.no_scores;
  lists.common.rules = command.rules;
  BB_TRY(lists.common.coordination, parse_coordination(command.coordination));
  return all_teams(lists);
}

// What `parse` says against the words of a list.
template <typename Parse>
std::function<std::string(const std::string&)> each_parsed_by(Parse parse) {
  return [parse](const std::string& list) {
    if (split_commas(list).empty()) return std::string("an empty list");
    for (const std::string& word : split_commas(list)) {
      const auto value = parse(word);
      if (!value.ok()) return value.error().text;
    }
    return std::string();
  };
}

Status check_policies(const std::string& list) {
  PlanOptions options;
  BB_TRY(options.policies, split_specs(list));
  return check_specs(options);
}

Status check_strategies(const std::string& list) {
  PlanOptions options;
  BB_TRY(options.strategies, split_specs(list));
  return check_specs(options);
}

void add_run_options(CLI::App& app, LabCommand& command) {
  app.add_option("-p,--policies", command.policies,
                 "Orderings to run, comma-separated; all = every one that fits")
      ->check(parsed_by(check_policies))
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("-s,--strategies", command.strategies, "Frontier strategies to run each of them with")
      ->check(parsed_by(check_strategies))
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--seeds", command.seeds,
                 "Where to start: top:K by PageRank, random:K, ids:1,2, home, or file:NAME (default top:160; "
                 "random:50 with --importance none; of a crawl of one's own: its seeds)")
      ->check(parsed_by(SeedSpec::parse))
      ->type_name("SEEDS");
  app.add_option("--pages", command.pages, "Stop each crawl after so many pages")
      ->check(parsed_by(parse_count))
      ->type_name("N");
  app.add_option(
         "--memory", command.memory,
         "What frontier and ordering of each crawl may take: the worst part of the queue goes to disk "
         "beyond that (TMPDIR), and orderings that cannot fit are refused")
      ->check(parsed_by(parse_bytes))
      ->type_name("BYTES");
  app.add_option(
         "--repeat", command.repeat,
         "Repeat every run with N random seeds, from --seed on; random start pages are drawn anew for "
         "each. Shows means, 95 % confidence intervals and paired differences")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_option("--seed", command.random_seed, "Random seed of the first repeat")
      ->check(is_count())
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--threads", command.threads,
                 "Runs side by side, all cores by default, fewer if memory is short")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

void add_measure_options(CLI::App& app, LabCommand& command) {
  add_importance_options(app, command.importance, command.graph.topic);
  app.add_option(
         "--threshold", command.threshold,
         "Threshold model: hot pages are worth at least this much, or as much as the page at this share")
      ->check(parsed_by(Threshold::parse))
      ->type_name("G")
      ->capture_default_str();
  app.add_option("--buffer", command.buffer,
                 "Limited buffer model: buffer sizes, as shares or numbers of pages, or none (default the "
                 "checkpoints 1 % ... 100 %)")
      ->check(parsed_by([](const std::string& list) { return parse_buffers(split_commas(list)); }))
      ->type_name("LIST");
  app.add_flag("--no-baselines", command.no_baselines,
               "Do not run random, omniscient and ideal beside the others");
}

void add_team_options(CLI::App& app, LabCommand& command) {
  app.add_option("--procs", command.procs,
                 "Share the crawl among so many processes; several numbers are compared")
      ->type_name("LIST");
  app.add_option("--mode", command.mode,
                 "Links to pages of other processes: exchange sends them, firewall drops them, cross-over "
                 "follows them when nothing else is left")
      ->check(each_parsed_by(parse_mode))
      ->needs("--procs")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--partition", command.partition,
                 "Who owns a page: site-hash (by registrable domain), host-hash, url-hash or hierarchical "
                 "(by top-level "
                 "domain)")
      ->check(each_parsed_by(parse_partitioning))
      ->needs("--procs")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--partition-rules", command.rules,
                 "hierarchical: processes for some top-level domains, as in de,fr,it=0;com=1")
      ->needs("--procs")
      ->type_name("RULES");
  app.add_option(
         "--coordination", command.coordination,
         "static; dynamic: a coordinator gives sites to whoever has least to do; independent: no talk")
      ->check(parsed_by(parse_coordination))
      ->needs("--procs")
      ->type_name("HOW")
      ->capture_default_str();
  app.add_option("--batch", command.team.batch, "exchange: send links after so many pages")
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->needs("--procs")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--replicate", command.team.replicate,
                 "exchange: so many of the most linked URLs are known to all processes and never sent")
      ->check(is_count())
      ->needs("--procs")
      ->type_name("N");
  app.add_flag("--learn", command.team.learn,
               "With --replicate: each process learns those URLs from the links it sees")
      ->needs("--replicate");
  app.add_flag("--no-scores", command.no_scores, "exchange: send URLs alone, without what the link was worth")
      ->needs("--procs");
}

}  // namespace

void add_importance_options(CLI::App& app, ImportanceChoice& choice, std::string& topic) {
  app.add_option(
         "-i,--importance", choice.metric,
         "What counts as important: pagerank, backlink, forward, location, home, similarity (to the topic), "
         "on-topic, combined or none")
      ->check(parsed_by(parse_importance))
      ->type_name("METRIC")
      ->capture_default_str();
  app.add_option("--topic", topic,
                 "Words to look for, on the folder of a crawl that kept its words (crawl --topic or "
                 "--terms): for the "
                 "ordering `similar` and the importances similarity and on-topic")
      ->check(parsed_by(Topic::parse))
      ->type_name("WORDS");
  app.add_option("--weights", choice.weights,
                 "The parts of --importance combined, each divided by its largest value")
      ->check(parsed_by(parse_weights))
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--location-suffixes", choice.location_suffixes, "Location: hosts that end so get a bonus")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--location-strings", choice.location_strings, "Location: URLs that hold these get a bonus")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--location-bonus", choice.location_bonus, "Location: how much")
      ->check(between(0, 1000))
      ->type_name("X")
      ->capture_default_str();
}

Status set_importance(const ImportanceChoice& choice, SettingOptions& setting) {
  BB_TRY(setting.importance, parse_importance(choice.metric));
  BB_TRY(setting.weights, parse_weights(choice.weights));
  setting.location.host_suffixes = split_commas(choice.location_suffixes);
  setting.location.strings = split_commas(choice.location_strings);
  setting.location.bonus = choice.location_bonus;
  return {};
}

Status use_own_crawl(GraphArgument& graph, std::optional<SeedSpec>& seeds) {
  if (!is_crawl_folder(graph.path)) return {};
  BB_TRY(CrawlEntries entries, read_crawl_entries(graph.path));
  graph.followed = std::move(entries.admitted);
  if (seeds || entries.seeds.empty()) return {};
  SeedSpec& spec = seeds.emplace();
  spec.kind = SeedSpec::Kind::kIds;
  spec.text = "the crawl's own";
  for (const SeedPage& seed : entries.seeds) {
    spec.ids.push_back(seed.page);
    spec.weights.push_back(seed.weight);
  }
  return {};
}

std::string graph_name(const std::string& path) {
  if (path.find(':') != std::string::npos) return path;  // synthetic:...
  std::string name = std::filesystem::path(path).filename().string();
  for (const char* ending :
       {".gz", ".zst", ".graph-txt", ".hostgraph-txt", ".graph", ".bbg", ".edges", ".txt"}) {
    if (name.ends_with(ending) && name.size() > std::string_view(ending).size()) {
      name.resize(name.size() - std::string_view(ending).size());
    }
  }
  return name;
}

Result<Subject> lab_subject(const LabCommand& command) {
  Subject subject;
  subject.graph = command.graph;
  SettingOptions& setting = subject.setting;
  setting.name = graph_name(command.graph.path);
  if (!command.seeds.empty()) {
    BB_TRY(setting.seeds, SeedSpec::parse(command.seeds));
  }
  BB_TRY_VOID(set_importance(command.importance, setting));
  BB_TRY(setting.threshold, Threshold::parse(command.threshold));
  if (!command.buffer.empty()) {
    BB_TRY(setting.buffers, parse_buffers(split_commas(command.buffer)));
  }
  if (!command.pages.empty()) {
    BB_TRY(setting.page_budget, parse_count(command.pages));
  }
  setting.random_seed = command.random_seed;
  PlanOptions& plan = subject.plan;
  BB_TRY(plan.policies, split_specs(command.policies));
  BB_TRY(plan.strategies, split_specs(command.strategies));
  auto teams = teams_of(command);
  if (!teams.ok()) refuse(teams.error().text);
  plan.teams = std::move(teams).value();
  plan.repeat = command.repeat;
  plan.random_seed = command.random_seed;
  plan.baselines = !command.no_baselines;
  if (!command.memory.empty()) {
    BB_TRY(plan.memory, parse_bytes(command.memory));
  }
  return subject;
}

void add_lab_options(CLI::App& app, LabCommand& command) {
  add_graph_argument(app, command.graph);
  CLI::Option* graph = app.get_option("GRAPH");
  graph->description(graph->get_description() + "; or an experiment file that names several (.toml)");
  add_run_options(app, command);
  add_measure_options(app, command);
  add_team_options(app, command);
  app.add_flag("--details", command.details,
               "Also show the threshold and buffer models, in-degree and home pages");
  app.add_option(
         "-o,--out", command.out,
         "Write report.html, figures (SVG and pgf), table.tex, runs.csv, curves.csv, frontier.csv and "
         "results.json to this folder")
      ->type_name("DIR");
}

}  // namespace bowerbird
