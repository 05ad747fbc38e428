// `bowerbird lab`: every ordering on a graph, side by side.
#include <fmt/chrono.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/units.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/terminal.h"
#include "crawl/crawl_history.h"
#include "dash/lab_report.h"
#include "lab/crawl_graph.h"
#include "lab/csv.h"
#include "lab/experiment.h"
#include "lab/experiment_file.h"
#include "lab/json.h"
#include "lab/table.h"
#include "parse/topic.h"
#include "policy/registry.h"
#include "sys/write_file.h"
#include "version.h"

namespace bowerbird {

namespace {

// The command line as it is written; what must be parsed further is parsed in run().
struct LabCommand {
  GraphArgument graph;
  std::string policies = "all";
  std::string strategies = "all";
  std::string seeds;
  std::string importance = "pagerank";
  std::string weights = "similarity=1,backlink=1";
  std::string threshold = "10%";
  std::string buffer;
  std::string pages;
  std::string memory;
  std::string location_suffixes = ".com";
  std::string location_strings = "home";
  double location_bonus = 0.5;
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  unsigned threads = default_threads();
  std::string procs;
  std::string coordination = "static";
  std::string partition = "site-hash";
  std::string mode = "exchange";
  std::string rules;
  TeamOptions team;
  bool no_scores = false;
  std::string out;
  bool details = false;
  bool no_baselines = false;
};

// One graph of an experiment, with how to open it.
struct Subject {
  GraphArgument graph;
  SettingOptions setting;
  PlanOptions plan;
};

struct Experiment {
  std::vector<Subject> subjects;
  unsigned threads = default_threads();
  std::string out;
};

std::vector<std::string> split_commas(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) words.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
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

Result<Subject> from_command_line(const LabCommand& command) {
  Subject subject;
  subject.graph = command.graph;
  SettingOptions& setting = subject.setting;
  setting.name = graph_name(command.graph.path);
  if (!command.seeds.empty()) {
    BB_TRY(setting.seeds, SeedSpec::parse(command.seeds));
  }
  BB_TRY(setting.importance, parse_importance(command.importance));
  BB_TRY(setting.weights, parse_weights(command.weights));
  BB_TRY(setting.threshold, Threshold::parse(command.threshold));
  if (!command.buffer.empty()) {
    BB_TRY(setting.buffers, parse_buffers(split_commas(command.buffer)));
  }
  if (!command.pages.empty()) {
    BB_TRY(setting.page_budget, parse_count(command.pages));
  }
  setting.location.host_suffixes = split_commas(command.location_suffixes);
  setting.location.strings = split_commas(command.location_strings);
  setting.location.bonus = command.location_bonus;
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

Result<Experiment> gather(const LabCommand& command, const CLI::App& app) {
  Experiment experiment;
  experiment.threads = command.threads;
  experiment.out = command.out;
  if (!command.graph.path.ends_with(".toml")) {
    BB_TRY(experiment.subjects.emplace_back(), from_command_line(command));
    return experiment;
  }
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    const bool allowed = name == "GRAPH" || name == "--out" || name == "--threads" || name == "--details" ||
                         name == "--json" || name == "--quiet";
    if (name == "--names" || name == "--format" || name == "--relabel" || name == "--trust") {
      if (option->count() == 0) continue;
      refuse(fmt::format("{} is for one graph; for an experiment file, `graph convert` first", name));
    }
    if (!allowed && option->count() > 0) {
      refuse(
          fmt::format("{} belongs into {}: an experiment file says what is run", name, command.graph.path));
    }
  }
  BB_TRY(const ExperimentFile file, read_experiment(command.graph.path));
  if (file.threads > 0 && app.get_option("--threads")->count() == 0) experiment.threads = file.threads;
  if (experiment.out.empty()) experiment.out = file.out;
  for (const GraphExperiment& graph : file.graphs) {
    Subject subject;
    subject.graph.path = graph.path;
    subject.graph.open.hosts_file = graph.hosts;
    subject.graph.topic = graph.topic;
    subject.setting = graph.setting;
    if (subject.setting.name.empty()) subject.setting.name = graph_name(graph.path);
    subject.plan = graph.plan;
    experiment.subjects.push_back(std::move(subject));
  }
  return experiment;
}

// A crawl is replayed from where it began, along the links that it followed.
Status replay_own_crawl(Subject& subject) {
  subject.graph.followed = true;
  if (subject.setting.seeds) return {};
  BB_TRY(const std::vector<SeedPage> seeds, read_crawl_seeds(subject.graph.path));
  if (seeds.empty()) return {};
  SeedSpec& spec = subject.setting.seeds.emplace();
  spec.kind = SeedSpec::Kind::kIds;
  spec.text = "the crawl's own";
  for (const SeedPage& seed : seeds) {
    spec.ids.push_back(seed.page);
    spec.weights.push_back(seed.weight);
  }
  return {};
}

Result<LabReport> run_subject(Subject& subject, unsigned threads, const Progress& progress) {
  BB_TRY_VOID(check_specs(subject.plan));
  if (is_crawl_folder(subject.graph.path)) BB_TRY_VOID(replay_own_crawl(subject));
  BB_TRY(Web web, open_graph(subject.graph, progress));
  subject.setting.threads = threads;
  BB_TRY(const Setting setting, prepare_setting(std::move(web), subject.setting, progress));
  BB_TRY(const Plan plan, make_plan(subject.plan, setting));
  ExperimentOptions options;
  options.threads = threads;
  return run_experiment(setting, plan, options, progress);
}

// Runs one after the other; what is finished before a failure or Ctrl-C is kept.
Status run_all(Experiment& experiment, bool quiet, std::vector<LabReport>& reports) {
  ProgressLine line(quiet);
  for (Subject& subject : experiment.subjects) {
    auto report = run_subject(subject, experiment.threads, line.progress());
    if (!report.ok()) return report.error();
    reports.push_back(std::move(report).value());
    if (!reports.back().complete()) return error("stopped; what was finished is reported");
  }
  return {};
}

// Whatever would otherwise fail at the end of hours of work.
Status check_beforehand(const Experiment& experiment) {
  for (const Subject& subject : experiment.subjects) {
    BB_TRY_VOID(check_specs(subject.plan));
    if (experiment.subjects.size() == 1) continue;  // it is opened at once
    BB_TRY_VOID(check_graph(subject.graph));
  }
  return experiment.out.empty() ? Status{} : make_folder(experiment.out);
}

std::string now() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

Status show(const std::vector<LabReport>& reports, const Experiment& experiment, const LabCommand& command,
            const CommonOptions& common) {
  if (reports.empty()) return {};
  if (common.json) {
    print_json_line(report_json(reports));
  } else {
    TableOptions options;
    options.details = command.details;
    options.colour = colour_on_stdout();
    for (std::size_t i = 0; i < reports.size(); ++i) {
      fmt::print("{}{}", i > 0 ? "\n" : "", report_table(reports[i], options));
    }
  }
  std::fflush(stdout);
  if (experiment.out.empty()) return {};
  BB_TRY_VOID(write_reports(experiment.out, reports));
  BB_TRY_VOID(write_lab_report(experiment.out, reports, {command_line(), BOWERBIRD_VERSION, now()}));
  if (!common.quiet) {
    fmt::print(
        stderr,
        "{0}/report.html is written, to be opened in a browser; beside it figures/, runs.csv, curves.csv, "
        "frontier.csv and results.json\n",
        experiment.out);
  }
  return {};
}

Status run(const LabCommand& command, const CLI::App& app, const CommonOptions& common) {
  BB_TRY(Experiment experiment, gather(command, app));
  BB_TRY_VOID(check_beforehand(experiment));
  std::vector<LabReport> reports;
  const Status ran = run_all(experiment, common.quiet, reports);
  BB_TRY_VOID(show(reports, experiment, command, common));
  return ran;
}

const std::string& about() {
  static const std::string text = [] {
    std::string all =
        "Crawls the graph with every ordering asked for, as the live crawler would, and shows how soon each "
        "got the "
        "important pages. Judged are the pages that the seeds reach: the share of all their importance that "
        "is "
        "crawled after 5, 10 ... % of them, and how many of the K best are among the first K crawled (hot "
        "pages). "
        "auc is the mean height of the first of these curves. Beside them stand `random`, `omniscient` "
        "(knows the "
        "importance of every page it has discovered) and `ideal` (the K best pages, discovered or not).\n"
        "\n"
        "Instead of a graph an experiment file (.toml) may be given, which names several graphs; docs/lab.md "
        "shows "
        "one. Ctrl-C ends the runs and reports what is finished.\n"
        "\n"
        "Orderings:\n";
    for (const PolicyInfo& info : all_policies()) {
      all += fmt::format("  {:<18}  {}{}{}\n", info.name, info.summary, info.parameters.empty() ? "" : "; ",
                         info.parameters);
    }
    all +=
        "\n"
        "Strategies decide which links enter the queue:\n"
        "  all                 every new link enters\n"
        "  sydney@T            of a page's more than T new links, T now, the others when the queue is empty\n"
        "  shallow@T           the same for pages of depth 0 to 2, all links of deeper ones\n"
        "  truncated@T         at most T new links a page, the others are lost\n"
        "  ...:budget=5%       at most so many entries in the queue; what does not fit is lost\n";
    return all;
  }();
  return text;
}

CommandText lab_text() {
  return {"which ordering is best on a graph", about(),
          "# every ordering, from the 160 pages of highest PageRank\n"
          "bowerbird lab cnr-2000\n"
          "# three of them, on hosts from a file; results/report.html shows the curves\n"
          "bowerbird lab cnr-2000 --hosts cnr-2000.blocks --policies fpr,fpr@100,opic --out results\n"
          "# what a small queue costs\n"
          "bowerbird lab uci-ics-2019 --policies bfs,fpr --strategies all,sydney@8,sydney@8:budget=5%\n"
          "# every page, with a queue that is kept within 2 MiB by putting its worst part on disk\n"
          "bowerbird lab uci-ics-2019 --policies bfs,fpr --memory 2MiB\n"
          "# shared by 1, 4 and 16 processes that send each other their links, or do not\n"
          "bowerbird lab uci-ics-2019 --policies fpr --procs 1,4,16 --mode exchange,firewall\n"
          "# a crawl of one's own: who finds pages about roses first\n"
          "bowerbird lab mycrawl --topic \"rose garden\" --importance on-topic --seeds ids:0 --policies "
          "similar,similar:variant=basic,bfs,fpr@100\n"
          "# speed alone, on a web of a hundred million pages that is computed on the fly\n"
          "bowerbird lab synthetic:pages=100M --policies fpr@100 --importance none\n"};
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

void add_options(CLI::App& app, LabCommand& command) {
  add_graph_argument(app, command.graph);
  CLI::Option* graph = app.get_option("GRAPH");
  graph->description(graph->get_description() + "; or an experiment file that names several (.toml)");
  app.add_option("-p,--policies", command.policies,
                 "Orderings to run, parted by commas; all = every one that fits")
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
  app.add_option(
         "-i,--importance", command.importance,
         "What counts as important: pagerank, backlink, forward, location, home, similarity (to the topic), "
         "on-topic, combined or none")
      ->check(parsed_by(parse_importance))
      ->type_name("METRIC")
      ->capture_default_str();
  app.add_option("--topic", command.graph.topic,
                 "Words to look for, on the folder of a crawl that kept its words (crawl --topic or "
                 "--terms): for the "
                 "ordering `similar` and the importances similarity and on-topic")
      ->check(parsed_by(Topic::parse))
      ->type_name("WORDS");
  app.add_option("--weights", command.weights,
                 "The parts of --importance combined, each divided by its largest value")
      ->check(parsed_by(parse_weights))
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--pages", command.pages, "Stop each crawl after so many pages")
      ->check(parsed_by(parse_count))
      ->type_name("N");
  app.add_option(
         "--memory", command.memory,
         "What frontier and ordering of each crawl may take: the worst part of the queue goes to disk "
         "beyond that (TMPDIR), and orderings that cannot fit are refused")
      ->check(parsed_by(parse_bytes))
      ->type_name("BYTES");
  app.add_option("--repeat", command.repeat,
                 "Repeat every run with further random seeds; mean and spread are shown")
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
  app.add_option("--location-suffixes", command.location_suffixes, "Location: hosts that end so get a bonus")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--location-strings", command.location_strings, "Location: URLs that hold these get a bonus")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--location-bonus", command.location_bonus, "Location: how much")
      ->check(between(0, 1000))
      ->type_name("X")
      ->capture_default_str();
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
  app.add_flag("--no-baselines", command.no_baselines,
               "Do not run random, omniscient and ideal beside the others");
  app.add_flag("--details", command.details,
               "Also show the threshold and buffer models, in-degree and home pages");
  app.add_option(
         "-o,--out", command.out,
         "Write report.html, figures, runs.csv, curves.csv, frontier.csv and results.json to this folder")
      ->type_name("DIR");
}

}  // namespace

void add_lab(App& app) {
  auto command = std::make_shared<LabCommand>();
  auto self = std::make_shared<CLI::App*>(nullptr);
  CLI::App& added =
      app.add_command(app.root(), "lab", lab_text(),
                      [command, self](const CommonOptions& common) { return run(*command, **self, common); });
  *self = &added;
  add_options(added, *command);
}

}  // namespace bowerbird
