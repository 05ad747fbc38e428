// `bowerbird lab refresh`: compares refresh policies.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

#include "base/units.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/option_flags.h"
#include "cmd/terminal.h"
#include "crawl/inspect/completeness.h"
#include "crawl/inspect/visit_history.h"
#include "dash/refresh_report.h"
#include "lab/crawl_graph.h"
#include "lab/experiment_file.h"
#include "lab/refresh/crawl_visits.h"
#include "lab/refresh/experiment.h"
#include "lab/refresh/output.h"
#include "lab/refresh/reference.h"
#include "lab/refresh/truth.h"
#include "policy/spec.h"
#include "sys/write_file.h"
#include "web/http/access_log.h"

namespace bowerbird {
namespace {

constexpr std::string_view kReference = "reference";
constexpr std::string_view kCrawlRow = "crawl";

struct RefreshCommand {
  GraphArgument graph;
  std::string policies = "all";
  std::string budget = "3.3333%";
  std::string rates = "lognormal:median=0.05,sigma=1.5";
  std::string use_rates = "both";
  std::string seeds;
  OptionFlags importance;  // rows of the lab's table
  std::string shortest = "1h";
  std::string longest = "90d";
  double days = 300;
  double warm_up = 150;
  bool discovery = false;
  bool dates = false;
  std::optional<double> least_new;
  double most_new = 1;
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  unsigned threads = default_threads();
  std::string requests;
  std::string out;
};

Result<std::vector<std::string>> policy_list(const std::string& list) {
  BB_TRY(std::vector<std::string> policies, split_specs(list));
  BB_TRY_VOID(check_refresh_policies(policies));
  return policies;
}

Result<Duration> parse_interval(std::string_view text) {
  BB_TRY(const Seconds time, parse_seconds(text));
  return std::chrono::duration_cast<Duration>(time);
}

Result<RefreshPlan> plan_of(const RefreshCommand& command) {
  RefreshPlan plan;
  BB_TRY(plan.policies, policy_list(command.policies));
  BB_TRY(plan.budgets, parse_budgets(command.budget));
  BB_TRY(plan.rates, RateSpec::parse(command.rates));
  plan.known = command.use_rates != "learned";
  plan.learned = command.use_rates != "known";
  BB_TRY(plan.run.shortest, parse_interval(command.shortest));
  BB_TRY(plan.run.longest, parse_interval(command.longest));
  plan.run.days = command.days;
  plan.run.warm_up = command.warm_up;
  plan.run.discovery = command.discovery;
  plan.run.dates = command.dates;
  plan.run.most_new = command.most_new;
  plan.run.least_new = command.least_new.value_or(std::min(kDefaultLeastNew, command.most_new));
  plan.run.slices = 100;
  plan.repeat = command.repeat;
  plan.random_seed = command.random_seed;
  plan.threads = command.threads;
  if (!(plan.run.warm_up < plan.run.days)) refuse("--warm-up must be shorter than --days");
  if (plan.run.longest > 0ms && plan.run.longest < plan.run.shortest)
    refuse("--max-interval is shorter than --min-interval");
  for (const Duration interval : {plan.run.shortest, plan.run.longest}) {
    if (interval > kLongestRefreshInterval) {
      refuse(fmt::format("--min-interval and --max-interval: at most {}, ten years",
                         exact_seconds(kLongestRefreshInterval)));
    }
  }
  if (!command.requests.empty() && plan.rates.kind != RateSpec::Kind::kTruth)
    refuse("--requests needs --rates truth:FILE, the changes of the same test Web");
  if (plan.run.least_new > plan.run.most_new) refuse("--min-new must not be above --max-new");
  return plan;
}

// The pages that the access log of a test Web says were delivered, or confirmed with 304, in order of time.
Result<std::vector<TruthFetch>> fetches_of_log(const std::string& path, const WebTruth& truth) {
  std::ifstream file(path);
  if (!file) return error("{}: cannot be read", path);
  std::vector<TruthFetch> fetches;
  std::string line;
  while (std::getline(file, line)) {
    BB_TRY(const AccessEntry entry, parse_access_line(line));
    if (entry.page == kNoPage || (entry.status != 200 && entry.status != 304)) continue;
    if (entry.page >= truth.pages.size()) return error("{}: the graph has no page {}", path, entry.page);
    fetches.push_back({entry.page, truth.day_of(entry.start_us)});
  }
  std::sort(fetches.begin(), fetches.end(),
            [](const TruthFetch& a, const TruthFetch& b) { return a.day < b.day; });
  if (fetches.empty()) return error("{}: no page was requested", path);
  return fetches;
}

// The changes of a test Web, from the first request of a crawler on if there is one; without discovery, from
// the time on when it had fetched every page once. The report then has what it achieved.
Result<RefreshReport> judge(const RefreshCommand& command, const RefreshPlan& plan, const Setting& setting,
                            RefreshWorld& world, const Progress& progress) {
  BB_TRY(const WebTruth truth, read_truth(plan.rates.file, setting.facts.pages));
  std::vector<TruthFetch> fetches;
  if (!command.requests.empty()) {
    BB_TRY(fetches, fetches_of_log(command.requests, truth));
  }
  double start = fetches.empty() ? 0 : fetches.front().day;
  if (!command.discovery) start = all_held(truth, fetches, world);
  set_truth(truth, start, world);
  BB_TRY(RefreshReport report, run_refresh_experiment(setting, world, plan, progress));
  if (fetches.empty()) return report;
  RefreshGroup group;
  group.policy = kCrawlRow;
  group.summary = "what the requests in the access log achieved";
  group.repeats.push_back(judge_fetches(world, fetches, start, plan.run));
  group.per_day = static_cast<double>(group.repeats.front().fetches) / plan.run.days;
  report.groups.insert(report.groups.begin(), std::move(group));
  return report;
}

// The visits of a crawl by its journal, whose times are those of refreshing (--time-scale). If it knows of no
// page that was visited twice, those of the archive.
Result<std::vector<PageVisit>> visits_of(const std::string& folder) {
  BB_TRY(const std::unique_ptr<CrawlReader> crawl, CrawlReader::open(folder));
  std::vector<PageVisit> visits;
  bool again = false;
  BB_TRY_VOID(each_visit(*crawl, [&](const PageVisited& visit) {
    if (!visit.answered || visit.page >= crawl->pages() || !(visit.first || visit.comparable)) return;
    again = again || !visit.first;
    visits.push_back({visit.page, Days(visit.time.time_since_epoch()).count(), found_change(visit)});
  }));
  if (!again) return crawl_visits(folder);
  std::stable_sort(visits.begin(), visits.end(),
                   [](const PageVisit& a, const PageVisit& b) { return a.day < b.day; });
  return visits;
}

Result<RefreshReport> simulate(const RefreshCommand& command, const RefreshPlan& plan,
                               const Progress& progress) {
  LabOptions lab;
  command.importance.apply(lab_option_table(), lab);
  SettingOptions& options = lab.setting;
  options.name = graph_name(command.graph.path);
  if (options.importance == Importance::kNone) refuse("--importance none: a refresh policy needs one");
  if (!command.seeds.empty()) {
    BB_TRY(options.seeds, SeedSpec::parse(command.seeds));
  }
  options.random_seed = command.random_seed;
  options.threads = command.threads;
  GraphArgument graph = command.graph;
  graph.topic = lab.topic;
  BB_TRY_VOID(use_own_crawl(graph, options.seeds));
  BB_TRY(Web web, open_graph(graph, progress));
  BB_TRY(const Setting setting, prepare_setting(std::move(web), options, progress));
  std::vector<PageVisit> visits;
  if (plan.rates.from_crawl() && is_crawl_folder(graph.path)) {
    BB_TRY(visits, visits_of(graph.path));
    BB_TRY(const std::vector<PageId> left_out, read_requisites_only(graph.path));
    for (PageVisit& visit : visits) visit.page = graph_page(visit.page, left_out);
    std::erase_if(visits, [](const PageVisit& visit) { return visit.page == kNoPage; });
  }
  BB_TRY(RefreshWorld world, refresh_world(setting, plan.rates, command.random_seed, visits));
  if (plan.rates.kind == RateSpec::Kind::kTruth) return judge(command, plan, setting, world, progress);
  return run_refresh_experiment(setting, world, plan, progress);
}

Status run_reference_set(const RefreshCommand& command, const CommonOptions& common) {
  ReferenceOptions options;
  options.threads = command.threads;
  ProgressLine line(common.quiet);
  BB_TRY(const std::vector<ReferenceRun> runs, run_reference(options, line.progress()));
  line.clear();
  if (common.json) {
    print_json_line(reference_json(runs));
  } else {
    fmt::print("{}", reference_table(runs));
  }
  return {};
}

Status run(const RefreshCommand& command, const CLI::App& app, const CommonOptions& common) {
  if (command.graph.path == kReference) {
    for (const CLI::Option* option : app.get_options()) {
      const std::string name = option->get_name();
      if (option->count() == 0 || name == "GRAPH" || name == "--json" || name == "--quiet" ||
          name == "--threads") {
        continue;
      }
      refuse(fmt::format("{}: the reference set is fixed; only --json, --threads and --quiet apply", name));
    }
    return run_reference_set(command, common);
  }
  BB_TRY(const RefreshPlan plan, plan_of(command));
  if (!command.out.empty()) BB_TRY_VOID(make_folder(command.out));
  ProgressLine line(common.quiet);
  BB_TRY(const RefreshReport report, simulate(command, plan, line.progress()));
  line.clear();
  if (common.json) {
    print_json_line(refresh_json(report));
  } else {
    fmt::print("{}", refresh_table(report));
  }
  std::fflush(stdout);
  if (!command.out.empty()) {
    BB_TRY_VOID(write_refresh_files(command.out, report));
    BB_TRY_VOID(write_refresh_report(command.out, report, report_origin()));
    if (!common.quiet) {
      fmt::print(stderr,
                 "wrote {}/report.html (open it in a browser), figures/, table.tex, runs.csv, curves.csv and "
                 "results.json\n",
                 command.out);
    }
  }
  if (report.finished < report.planned) return error("stopped; complete runs are reported");
  return {};
}

const std::string& about() {
  static const std::string text = [] {
    std::string all =
        "Simulates keeping the pages of a graph fresh: every page changes at random times, a fixed number of "
        "pages is fetched per day, and the policy decides which. Shows the importance of the pages whose "
        "copy is up to date (freshness) and how long the other copies have been out of date (age), compared "
        "with the exact values for known change rates. It uses the queue code of the crawler.\n"
        "\n"
        "With GRAPH = reference it runs the reference set of docs/refresh.md: 1,000 pages, seven policies at "
        "three budgets, means of 20 runs.\n"
        "\n"
        "Policies, by what is fetched first (w importance, Δ changes per day, τ days since the last "
        "fetch):\n";
    for (const RefreshRule& rule : refresh_rules()) {
      all += fmt::format("  {:<14}  {}: {}\n", rule.name, rule.formula, rule.summary);
    }
    return all;
  }();
  return text;
}

CommandText refresh_text() {
  return {"predict what a refresh policy would achieve", about(),
          "# every policy, when a thirtieth of the pages is fetched per day\n"
          "bowerbird lab refresh synthetic:pages=10k\n"
          "# three budgets, five runs each, with a report page\n"
          "bowerbird lab refresh cnr-2000 --budget 1%,3%,10% --repeat 5 --out results\n"
          "# change rates by host; pages are discovered while others are refreshed\n"
          "bowerbird lab refresh cnr-2000 --rates per-host --discovery --policies index,index-age\n"
          "# the figures that an implementation must reproduce\n"
          "bowerbird lab refresh reference --json\n"};
}

void add_options(CLI::App& app, RefreshCommand& command) {
  add_graph_argument(app, command.graph);
  CLI::Option* graph = app.get_option("GRAPH");
  graph->description(graph->get_description() + "; or the word reference");
  app.add_option("-p,--policies", command.policies,
                 "Refresh policies to compare, comma-separated; all: every policy")
      ->check(parsed_by(policy_list))
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("-b,--budget", command.budget,
                 "Fetches per day, or a share of the reachable pages per day; several are compared")
      ->check(parsed_by(parse_budgets))
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--rates", command.rates,
                 "Changes per day of each page: lognormal, power or per-host (drawn), file:NAME, visits and "
                 "visits:NAME (learned from a crawl's visits or a list of them), or truth:NAME (the change "
                 "times of `web serve --truth`)")
      ->check(parsed_by(RateSpec::parse))
      ->type_name("RATES")
      ->capture_default_str();
  app.add_option("--requests", command.requests,
                 "Also measure a crawler by this --access-log of the test Web that wrote truth:NAME")
      ->type_name("FILE");
  app.add_option(
         "--use-rates", command.use_rates,
         "known: policies know the true rates; learned: they learn them from their visits; both: run both")
      ->check(one_of({"known", "learned", "both"}))
      ->type_name("WHICH")
      ->capture_default_str();
  app.add_flag("--discovery", command.discovery,
               "Start with the seeds only; finding new pages counts towards the same budget");
  app.add_flag("--dates", command.dates,
               "A changed page gives the time of its change, like a correct Last-Modified field; rates are "
               "then learned faster");
  app.add_option(
         "--min-new", command.least_new,
         "Minimum share of fetches for new pages, if there are any. Default: 0.5, but at most --max-new")
      ->check(between(0, 1))
      ->needs("--discovery")
      ->type_name("SHARE");
  app.add_option("--max-new", command.most_new, "Maximum share of fetches for new pages")
      ->check(between(0, 1))
      ->needs("--discovery")
      ->type_name("SHARE")
      ->capture_default_str();
  app.add_option("--days", command.days, "Length of each simulation")
      ->check(between(0.01, 100'000))
      ->type_name("DAYS")
      ->capture_default_str();
  app.add_option("--warm-up", command.warm_up, "Measure after this many days")
      ->check(between(0, 100'000))
      ->type_name("DAYS")
      ->capture_default_str();
  app.add_option("--min-interval", command.shortest,
                 "Minimum time between two fetches of a page; 0: no limit")
      ->check(parsed_by(parse_interval))
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--max-interval", command.longest,
                 "Fetch a page again after this time, in up to a tenth of all fetches; 0: no limit")
      ->check(parsed_by(parse_interval))
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--seeds", command.seeds,
                 "The pages that can be reached from these are kept fresh: top:K by PageRank, random:K, "
                 "ids:1,2, home, or file:NAME. Default: top:160; for a crawl folder, the seeds of the crawl")
      ->check(parsed_by(SeedSpec::parse))
      ->type_name("SEEDS");
  for (const char* name :
       {"importance", "topic", "weights", "location-suffixes", "location-strings", "location-bonus"}) {
    command.importance.add(app, *find_row(lab_option_table(), name));
  }
  app.add_option("--repeat", command.repeat,
                 "Repeat every run with N random seeds and show 95 % confidence intervals")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seed", command.random_seed, "Random seed of the first repeat")
      ->check(is_count())
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--threads", command.threads, "Number of runs at the same time. Default: all cores")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  app.add_option(
         "-o,--out", command.out,
         "Write report.html, figures (SVG and pgf), table.tex, runs.csv, curves.csv and results.json to this "
         "folder")
      ->type_name("DIR");
}

}  // namespace

void add_lab_refresh(App& app, CLI::App& lab) {
  auto command = std::make_shared<RefreshCommand>();
  auto self = std::make_shared<CLI::App*>(nullptr);
  CLI::App& added =
      app.add_command(lab, "refresh", refresh_text(),
                      [command, self](const CommonOptions& common) { return run(*command, **self, common); });
  *self = &added;
  add_options(added, *command);
}

}  // namespace bowerbird
