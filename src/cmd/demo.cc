// `bowerbird demo`: crawl, kill, resume, lab and report on a test Web.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_report.h"
#include "cmd/terminal.h"
#include "demo/race.h"
#include "graph/synthetic.h"
#include "sys/spawn.h"
#include "sys/write_file.h"

extern char** environ;

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "a demonstration in about a minute, on a test Web",
    "Creates a synthetic Web and serves it on this machine; nothing is sent to the Internet. Two crawls run "
    "at the same time, one with lipr (the default ordering) and one breadth first. Both have the same seed, "
    "budget, delay and number of connections. The demo compares the PageRank, on the whole Web, of the pages "
    "that they fetched. The better crawl continues, is killed (kill -9) and resumed. The lab then shows "
    "which ordering would have been best for this crawl, and a report page shows the crawl itself.\n"
    "\n"
    "The report is opened in a browser if there is a desktop; otherwise its path is printed.",
    "# the default, about a minute\n"
    "bowerbird demo\n"
    "# a larger Web, without a browser\n"
    "bowerbird demo --pages 100k --no-open --out demo\n"};

struct DemoCommand {
  std::string pages = "20k";
  std::string out;
  bool open = true;
};

// The given folder, or the first free bowerbird-demo, -2, -3 ...
std::string choose_folder(const std::string& asked) {
  if (!asked.empty()) return asked;
  std::string name = "bowerbird-demo";
  for (int i = 2; std::filesystem::exists(name); ++i) name = fmt::format("bowerbird-demo-{}", i);
  return name;
}

// Starts this program again, with other arguments. quiet: its output is discarded.
Result<pid_t> start_self(std::vector<std::string> args, bool quiet) {
  args.insert(args.begin(), "bowerbird");
  return spawn(kThisProgram, std::move(args), {quiet ? "/dev/null" : "", false});
}

int wait_for(pid_t pid) {
  int code = 0;
  while (::waitpid(pid, &code, 0) < 0 && errno == EINTR) {
  }
  return code;
}

std::vector<std::string> crawl_command(const CrawlOptions& options, const std::string& folder,
                                       std::uint64_t pages) {
  std::vector<std::string> args = {"crawl",
                                   "--out",
                                   folder,
                                   "--scope",
                                   "any",
                                   "--contact",
                                   options.identity.contact,
                                   "--connect-to",
                                   options.network.connect_to,
                                   "--delay",
                                   fmt::format("{}", options.politeness.delay.count()),
                                   "--delay-ip",
                                   "0",
                                   "--delay-domain",
                                   "0",
                                   "--adapt",
                                   "0",
                                   "--connections",
                                   fmt::format("{}", options.politeness.connections),
                                   "--no-traps",
                                   "--no-report",
                                   "--pages",
                                   fmt::format("{}", pages)};
  for (const std::string& net : options.network.allow_net) args.insert(args.end(), {"--allow-net", net});
  return args;
}

Status kill_and_resume(const Site& site, const Racer& racer) {
  ServerOptions options;
  options.port = 0;
  options.addresses = {"127.0.0.1"};
  BB_TRY(const auto server, serve_site(site, options));
  const std::uint64_t goal = racer.pages + std::max<std::uint64_t>(racer.pages / 2, 20);
  const auto args = crawl_command(race_crawl_options("", server->addresses().front()), racer.folder, goal);
  BB_TRY(const pid_t pid, start_self(args, true));
  std::uint64_t safe = racer.pages;
  for (int i = 0; i < 100 && safe < racer.pages + (goal - racer.pages) / 3 && !interrupted(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    BB_TRY(safe, pages_fetched(racer.folder));
  }
  ::kill(pid, SIGKILL);
  wait_for(pid);
  BB_TRY(safe, pages_fetched(racer.folder));
  fmt::print("  killed; {} pages are committed. Running the same command again ...\n", format_count(safe));
  BB_TRY(const pid_t again, start_self(args, true));
  if (wait_for(again) != 0) return error("the crawl in {} could not be resumed", racer.folder);
  BB_TRY(const std::uint64_t pages, pages_fetched(racer.folder));
  BB_TRY(const std::uint64_t records, pages_stored_once(racer.folder));
  fmt::print("  {} pages; {} responses in the archive, each once\n", format_count(pages),
             format_count(records));
  return {};
}

Status ask_lab(const Racer& racer, const std::string& out) {
  BB_TRY(const pid_t pid, start_self({"lab", racer.folder, "--policies", "bfs,backlink,opic,fpr@100,lipr",
                                      "--out", out, "--quiet"},
                                     false));
  if (wait_for(pid) != 0) return error("the lab failed");
  return {};
}

std::string bar(double share, std::size_t width) {
  const auto full =
      static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < full ? "█" : "·";
  return text;
}

class RaceDisplay {
 public:
  explicit RaceDisplay(bool quiet) : quiet_(quiet) {}

  void show(const std::vector<Racer>& racers) {
    if (quiet_) return;
    if (drawn_ > 0) fmt::print(stderr, "\x1b[{}A\x1b[J", drawn_);
    double best = 0;
    for (const Racer& racer : racers) best = std::max(best, racer.importance);
    for (const Racer& racer : racers) {
      const std::string share = fmt::format("{:5.1f} %", 100 * racer.importance);
      fmt::print(stderr, "  {:<10} {} {} of the importance, {} pages, {:.0f} pages/s\n", racer.policy,
                 bar(racer.importance, 30),
                 racer.importance == best ? bold(share, colour_on_stderr()) : share,
                 format_count(racer.pages), racer.pages_per_second);
    }
    drawn_ = static_cast<int>(racers.size());
  }

 private:
  bool quiet_;
  int drawn_ = 0;
};

bool has_desktop() {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return stdout_is_terminal() && (set("DISPLAY") || set("WAYLAND_DISPLAY"));
}

Status demo(const DemoCommand& command, const CommonOptions& common) {
  SyntheticOptions made;
  BB_TRY(made.pages, parse_count(command.pages));
  if (made.pages < 200 || made.pages > 1'000'000) refuse("--pages must be between 200 and 1M");
  const std::string out = choose_folder(command.out);
  BB_TRY_VOID(make_folder(out));
  std::error_code failure;
  if (!std::filesystem::is_empty(out, failure))
    refuse(fmt::format("{}: this folder is not empty; choose another with --out", out));

  const bool colour = colour_on_stdout();
  const Web web = make_synthetic(made);
  SiteOptions kind;
  kind.latency_ms = 30;
  kind.page_faults = {{Fault::kNotFound, 0.02, 0}, {Fault::kUnavailable, 0.01, 1}};
  kind.files.disallow = 0.1;
  kind.codings = accepted_codings("gzip");
  BB_TRY(const auto site, Site::make(web, kind));
  BB_TRY(const PageId seed, choose_seed(web));
  fmt::print("{} {} pages on {} hosts, served on this machine only\n", bold("Test Web:", colour),
             format_count(site->pages()), format_count(site->addresses().hosts()));

  RaceOptions race;
  race.policies = {"lipr", "bfs"};
  race.out = out;
  race.pages = made.pages / 5;
  RaceDisplay display(common.quiet || !stderr_is_terminal());
  race.watch = [&](const std::vector<Racer>& racers) {
    display.show(racers);
    return !interrupted();
  };
  fmt::print("{} {} pages each; which crawl gets the more important ones?\n", bold("The race:", colour),
             format_count(race.pages));
  BB_TRY(const auto racers, run_race(web, *site, seed, race));
  const auto winner = std::max_element(racers.begin(), racers.end(), [](const Racer& a, const Racer& b) {
    return a.importance < b.importance;
  });
  for (const Racer& racer : racers) {
    fmt::print("  {} fetched {} pages with {:.1f} % of the importance of that Web\n", racer.policy,
               format_count(racer.pages), 100 * racer.importance);
  }
  if (interrupted()) return error("stopped; the crawls are in {}", out);

  fmt::print("{} the crawl in {} continues and is killed\n", bold("kill -9:", colour), winner->folder);
  BB_TRY_VOID(kill_and_resume(*site, *winner));
  fmt::print("{} which ordering would have been best for this crawl? (bowerbird lab {})\n",
             bold("The lab:", colour), winner->folder);
  BB_TRY_VOID(ask_lab(*winner, out + "/lab"));
  for (const Racer& racer : racers) BB_TRY_VOID(report_finished_crawl(racer.folder, 0, true));
  const std::string page = std::filesystem::absolute(winner->folder + "/report.html").string();
  fmt::print("{} {}\n", bold("The report:", colour), page);
  fmt::print("  See also: bowerbird status|urls|why|warc ls {}; the lab's report is {}/lab/report.html\n",
             winner->folder, out);
  // Whether a browser opened is visible; errors are ignored.
  if (command.open && has_desktop()) static_cast<void>(spawn("xdg-open", {"xdg-open", page}));
  return {};
}

}  // namespace

void add_demo(App& app) {
  auto command = std::make_shared<DemoCommand>();
  CLI::App& added = app.add_command(
      app.root(), "demo", kText, [command](const CommonOptions& common) { return demo(*command, common); },
      false);
  added.add_option("--pages", command->pages, "Size of the Web")
      ->type_name("N")
      ->check(is_count())
      ->capture_default_str();
  added
      .add_option("-o,--out", command->out,
                  "Folder for crawls and reports. Default: bowerbird-demo, or the next free name")
      ->type_name("DIR");
  added.add_flag("--open,!--no-open", command->open,
                 "Open the report in a browser. Default: if there is a desktop");
}

}  // namespace bowerbird
