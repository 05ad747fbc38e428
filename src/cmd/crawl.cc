// `bowerbird crawl`: crawl the Web.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_display.h"
#include "cmd/crawl_options.h"
#include "cmd/crawl_report.h"
#include "cmd/terminal.h"
#include "crawl/crawl_setup.h"
#include "crawl/crawler.h"
#include "crawl/policy_choice.h"
#include "crawl/seeds.h"
#include "fleet/join.h"
#include "sys/file.h"
#include "sys/memory.h"
#include "url/url.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "crawl the Web, the most important pages first",
    "Fetches pages, beginning with the SEEDs, in the order that --policy says, and puts everything into one "
    "folder: WARC archives, an index, the link graph, a log. `bowerbird lab DIR` then replays the crawl "
    "under "
    "every ordering.\n\n"
    "Polite. robots.txt is obeyed, always; so are meta robots, X-Robots-Tag and nofollow. One host is asked "
    "for one page at a time, with a delay that grows where it answers slowly; hosts that share an address or "
    "a "
    "registrable domain share a gate too. Crawl-delay, 429, 503 and Retry-After are heeded. No host waits "
    "because of another. Private networks are never connected to unless --allow-net names them.\n\n"
    "Safe. The folder is committed every second. After Ctrl-C, a crash or a power cut the same command goes "
    "on where the last commit was; no page is stored twice. Ctrl-C once lets what is under way end, twice "
    "ends at once; both can be resumed. Budgets, delays and scope may be changed then, and seeds added; what "
    "the crawl's state depends on (policy, strategy, seed, archive format) may not.\n\n"
    "Every option can stand in a file of TOML given by --config, by its name without the dashes; seeds as "
    "`seeds = [\"...\"]`. What the command line says goes on top. Switches are turned off by --no-NAME, or "
    "NAME = false.",
    "# a thousand pages of one site\n"
    "bowerbird crawl https://example.org/ --pages 1000 --contact you@example.org --out mycrawl\n"
    "# go on with it, for two more hours\n"
    "bowerbird crawl --out mycrawl --contact you@example.org --pages 0 --time 2h\n"
    "# a whole domain, breadth first, without its shop\n"
    "bowerbird crawl example.org --scope domain --policy bfs --exclude /shop/ --contact you@example.org\n"
    "# pages about roses first\n"
    "bowerbird crawl example.org --scope any --topic \"rose garden\" --pages 10k --contact you@example.org\n"
    "# an in-vitro Web (bowerbird web serve), as fast as it goes\n"
    "bowerbird crawl http://host-0.test/page-0 --scope any --connect-to 127.0.0.1:8080 --allow-net "
    "127.0.0.0/8 "
    "--delay 0 --contact you@example.org\n"};

std::string default_folder(const CrawlOptions& options) {
  const auto seeds = gather_seeds(options);
  if (!seeds.ok() || seeds->empty()) return {};
  Url url;
  if (parse_url(seeds->front().url, nullptr, url) != UrlFault::kNone) return {};
  return std::string(url.hostname()) + ".crawl";
}

// Options file, then what an existing crawl was begun with, then the command line.
Result<CrawlOptions> read_options(const CrawlCommand& command) {
  CrawlOptions options;
  if (!command.config.empty()) {
    BB_TRY(const auto file, MappedFile::open(command.config));
    BB_TRY_VOID(read_crawl_options(file->text(), command.config, options));
  }
  CrawlOptions first = options;
  BB_TRY_VOID(apply_command_line(command, first));
  const std::string folder = first.out.empty() ? default_folder(first) : first.out;
  if (folder.empty())
    refuse("no seeds: name at least one URL to begin with, or a folder to go on with (--out)");
  if (CrawlStore::holds_crawl(folder)) {
    BB_TRY(const auto reader, CrawlReader::open(folder));
    BB_TRY_VOID(adopt_fixed(reader->about(), options));
    BB_TRY_VOID(apply_command_line(command, options));
  } else {
    options = std::move(first);
  }
  options.out = folder;
  settle_share(options);
  return options;
}

Status show_plan(const CrawlOptions& options, const CommonOptions& common) {
  BB_TRY(const auto seeds, gather_seeds(options));
  const bool there = CrawlStore::holds_crawl(options.out);
  const PolicyChoice choice = choose_policy(options, available_memory());
  if (common.json) {
    nlohmann::json urls = nlohmann::json::array();
    for (const CrawlSeed& seed : seeds) urls.push_back(seed.url);
    print_json_line(nlohmann::json({{"out", options.out},
                                    {"resume", there},
                                    {"seeds", std::move(urls)},
                                    {"policy", choice.policy},
                                    {"scope", options.scope.mode},
                                    {"user_agent", user_agent_of(options)}})
                        .dump());
    return {};
  }
  fmt::print("{} {}\n", there ? "would go on with the crawl in" : "would begin a crawl in",
             printable(options.out));
  fmt::print("order         {}{}{} ({} links enter)\n", choice.policy, choice.why.empty() ? "" : "; ",
             choice.why, options.strategy);
  fmt::print("scope         {}\n", options.scope.mode);
  fmt::print("user agent    {}\n", printable(user_agent_of(options)));
  fmt::print("delay         {} s for a host, {} s for an address, {} s for a domain\n", options.delay_s,
             options.delay_ip_s, options.delay_domain_s);
  fmt::print("budget        {} pages, {}, {}\n", options.pages == 0 ? "all" : format_count(options.pages),
             options.bytes == 0 ? "any number of bytes" : format_bytes(options.bytes),
             options.time_s == 0 ? "any time" : fmt::format("{} s", options.time_s));
  fmt::print("seeds         {}\n", format_count(seeds.size()));
  for (std::size_t i = 0; i < std::min<std::size_t>(seeds.size(), 10); ++i) {
    fmt::print("  {}{}\n", printable(seeds[i].url), seeds[i].sitemap ? "  (sitemap)" : "");
  }
  return {};
}

Status crawl(const CrawlCommand& command, const CommonOptions& common) {
  BB_TRY(const CrawlOptions options, read_options(command));
  if (const Status good = check_crawl_options(options); !good.ok()) refuse(good.error().text);
  if (command.dry_run) return show_plan(options, common);
  std::unique_ptr<Exchange> exchange;
  if (options.share.mode == "exchange") {
    BB_TRY(exchange, join_fleet(options));
  }
  BB_TRY(auto crawler, Crawler::open(options, nullptr, std::move(exchange)));
  CrawlDisplay display(common.quiet || common.json, options.out);
  display.begin(crawler->resumed(), crawler->status());
  const auto end = crawler->run([&](const CrawlStatus& status) {
    display.show(status);
    return interrupted() ? CrawlWish::kStop : CrawlWish::kGoOn;
  });
  display.clear();
  if (!end.ok()) {
    return error("{}\nWhat was committed is safe; the same command goes on from there.", end.error().text);
  }
  const CrawlStatus last = crawler->status();
  BB_TRY_VOID(crawler->close());
  crawler.reset();  // the report needs the memory
  bool reported = false;
  if (command.report) {
    const Status report = report_finished_crawl(options.out, common.quiet || common.json);
    reported = report.ok();
    if (!reported)
      warn(fmt::format("the crawl is safe, but there is no report of it: {}", report.error().text));
  }
  if (common.json) {
    print_json_line(status_json(last, *end));
  } else if (!common.quiet) {
    display.finish(last, *end, reported);
  }
  return {};
}

}  // namespace

void add_crawl(App& app) {
  auto command = std::make_shared<CrawlCommand>();
  CLI::App& crawl_app = app.add_command(
      app.root(), "crawl", kText, [command](const CommonOptions& common) { return crawl(*command, common); });
  add_crawl_options(crawl_app, *command);
  crawl_app.add_flag("--dry-run", command->dry_run, "Say what would be done, and do nothing");
  crawl_app.add_flag("--report,!--no-report", command->report,
                     "Write report.html and report.json into the folder at the end (on unless switched off)");
}

}  // namespace bowerbird
