// `bowerbird lab`: every ordering on a graph, side by side.
#include <cstdio>
#include <memory>

#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/lab_options.h"
#include "cmd/terminal.h"
#include "dash/lab_report.h"
#include "lab/csv.h"
#include "lab/experiment.h"
#include "lab/experiment_file.h"
#include "lab/json.h"
#include "lab/table.h"
#include "policy/registry.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

struct Experiment {
  std::vector<Subject> subjects;
  unsigned threads = default_threads();
  std::string out;
};

Result<Experiment> gather(const LabCommand& command, const CLI::App& app) {
  Experiment experiment;
  experiment.threads = command.threads;
  experiment.out = command.out;
  if (!command.graph.path.ends_with(".toml")) {
    BB_TRY(experiment.subjects.emplace_back(), lab_subject(command));
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

Result<LabReport> run_subject(Subject& subject, unsigned threads, const Progress& progress) {
  BB_TRY_VOID(check_specs(subject.plan));
  BB_TRY_VOID(use_own_crawl(subject.graph, subject.setting.seeds));
  BB_TRY(Web web, open_graph(subject.graph, progress));
  subject.setting.threads = threads;
  BB_TRY(Setting setting, prepare_setting(std::move(web), subject.setting, progress));
  BB_TRY(const Plan plan, make_plan(subject.plan, setting));
  ExperimentOptions options;
  options.threads = threads;
  return run_repeats(std::move(setting), subject.setting, plan, options, progress);
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

Status show(const std::vector<LabReport>& reports, const Experiment& experiment, const LabCommand& command,
            const CommonOptions& common) {
  if (reports.empty()) return {};
  const ReportOrigin origin = report_origin();
  if (common.json) {
    print_json_line(report_json(reports, origin));
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
  BB_TRY_VOID(write_reports(experiment.out, reports, origin));
  BB_TRY_VOID(write_lab_report(experiment.out, reports, origin));
  if (!common.quiet) {
    fmt::print(stderr,
               "wrote {0}/report.html (open it in a browser), figures/, table.tex, runs.csv, curves.csv, "
               "frontier.csv and results.json\n",
               experiment.out);
  }
  return {};
}

Status run(const LabCommand& command, const CLI::App& app, const CommonOptions& common) {
  if (command.graph.path.empty()) refuse("GRAPH is required");
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

}  // namespace

void add_lab(App& app) {
  auto command = std::make_shared<LabCommand>();
  auto self = std::make_shared<CLI::App*>(nullptr);
  CLI::App& added =
      app.add_command(app.root(), "lab", lab_text(),
                      [command, self](const CommonOptions& common) { return run(*command, **self, common); });
  *self = &added;
  add_lab_options(added, *command);
  added.get_option("GRAPH")->required(false);  // `lab refresh` has its own
  add_lab_refresh(app, added);
}

}  // namespace bowerbird
