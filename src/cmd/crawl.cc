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
#include "cmd/crawl_run.h"
#include "cmd/terminal.h"
#include "control/live_control.h"
#include "control/run_log.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/policy_choice.h"
#include "crawl/config/seeds.h"
#include "crawl/config/site_table.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/resumable.h"
#include "crawl/loop/crawler.h"
#include "crawl/state/state_setup.h"
#include "fleet/fleet_setup.h"
#include "fleet/join.h"
#include "sys/core_dumps.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "crawl the Web, most important pages first",
    "Fetches pages, starting with the SEEDs, in the order of --policy, and stores everything in one folder: "
    "WARC files, an index, the link graph and a log. `bowerbird lab DIR` simulates the crawl with other "
    "orderings.\n"
    "\n"
    "Politeness: robots.txt, meta robots, X-Robots-Tag and nofollow are always obeyed. A host gets one "
    "request at a time, with a delay that grows if it responds slowly; hosts with the same address or "
    "registrable domain share a delay. Crawl-delay, 429, 503 and Retry-After are obeyed. Private networks "
    "are never contacted unless --allow-net names them.\n"
    "\n"
    "Resuming: the folder is committed every second. After Ctrl-C, a crash or a power failure, run the same "
    "command again to continue from the last commit; no page is stored twice. The first Ctrl-C waits for the "
    "requests in progress; the second stops at once. The folder remembers its options (options.toml), so "
    "`crawl --out DIR` is enough. On a resume you may change budgets, delays and scope, and add seeds: links "
    "that are now in scope are queued, and queued pages that are no longer in scope are skipped. Options "
    "that the state depends on (policy, strategy, seed, archive format) cannot change.\n"
    "\n"
    "All options can also be set in a TOML file (--config): use the name without dashes as the key, and "
    "`seeds = [\"...\"]` for the seeds. Options on the command line override those of the file. --no-NAME, "
    "or NAME = false, turns a switch off.",
    "# a thousand pages of one site\nbowerbird crawl https://example.org/ --pages 1000 --contact "
    "you@example.org --out mycrawl\n# continue it for two more hours\nbowerbird crawl --out mycrawl --pages "
    "0 --time 2h\n# a whole domain, breadth first, without its shop\nbowerbird crawl example.org --scope "
    "domain --policy bfs --exclude /shop/ --contact you@example.org\n# pages about roses first\nbowerbird "
    "crawl example.org --scope any --topic \"rose garden\" --pages 10k --contact you@example.org\n# a test "
    "Web (bowerbird web serve synthetic:pages=100k), as fast as possible\nbowerbird crawl "
    "http://www.lafido.com/ --scope any --connect-to 127.0.0.1:8080 --allow-net 127.0.0.0/8 --delay 0 "
    "--contact you@example.org\n"};

// Two crawls of one host have the same default folder.
Status refuse_other_seeds(const std::string& folder, const std::vector<CrawlSeed>& given) {
  BB_TRY(const std::vector<CrawlSeed> seeds, read_crawl_seeds(folder));
  if (seeds.empty() || has_seeds(seeds, given)) return {};
  refuse(fmt::format(
      "{0}: this folder, the default for these seeds, contains a crawl with other seeds ({1}{2}). Give "
      "another folder with --out DIR, or add the seeds to that crawl with --out {0}",
      folder, seeds.front().url, seeds.size() > 1 ? ", ..." : ""));
}

// The folder to crawl into. An existing crawl is resumed.
Result<std::string> find_folder(const CrawlOptions& options) {
  BB_TRY(const std::vector<CrawlSeed> seeds, given_seeds(options));
  if (seeds.empty() && options.out.empty())
    refuse("no seeds: give at least one URL, or the folder of a crawl to resume (--out)");
  const std::string folder = options.out.empty() ? default_folder(seeds.front()) : options.out;
  if (holds_fleet(folder))
    refuse(fmt::format("{0}: this folder contains a fleet; resume it with `bowerbird fleet resume {0}`",
                       folder));
  if (!CrawlStore::holds_crawl(folder)) {
    if (seeds.empty())
      refuse(fmt::format("{}: there is no crawl to resume in this folder, and no seeds were given", folder));
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
  std::string fixed;
  if (CrawlStore::holds_crawl(folder)) {
    made.options = {};
    BB_TRY(LastRun last, read_last_options(folder, made.options));
    BB_TRY_VOID(read_given(command, made.options));
    made.origins = std::move(last.origins);
    fixed = std::move(last.fixed);
  }
  for (const std::string& name : in_file) made.origins[name] = command.config;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (command.flags.is_given(row.name)) made.origins[std::string(row.name)] = "command line";
  }
  made.options.out = folder;
  complete_fleet_options(made.options);
  if (!fixed.empty()) {
    if (const Status same = check_unchanged(made.options, fixed); !same.ok()) refuse(same.error().text);
  }
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

nlohmann::json sites_json(const CrawlOptions& options) {
  nlohmann::json json = nlohmann::json::array();
  for (const SiteSettings& site : options.sites) {
    nlohmann::json& one = json.emplace_back();
    for (const SiteValue& value : shown_site(site)) {
      const bool is_list = find_row(site_option_table(), value.name)->is(kMany);
      one[std::string(value.name)] =
          is_list ? nlohmann::json(value.values) : nlohmann::json(value.values.front());
    }
  }
  return json;
}

void print_sites(const EffectiveOptions& effective) {
  if (effective.options.sites.empty()) return;
  const auto origin = effective.origins.find("site");
  fmt::print("\n{}  ({})\n", bold("Sites", colour_on_stdout()),
             origin == effective.origins.end() ? "default" : printable(origin->second));
  for (const SiteSettings& site : effective.options.sites) {
    fmt::print("  {}\n", printable(site.name()));
    for (const SiteValue& value : shown_site(site)) {
      if (value.name == "host" || value.name == "domain" || value.name == "url") continue;
      fmt::print("    {:<20}{}\n", value.name, printable(fmt::format("{}", fmt::join(value.values, ", "))));
    }
  }
}

// "auto: 0.5s", "10MiB"; "-" if there is no value.
std::string value_text(const CrawlOptionRow& row, const CrawlOptions& options) {
  const std::string text = fmt::format("{}", fmt::join(row.shown(options), ", "));
  const std::string used = used_value(options, row.name);
  if (!used.empty()) return text.empty() ? used : fmt::format("{}: {}", text, used);
  return text.empty() ? "-" : text;
}

void print_options(const EffectiveOptions& effective) {
  std::string_view group;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.group != group) fmt::print("\n{}\n", bold(row.group, colour_on_stdout()));
    group = row.group;
    const auto origin = effective.origins.find(row.name);
    fmt::print("  {:<22}{}  ({})\n", row.name, printable(value_text(row, effective.options)),
               origin == effective.origins.end() ? "default" : printable(origin->second));
  }
}

Status show_plan(const EffectiveOptions& effective, const CommonOptions& common) {
  const CrawlOptions& options = effective.options;
  BB_TRY(const std::vector<CrawlSeed> seeds, given_seeds(options));
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
                                    {"sites", sites_json(options)},
                                    {"origins", effective.origins}})
                        .dump());
    return {};
  }
  fmt::print("would {} in {}\n", there ? "resume the crawl" : "start a crawl", printable(options.out));
  fmt::print("ordering: {}{}\n", choice.policy,
             choice.why.empty() ? std::string() : fmt::format(" ({})", choice.why));
  fmt::print("user agent: {}\n", printable(user_agent_of(options)));
  fmt::print("seeds: {}\n", format_count(seeds.size()));
  for (std::size_t i = 0; i < std::min<std::size_t>(seeds.size(), 10); ++i) {
    fmt::print("  {}{}\n", printable(seeds[i].url), seeds[i].sitemap ? "  (sitemap)" : "");
  }
  print_options(effective);
  print_sites(effective);
  return {};
}

// On stderr, where other programs do not look for results.
void say_address(const std::string& url, const CommonOptions& common) {
  if (!common.quiet) fmt::print(stderr, "live page: {}\n", url);
}

Status crawl(const CrawlCommand& command, const CommonOptions& common) {
  BB_TRY(EffectiveOptions effective, read_options(command));
  CrawlOptions& options = effective.options;
  complete_refresh_options(options);
  if (const Status good = check_crawl_options(options); !good.ok()) refuse(good.error().text);
  if (const Status good = check_listen(options.listen); !good.ok()) refuse(good.error().text);
  if (command.dry_run) return show_plan(effective, common);
  return run_crawl(options, common);
}

}  // namespace

Status run_crawl(CrawlOptions options, const CommonOptions& common) {
  if (has_secrets(options)) forbid_core_dumps();
  std::unique_ptr<Exchange> exchange;
  if (options.parallel.mode == Mode::kExchange) {
    BB_TRY(exchange, join_fleet(options));
  }
  BB_TRY(auto crawler, Crawler::open(options, nullptr, std::move(exchange)));
  const std::string resume = options.refresh.round ? "bowerbird recrawl " + shell_word(options.out) : "";
  CrawlDisplay display(common.quiet || common.json, options.out, resume);
  display.begin(crawler->resumed(), crawler->status());
  for (const std::string& note : crawler->notes()) warn(note);
  BB_TRY(auto control, LiveControl::start(*crawler));
  if (!control->warning().empty()) warn(control->warning());
  if (!control->url().empty()) say_address(control->url(), common);
  BB_TRY(auto log_file, open_run_log(options.log));
  RunLog log(std::move(log_file), ServiceNotify::from_environment());
  log.begin(*crawler);
  const auto end = crawler->run([&](const CrawlStatus& status) {
    display.show(status);
    const CrawlRequest asked = control->watch(status);
    log.watch(*crawler, status);
    return interrupted() ? CrawlRequest::kStop : asked;
  });
  display.clear();
  control->end(end.ok() ? *end : CrawlEnd::kFailed, crawler->status());
  log.end(*crawler, crawler->status(), end.ok() ? crawl_end_text(*end) : end.error().text);
  if (!end.ok()) {
    if (options.parallel.on()) return end.error();  // other processes may have continued it
    return error(
        "{}\n"
        "Committed work is kept. Run the same command again to resume.",
        end.error().text);
  }
  const CrawlStatus last = crawler->status();
  BB_TRY_VOID(crawler->close());
  crawler.reset();  // the report needs the memory
  bool reported = false;
  if (options.storage.report) {
    const Status report =
        report_finished_crawl(options.out, options.memory.budget, common.quiet || common.json);
    reported = report.ok();
    if (!reported)
      warn(
          fmt::format("the crawl is complete, but its report could not be written: {}", report.error().text));
  }
  const FinishedCrawl finished{*end, last.counts, options.parallel.on(), last.failure};
  if (common.json) {
    print_json_line(status_json(last, *end));
  } else if (!common.quiet) {
    display.finish(last, finished, reported);
  }
  return result_of(finished);
}

void add_crawl(App& app) {
  auto command = std::make_shared<CrawlCommand>();
  CLI::App& crawl_app = app.add_command(
      app.root(), "crawl", kText, [command](const CommonOptions& common) { return crawl(*command, common); });
  add_crawl_options(crawl_app, *command);
  crawl_app.add_flag("--dry-run", command->dry_run,
                     "Show the value of every option and where it comes from, without crawling");
}

}  // namespace bowerbird
