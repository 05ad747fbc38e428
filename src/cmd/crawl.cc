// `bowerbird crawl`: crawl the Web.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_display.h"
#include "cmd/crawl_end.h"
#include "cmd/crawl_options.h"
#include "cmd/crawl_report.h"
#include "cmd/terminal.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/policy_choice.h"
#include "crawl/config/seeds.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/resumable.h"
#include "crawl/loop/crawler.h"
#include "fleet/join.h"
#include "fleet/launcher.h"
#include "sys/memory.h"

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
    "ends at once; both can be resumed. The folder remembers its options (options.toml): `crawl --out DIR` "
    "alone goes on as before. Budgets, delays and scope may be changed then, and seeds added: links that "
    "were left out and belong to the crawl now come in, queued pages that do not belong to it any more are "
    "left out. What the crawl's state depends on (policy, strategy, seed, archive format) may not change."
    "\n\n"
    "Every option can stand in a file of TOML given by --config, by its name without the dashes; seeds as "
    "`seeds = [\"...\"]`. What the command line says of an option stands instead of what the file does. "
    "Switches are turned off by --no-NAME, or "
    "NAME = false.",
    "# a thousand pages of one site\n"
    "bowerbird crawl https://example.org/ --pages 1000 --contact you@example.org --out mycrawl\n"
    "# go on with it, for two more hours\n"
    "bowerbird crawl --out mycrawl --pages 0 --time 2h\n"
    "# a whole domain, breadth first, without its shop\n"
    "bowerbird crawl example.org --scope domain --policy bfs --exclude /shop/ --contact you@example.org\n"
    "# pages about roses first\n"
    "bowerbird crawl example.org --scope any --topic \"rose garden\" --pages 10k --contact you@example.org\n"
    "# an in-vitro Web (bowerbird web serve synthetic:pages=100k), as fast as it goes\n"
    "bowerbird crawl http://www.lafido.com/ --scope any --connect-to 127.0.0.1:8080 --allow-net "
    "127.0.0.0/8 "
    "--delay 0 --contact you@example.org\n"};

// Two crawls of one host have the same default folder.
Status refuse_other_seeds(const std::string& folder, const std::vector<CrawlSeed>& given) {
  BB_TRY(const std::vector<CrawlSeed> seeds, read_crawl_seeds(folder));
  if (seeds.empty() || has_seeds(seeds, given)) return {};
  refuse(fmt::format(
      "{0}: this folder, the default for these seeds, holds a crawl with other seeds ({1}{2}). Give another "
      "folder with --out DIR, or add the seeds to that crawl with --out {0}",
      folder, seeds.front().url, seeds.size() > 1 ? ", ..." : ""));
}

// The folder to crawl into. A crawl that is there is resumed.
Result<std::string> find_folder(const CrawlOptions& options) {
  const std::vector<CrawlSeed> seeds = given_seeds(options);
  if (seeds.empty() && options.out.empty())
    refuse("no seeds: give at least one URL, or the folder of a crawl to resume (--out)");
  const std::string folder = options.out.empty() ? default_folder(seeds.front()) : options.out;
  if (!CrawlStore::holds_crawl(folder)) {
    if (seeds.empty())
      refuse(fmt::format("{}: there is no crawl to resume, and no seeds were given", folder));
  } else if (options.out.empty()) {
    BB_TRY_VOID(refuse_other_seeds(folder, seeds));
  }
  return folder;
}

struct EffectiveOptions {
  CrawlOptions options;
  OptionOrigins origins;
};

// The options of the last run in the folder, then those given now.
Result<EffectiveOptions> read_options(const CrawlCommand& command) {
  EffectiveOptions made;
  BB_TRY(const std::vector<std::string> in_file, read_given(command, made.options));
  BB_TRY(const std::string folder, find_folder(made.options));
  if (CrawlStore::holds_crawl(folder)) {
    made.options = {};
    BB_TRY(made.origins, read_last_options(folder, made.options));
    BB_TRY_VOID(read_given(command, made.options));
  }
  for (const std::string& name : in_file) made.origins[name] = command.config;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (command.flags.is_given(row.name)) made.origins[std::string(row.name)] = "command line";
  }
  made.options.out = folder;
  complete_fleet_options(made.options);
  return made;
}

nlohmann::json options_json(const CrawlOptions& options) {
  nlohmann::json json;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const std::vector<std::string> values = row.shown(options);
    nlohmann::json& value = json[std::string(row.name)];
    if (row.is(kMany)) {
      value = values;
    } else if (row.is_switch()) {
      value = values.front() == "true";
    } else {
      value = values.empty() ? "" : values.front();
    }
  }
  return json;
}

void print_options(const EffectiveOptions& effective) {
  std::string_view group;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.group != group) fmt::print("\n{}\n", bold(row.group, colour_on_stdout()));
    group = row.group;
    const auto origin = effective.origins.find(row.name);
    fmt::print("  {:<22}{}  ({})\n", row.name,
               printable(fmt::format("{}", fmt::join(row.shown(effective.options), ", "))),
               origin == effective.origins.end() ? "default" : printable(origin->second));
  }
}

Status show_plan(const EffectiveOptions& effective, const CommonOptions& common) {
  const CrawlOptions& options = effective.options;
  const std::vector<CrawlSeed> seeds = given_seeds(options);
  const bool there = CrawlStore::holds_crawl(options.out);
  const PolicyChoice choice = choose_policy(options, available_memory());
  if (common.json) {
    nlohmann::json urls = nlohmann::json::array();
    for (const CrawlSeed& seed : seeds) urls.push_back(seed.url);
    print_json_line(nlohmann::json({{"out", options.out},
                                    {"resume", there},
                                    {"seeds", std::move(urls)},
                                    {"policy", choice.policy},
                                    {"user_agent", user_agent_of(options)},
                                    {"options", options_json(options)},
                                    {"origins", effective.origins}})
                        .dump());
    return {};
  }
  fmt::print("would {} in {}\n", there ? "resume the crawl" : "start a crawl", printable(options.out));
  fmt::print("order: {}{}{}\n", choice.policy, choice.why.empty() ? "" : "; ", choice.why);
  fmt::print("user agent: {}\n", printable(user_agent_of(options)));
  fmt::print("seeds: {}\n", format_count(seeds.size()));
  for (std::size_t i = 0; i < std::min<std::size_t>(seeds.size(), 10); ++i) {
    fmt::print("  {}{}\n", printable(seeds[i].url), seeds[i].sitemap ? "  (sitemap)" : "");
  }
  print_options(effective);
  return {};
}

Status crawl(const CrawlCommand& command, const CommonOptions& common) {
  BB_TRY(EffectiveOptions effective, read_options(command));
  CrawlOptions& options = effective.options;
  if (const Status good = check_crawl_options(options); !good.ok()) refuse(good.error().text);
  if (holds_fleet(options.out)) {
    return error("{0}: there is a fleet in this folder: `bowerbird fleet resume {0}` goes on with it",
                 options.out);
  }
  if (command.dry_run) return show_plan(effective, common);
  std::unique_ptr<Exchange> exchange;
  if (options.parallel.mode == Mode::kExchange) {
    BB_TRY(exchange, join_fleet(options));
  }
  BB_TRY(auto crawler, Crawler::open(options, nullptr, std::move(exchange)));
  CrawlDisplay display(common.quiet || common.json, options.out);
  display.begin(crawler->resumed(), crawler->status());
  for (const std::string& note : crawler->notes()) warn(note);
  const auto end = crawler->run([&](const CrawlStatus& status) {
    display.show(status);
    return interrupted() ? CrawlRequest::kStop : CrawlRequest::kContinue;
  });
  display.clear();
  if (!end.ok()) {
    if (options.parallel.on()) return end.error();  // others may have gone on with it
    return error("{}\nWhat was committed is safe; the same command goes on from there.", end.error().text);
  }
  const CrawlStatus last = crawler->status();
  BB_TRY_VOID(crawler->close());
  crawler.reset();  // the report needs the memory
  bool reported = false;
  if (options.storage.report) {
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
  return result_of({*end, last.counts, options.parallel.on()});
}

}  // namespace

void add_crawl(App& app) {
  auto command = std::make_shared<CrawlCommand>();
  CLI::App& crawl_app = app.add_command(
      app.root(), "crawl", kText, [command](const CommonOptions& common) { return crawl(*command, common); });
  add_crawl_options(crawl_app, *command);
  crawl_app.add_flag("--dry-run", command->dry_run, "Say what would be done, and do nothing");
}

}  // namespace bowerbird
