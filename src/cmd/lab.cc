// `bowerbird lab`: every ordering on a graph, side by side.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/option_flags.h"
#include "cmd/plugin_option.h"
#include "cmd/terminal.h"
#include "dash/lab_report.h"
#include "lab/csv.h"
#include "lab/experiment.h"
#include "lab/experiment_file.h"
#include "lab/json.h"
#include "lab/table.h"
#include "policy/registry.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

struct LabCommand {
  GraphArgument graph;
  OptionFlags flags;
};

// One graph of an experiment.
struct Subject {
  GraphArgument graph;
  LabOptions options;
};

struct Experiment {
  std::vector<Subject> subjects;
  LabOptions common;  // options for all of them: threads, out, details
};

void check_needs_procs(const OptionFlags& flags) {
  for (const LabOptionRow& row : lab_option_table()) {
    if (row.group == kLabProcesses && flags.is_given(row.name) && !flags.is_given("procs"))
      refuse(fmt::format("--{} requires --procs", row.name));
  }
}

// Options of an experiment file cannot also be given on the command line.
void check_only_file(const LabCommand& command, const CLI::App& app) {
  for (const LabOptionRow& row : lab_option_table()) {
    if (row.is(kWholeFile) && row.name != "repeat") continue;
    if (command.flags.is_given(row.name)) {
      refuse(fmt::format(
          "set `{0}` in {1}: --{0} cannot be given on the command line together with an experiment file",
          row.name, command.graph.path));
    }
  }
  refuse_options(app, {"--names", "--format", "--relabel", "--trust", "--hosts"},
                 "only for one graph; for an experiment file, run `graph convert` first");
}

Result<Experiment> gather(const LabCommand& command, const CLI::App& app) {
  Experiment experiment;
  if (!command.graph.path.ends_with(".toml")) {
    check_needs_procs(command.flags);
    command.flags.apply(lab_option_table(), experiment.common);
    experiment.common.setting.name = graph_name(command.graph.path);
    if (const Status good = experiment.common.complete(); !good.ok()) refuse(good.error().text);
    experiment.subjects.push_back({command.graph, experiment.common});
    experiment.subjects.back().graph.topic = experiment.common.topic;
    return experiment;
  }
  check_only_file(command, app);
  BB_TRY(const auto text, MappedFile::open(command.graph.path));
  const auto file = parse_experiment(text->text(), command.graph.path,
                                     std::filesystem::path(command.graph.path).parent_path().string());
  if (!file.ok()) refuse(file.error().text);
  experiment.common = file->common;
  command.flags.apply(lab_option_table(), experiment.common);
  for (const GraphExperiment& graph : file->graphs) {
    Subject& subject = experiment.subjects.emplace_back();
    subject.graph.path = graph.path;
    subject.graph.open.hosts_file = graph.hosts;
    subject.graph.topic = graph.options.topic;
    subject.options = graph.options;
  }
  return experiment;
}

Result<LabReport> run_subject(Subject& subject, unsigned threads, const Progress& progress) {
  BB_TRY_VOID(check_specs(subject.options.plan));
  BB_TRY_VOID(use_own_crawl(subject.graph, subject.options.setting.seeds));
  BB_TRY(Web web, open_graph(subject.graph, progress));
  subject.options.setting.threads = threads;
  BB_TRY(Setting setting, prepare_setting(std::move(web), subject.options.setting, progress));
  BB_TRY(const Plan plan, make_plan(subject.options.plan, setting));
  ExperimentOptions options;
  options.threads = threads;
  return run_repeats(std::move(setting), subject.options.setting, plan, options, progress);
}

// Runs one after the other; finished runs are kept after a failure or Ctrl-C.
Status run_all(Experiment& experiment, bool quiet, std::vector<LabReport>& reports) {
  ProgressLine line(quiet);
  for (Subject& subject : experiment.subjects) {
    const unsigned threads = experiment.common.threads;
    auto report = run_subject(subject, threads > 0 ? threads : default_threads(), line.progress());
    if (!report.ok()) return report.error();
    reports.push_back(std::move(report).value());
    if (!reports.back().complete()) return error("stopped; complete runs are reported");
  }
  return {};
}

// Checks what would otherwise fail after hours of work.
Status check_beforehand(const Experiment& experiment) {
  for (const Subject& subject : experiment.subjects) {
    BB_TRY_VOID(check_specs(subject.options.plan));
    if (experiment.subjects.size() == 1) continue;  // it is opened at once
    BB_TRY_VOID(check_graph(subject.graph));
  }
  return experiment.common.out.empty() ? Status{} : make_folder(experiment.common.out);
}

Status show(const std::vector<LabReport>& reports, const Experiment& experiment,
            const CommonOptions& common) {
  if (reports.empty()) return {};
  const ReportOrigin origin = report_origin();
  if (common.json) {
    print_json_line(report_json(reports, origin));
  } else {
    TableOptions options;
    options.details = experiment.common.details;
    options.colour = colour_on_stdout();
    for (std::size_t i = 0; i < reports.size(); ++i) {
      fmt::print("{}{}", i > 0 ? "\n" : "", report_table(reports[i], options));
    }
  }
  std::fflush(stdout);
  if (experiment.common.out.empty()) return {};
  BB_TRY_VOID(write_reports(experiment.common.out, reports, origin));
  BB_TRY_VOID(write_lab_report(experiment.common.out, reports, origin));
  if (!common.quiet) {
    fmt::print(stderr,
               "wrote {0}/report.html (open it in a browser), figures/, table.tex, runs.csv, curves.csv, "
               "frontier.csv and results.json\n",
               experiment.common.out);
  }
  return {};
}

Status run(const LabCommand& command, const CLI::App& app, const CommonOptions& common) {
  if (command.graph.path.empty()) refuse("GRAPH is required");
  BB_TRY(Experiment experiment, gather(command, app));
  BB_TRY_VOID(check_beforehand(experiment));
  std::vector<LabReport> reports;
  const Status ran = run_all(experiment, common.quiet, reports);
  BB_TRY_VOID(show(reports, experiment, common));
  return ran;
}

const std::string& about() {
  static const std::string text = [] {
    std::string all =
        "Simulates a crawl of the graph with every given ordering, with the same code as the live crawler, "
        "and shows how soon each ordering collects the important pages. Only pages that can be reached from "
        "the seeds count. The table shows the share of their importance that is crawled after 5, 10 ... % of "
        "them, and how many of the K best pages are among the first K crawled (hot pages). AUC is the area "
        "under the first of these curves. The baselines are `random`, `omniscient` (knows the importance of "
        "every discovered page) and `ideal` (the K best pages, discovered or not).\n"
        "\n"
        "GRAPH may also be an experiment file (.toml) that names several graphs; docs/lab.md shows one. "
        "Ctrl-C stops the runs and reports the complete ones.\n"
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
        "  sydney@T            at most T new links of a page; the others wait until the queue is empty\n"
        "  shallow@T           the same for pages of depth 0 to 2; all links of deeper pages\n"
        "  truncated@T         at most T new links per page; the others are dropped\n"
        "  ...:budget=5%       the queue holds at most this share of the pages; other links are dropped\n";
    return all;
  }();
  return text;
}

CommandText lab_text() {
  return {"compare crawl orderings on a graph", about(),
          "# every ordering, from the 160 pages of highest PageRank\n"
          "bowerbird lab cnr-2000\n"
          "# three orderings, with hosts from a file; results/report.html shows the curves\n"
          "bowerbird lab cnr-2000 --hosts cnr-2000.blocks --policies fpr,fpr@100,opic --out results\n"
          "# what a small queue costs\n"
          "bowerbird lab uci-ics-2019 --policies bfs,fpr --strategies all,sydney@8,sydney@8:budget=5%\n"
          "# all pages, with at most 2 MiB of memory; the worst part of the queue is on disk\n"
          "bowerbird lab uci-ics-2019 --policies bfs,fpr --memory 2MiB\n"
          "# shared by 1, 4 and 16 processes, with and without link exchange\n"
          "bowerbird lab uci-ics-2019 --policies fpr --procs 1,4,16 --mode exchange,firewall\n"
          "# on your own crawl: which ordering finds pages about roses first?\n"
          "bowerbird lab mycrawl --topic \"rose garden\" --importance on-topic --seeds ids:0 --policies "
          "similar,similar:variant=basic,bfs,fpr@100\n"
          "# speed only, on a computed web of a hundred million pages\n"
          "bowerbird lab synthetic:pages=100M --policies fpr@100 --importance none\n"};
}

}  // namespace

void add_lab(App& app) {
  auto command = std::make_shared<LabCommand>();
  auto self = std::make_shared<CLI::App*>(nullptr);
  CLI::App& added =
      app.add_command(app.root(), "lab", lab_text(),
                      [command, self](const CommonOptions& common) { return run(*command, **self, common); });
  *self = &added;
  add_graph_argument(added, command->graph);
  CLI::Option* const graph = added.get_option("GRAPH");
  graph->description(graph->get_description() + "; or an experiment file (.toml) that names several graphs");
  graph->required(false);  // `lab refresh` has its own
  for (const LabOptionRow& row : lab_option_table()) command->flags.add(added, row);
  add_plugin_option(added);
  add_lab_refresh(app, added);
}

}  // namespace bowerbird
