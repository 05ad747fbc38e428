// `bowerbird fleet`: several processes that share a crawl.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_display.h"
#include "cmd/crawl_end.h"
#include "cmd/crawl_options.h"
#include "cmd/fleet_live.h"
#include "cmd/fleet_status.h"
#include "cmd/help.h"
#include "cmd/terminal.h"
#include "crawl/config/secret_text.h"
#include "fleet/join.h"
#include "fleet/launcher.h"
#include "fleet/merge.h"
#include "fleet/merge_sources.h"
#include "fleet/recover.h"
#include "store/crawl_reader.h"
#include "sys/core_dumps.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr CommandText kStartText = {
    "start a crawl with several processes on this machine",
    "Starts --procs processes of `bowerbird crawl`, each with its own folder (DIR/p0, DIR/p1 ...). In "
    "exchange mode it also starts a NATS server on the loopback interface, unless --fleet names one. All "
    "options of `bowerbird crawl` apply to every process. Budgets (--pages, --bytes, --time) apply to all "
    "processes together in exchange mode, otherwise to each process. If there are at least as many processes "
    "as cores, --parsers and --network-threads are 0 by default. Ctrl-C stops all processes; "
    "`bowerbird fleet resume DIR` resumes them.\n"
    "\n"
    "Another process on this machine joins with\n"
    "  bowerbird crawl SEED... --fleet @DIR/server --member NAME --out NEWDIR\n"
    "and the same options. On another machine, use the --fleet value of your NATS server.",
    "# four processes that exchange links\nbowerbird fleet start https://example.org/ --scope domain --procs "
    "4 --out big --contact you@example.org\n# show the progress\nbowerbird fleet status big\n# merge all "
    "folders at the end\nbowerbird fleet merge big --into merged\n"};
constexpr CommandText kResumeText = {
    "resume a fleet",
    "Starts the fleet of DIR again, with the options of its last run. Options that you give override these "
    "and are remembered. Options on which all processes must agree (ordering, scope, partitions) cannot "
    "change. If DIR is a server, its processes were started one by one; after this command you can start "
    "them again.",
    "# after Ctrl-C, fleet stop or a power cut\nbowerbird fleet resume big\n# after the budget was reached: "
    "a million pages in total, at most one more hour\nbowerbird fleet resume big --pages 1M --time 1h\n"};
constexpr CommandText kStatusText = {
    "show the progress of a fleet",
    "Shows totals, and for each process its pages, rate, partitions, and URLs sent and received. If the "
    "fleet is not running, it shows the last commits in the folders. --check reads all URLs and links of the "
    "folders, and counts pages that were fetched by two processes and URLs that were found but never "
    "fetched. A fleet does this check when it ends, unless it is very large.",
    "# from a second terminal\nbowerbird fleet status big\n# processes that were started one by "
    "one\nbowerbird fleet status nats://host:4222\n# the owner of each partition\nbowerbird fleet status big "
    "--owners\n"};
constexpr CommandText kStopText = {
    "stop a fleet", "Every process commits its work and exits. `bowerbird fleet resume` starts them again.",
    "# from any terminal\nbowerbird fleet stop big\n"};
constexpr CommandText kLeaveText = {
    "remove a process from a running fleet",
    "Moves the partitions of PROCESS to the other processes, with the complete state of their pages; then "
    "the process exits. The pages that it stored stay in its folder, for `fleet merge`. If the process is "
    "stopped, the other processes take it over now; they do not wait until it returns (--restart-within).",
    "# before that machine is switched off\nbowerbird fleet leave big p3\n"};
constexpr CommandText kRecoverText = {
    "restore a fleet whose NATS server has lost its data",
    "Creates the data of the fleet on the server again, from the folders of its processes. The folders of "
    "all processes are needed, and none of the processes may be running. Nothing that was committed is lost. "
    "DIR is the folder of a fleet; give the folders of processes on other machines, too. For processes that "
    "were started one by one, give their folders and --fleet.",
    "# the data of the server (big/nats) is gone\nbowerbird fleet recover big\nbowerbird fleet resume big\n# "
    "processes that were started one by one\nbowerbird fleet recover a1 a2 --fleet nats://host:4222\n"};
constexpr CommandText kMergeText = {
    "merge the folders of a fleet into one crawl folder",
    "Writes a crawl folder that has every URL and every page once, with archive, index, link graph and log "
    "as if one process had crawled. DIR is the folder of a fleet, or several crawl folders.",
    "# the whole fleet\nbowerbird fleet merge big --into merged\n# folders from several machines\nbowerbird "
    "fleet merge a/p0 b/p1 --into merged\n"};

void say(const CommonOptions& common, std::string_view text) {
  if (!common.quiet) fmt::print("{}\n", text);
}

// What may change when a fleet is resumed.
bool may_change(const CrawlOptionRow& row) {
  if (row.name.starts_with("listen")) return true;
  return !row.is(kFixed) && !row.is(kAgreed) && !row.is(kLauncher) && !row.is(kStartOnly);
}

// Fleets refuse these options, so they are not among the common ones.
void hide_refreshing(CLI::App& app) {
  for (const char* name : {"--refresh", "--forever"}) set_group(*app.get_option(name), "Refreshing", false);
}

Status watch(const std::string& folder, const FleetSetup& setup, const CrawlOptions::Listen& listen,
             const CommonOptions& common) {
  BB_TRY(const auto launcher, FleetLauncher::start(folder, setup));
  BB_TRY(const auto live, FleetLive::start(folder, setup, listen));
  if (live && !common.quiet) fmt::print(stderr, "live page: {}\n", live->url());
  catch_interrupts();
  bool stopping = false;
  {
    ProgressLine line(common.quiet || common.json);
    std::map<std::string, std::uint64_t> pages;
    while (launcher->running() > 0 || launcher->guests() > 0) {
      if (interrupted() && !stopping) {
        stopping = true;
        BB_TRY_VOID(launcher->stop());
      }
      if (const auto view = launcher->look()) {
        line.show(line_of(*view, pages));
        if (live) live->show(*view);
      }
      for (const std::string& warning : launcher->take_warnings()) {
        line.clear();
        fmt::print(stderr, "bowerbird: {}\n", printable(warning));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }
  BB_TRY(const FleetEnd end, launcher->finish(stopping));
  const FolderSums& sums = end.sums;
  FinishedCrawl finished;
  if (end.stopped) finished.end = CrawlEnd::kStopped;
  finished.counts = sums.counts;
  finished.is_part = !end.elsewhere.empty();
  if (common.json) {
    nlohmann::json json = {{"pages", sums.counts.pages},         {"bytes", sums.counts.bytes},
                           {"completed", sums.counts.completed}, {"folders", sums.folders},
                           {"failed", launcher->failed()},       {"end", end.reason}};
    if (end.check) json["check"] = to_json(*end.check);
    if (!end.elsewhere.empty()) json["elsewhere"] = end.elsewhere;
    print_json_line(json.dump());
  } else if (!common.quiet) {
    fmt::print("{} ({}) in {} of {}{}{}\n", plural(sums.counts.pages, "page"),
               format_bytes(sums.counts.bytes), plural(sums.folders, "folder"), printable(folder),
               end.reason.empty() ? "" : ": ", end.reason);
    if (end.check) fmt::print("{}\n", text_of(*end.check, setup.exchanges()));
    print_elsewhere(end.elsewhere);
    if (!has_failed(finished)) show_failed_seeds(sums.counts);
  }
  if (!launcher->failed().empty()) return error("{}", launcher->failure());
  return result_of(finished);
}

Status start(const CrawlCommand& command, const CommonOptions& common) {
  CrawlOptions options;
  BB_TRY_VOID(read_given(command, options));
  if (options.out.empty()) refuse("--out DIR is required: the folder of the fleet");
  if (command.flags.is_given("procs") && options.parallel.procs == 0) refuse("--procs must be at least 1");
  if (holds_fleet(options.out)) {
    refuse(
        fmt::format("{0}: this folder already contains a fleet; resume it with `bowerbird fleet resume {0}`",
                    options.out));
  }
  if (CrawlReader::holds_crawl(options.out)) {
    refuse(fmt::format("{}: this folder contains a crawl; choose another --out for the fleet", options.out));
  }
  const FleetSetup setup =
      FleetSetup::make(options, command_words(command), std::thread::hardware_concurrency());
  options.parallel.procs = setup.procs;
  options.parallel.mode = setup.mode;
  options.parallel.member = "p0";
  if (setup.exchanges() && options.fleet.url.empty()) options.fleet.url = "ours";
  if (const Status good = check_crawl_options(options); !good.ok()) refuse(good.error().text);
  if (const Status good = check_listen(options.listen); !good.ok()) refuse(good.error().text);
  if (has_secrets(options)) forbid_core_dumps();
  BB_TRY(const std::vector<CrawlSeed> seeds, given_seeds(options));
  if (seeds.empty()) refuse("no seeds: give at least one URL, --seed-file or --sitemap");
  BB_TRY_VOID(check_name_free(setup));
  BB_TRY_VOID(make_folder(options.out));
  BB_TRY_VOID(setup.save(options.out));
  return watch(options.out, setup, options.listen, common);
}

Status resume(const std::string& folder, const CrawlCommand& command, const CommonOptions& common) {
  BB_TRY(FleetSetup setup, FleetSetup::load(folder));
  CrawlOptions checked;
  command.flags.apply(crawl_option_table(), checked);
  if (const Status good = check_listen(checked.listen); !good.ok()) refuse(good.error().text);
  const std::vector<std::string> said = command_words(command);
  if (!said.empty() && fleet_runner(folder) > 0)
    return error("{}: the fleet is running; stop it first", folder);
  setup.change(said);
  const CrawlCounts counts = sum_folders(folder).counts;
  if (const std::string why = setup.used_up(counts); !why.empty()) {
    if (common.json) {
      print_json_line(nlohmann::json({{"pages", counts.pages}, {"end", why}}).dump());
    } else {
      say(common, why);
    }
    return {};
  }
  if (!said.empty()) BB_TRY_VOID(setup.save(folder));
  return watch(folder, setup, checked.listen, common);
}

Result<std::unique_ptr<FleetAdmin>> admin_of(const std::string& where, const std::string& fleet_name) {
  BB_TRY(const FleetSetup setup, FleetSetup::of(where, fleet_name));
  BB_TRY(const std::string url, fleet_url(where, setup));
  return FleetAdmin::open(url, setup.fleet);
}

Status recover(const std::vector<std::string>& where, const FleetSetup& given, const CommonOptions& common) {
  FleetSetup setup = given;
  if (holds_fleet(where.front())) {
    if (!given.url.empty()) refuse("--fleet is for folders of processes that were started one by one");
    BB_TRY(setup, FleetSetup::load(where.front()));
  } else if (given.url.empty()) {
    refuse(fmt::format("{}: this folder contains no fleet; give --fleet nats://HOST:PORT", where.front()));
  }
  BB_TRY(const RecoveredFleet fleet, recover_fleet(where.front(), {where.begin() + 1, where.end()}, setup));
  if (common.json) {
    print_json_line(nlohmann::json({{"processes", fleet.records.size()},
                                    {"partitions", fleet.plan.owners.size()},
                                    {"fresh", fleet.fresh.size()}})
                        .dump());
    return {};
  }
  say(common, fmt::format("{} of {} recovered; the processes can be started again",
                          plural(fleet.plan.owners.size(), "partition"),
                          plural(fleet.records.size(), "process", "processes")));
  return {};
}

Status merge(const std::vector<std::string>& from, const std::string& into, const CommonOptions& common) {
  BB_TRY(const std::vector<std::string> folders, merge_sources(from, into));
  ProgressLine line(common.quiet || common.json);
  BB_TRY(const MergeCounts counts, merge_crawls(folders, into, line.progress()));
  line.clear();
  if (common.json) {
    print_json_line(nlohmann::json({{"folders", counts.folders},
                                    {"urls", counts.urls},
                                    {"pages", counts.pages},
                                    {"stored", counts.stored},
                                    {"repeats", counts.repeats}})
                        .dump());
  } else if (!common.quiet) {
    fmt::print("{}: {} of {}, {}, {}; {}\n", printable(into), plural(counts.pages, "page"),
               plural(counts.folders, "folder"), plural(counts.stored, "response"),
               plural(counts.urls, "URL"),
               counts.repeats == 0 ? "no duplicates" : plural(counts.repeats, "duplicate") + " omitted");
  }
  return {};
}

// The value of an argument that may be a secret.
std::string from_file(const std::string& given) {
  auto text = secret_text(given);
  if (!text.ok()) refuse(text.error().text);
  return std::move(*text);
}

}  // namespace

void add_fleet(App& app, CLI::App& fleet) {
  auto command = std::make_shared<CrawlCommand>();
  CLI::App& start_app = app.add_command(
      fleet, "start", kStartText, [command](const CommonOptions& common) { return start(*command, common); });
  add_crawl_options(start_app, *command);
  start_app.get_option("--out")->description("The folder of the fleet. Required");
  CLI::Option* const procs = start_app.get_option("--procs");
  procs->description("Number of processes to start")->default_str(fmt::format("{}", FleetSetup().procs));
  set_group(*procs, "Fleet", true);
  hide_refreshing(start_app);

  auto folder = std::make_shared<std::string>();
  auto fleet_name = std::make_shared<std::string>(FleetSetup().fleet);
  const auto with_fleet = [folder, fleet_name](CLI::App& one) {
    one.add_option("DIR", *folder,
                   "Folder of the fleet, or its server (nats://HOST:PORT, or @FILE that contains it)")
        ->required()
        ->transform(from_file);
    one.add_option("--fleet-name", *fleet_name, "Name of the fleet on that server")->type_name("NAME");
  };
  auto changes = std::make_shared<CrawlCommand>();
  CLI::App& resume_app = app.add_command(
      fleet, "resume", kResumeText, [folder, fleet_name, changes](const CommonOptions& common) -> Status {
        BB_TRY(const FleetSetup setup, FleetSetup::of(*folder, *fleet_name));
        if (setup.url != *folder) return resume(*folder, *changes, common);
        if (!command_words(*changes).empty()) {
          refuse(
              "options cannot be given here: these processes were started one by one, so give the options to "
              "each of them");
        }
        BB_TRY(const auto admin, admin_of(*folder, *fleet_name));
        BB_TRY_VOID(admin->set_stop(false));
        say(common, "the processes of this fleet can be started again");
        return {};
      });
  with_fleet(resume_app);
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (may_change(row)) changes->flags.add(resume_app, row, "as in the last run");
  }
  hide_refreshing(resume_app);
  auto questions = std::make_shared<FleetQuestions>();
  CLI::App& status_app = app.add_command(fleet, "status", kStatusText,
                                         [folder, fleet_name, questions](const CommonOptions& common) {
                                           return show_fleet(*folder, *fleet_name, *questions, common);
                                         });
  with_fleet(status_app);
  status_app.add_flag("--owners", questions->owners, "Also show the owner of each partition");
  status_app.add_flag("--check", questions->check,
                      "Count pages that were fetched twice and URLs that were found but never fetched");
  with_fleet(app.add_command(
      fleet, "stop", kStopText,
      [folder, fleet_name](const CommonOptions& common) -> Status {
        BB_TRY(const FleetSetup setup, FleetSetup::of(*folder, *fleet_name));
        BB_TRY_VOID(stop_fleet(*folder, setup, kStopSignal));
        say(common, "stopping: each process commits its work and exits");
        return {};
      },
      false));
  auto member = std::make_shared<std::string>();
  auto cancel = std::make_shared<bool>(false);
  CLI::App& leave_app = app.add_command(
      fleet, "leave", kLeaveText,
      [folder, fleet_name, member, cancel](const CommonOptions& common) -> Status {
        BB_TRY(const auto admin, admin_of(*folder, *fleet_name));
        if (*cancel) {
          BB_TRY_VOID(admin->stay(*member));
          say(common, fmt::format("{} stays", printable(*member)));
          return {};
        }
        BB_TRY_VOID(admin->leave(*member));
        say(common,
            fmt::format("{0} is leaving; `bowerbird fleet status {1}` shows the transfer of its partitions",
                        printable(*member), printable(shown_place(*folder))));
        return {};
      },
      false);
  with_fleet(leave_app);
  leave_app.add_flag("--cancel", *cancel, "Cancel a leave that has not ended");
  leave_app.add_option("PROCESS", *member, "Name of the process")->required();

  auto folders = std::make_shared<std::vector<std::string>>();
  auto given = std::make_shared<FleetSetup>();
  CLI::App& recover_app = app.add_command(
      fleet, "recover", kRecoverText,
      [folders, given](const CommonOptions& common) { return recover(*folders, *given, common); });
  recover_app.add_option("DIR", *folders, "Folder of a fleet, or crawl folders")->required();
  recover_app.add_option("--fleet", given->url, "NATS server of the processes")
      ->type_name("URL")
      ->transform(from_file);
  recover_app.add_option("--fleet-name", given->fleet, "Name of the fleet on that server")->type_name("NAME");

  auto from = std::make_shared<std::vector<std::string>>();
  auto into = std::make_shared<std::string>();
  CLI::App& merge_app =
      app.add_command(fleet, "merge", kMergeText,
                      [from, into](const CommonOptions& common) { return merge(*from, *into, common); });
  merge_app.add_option("DIR", *from, "Folder of a fleet, or crawl folders")->required();
  merge_app.add_option("--into", *into, "The new folder")->type_name("DIR")->required();
}

}  // namespace bowerbird
