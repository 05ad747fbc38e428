// `bowerbird recrawl`: one more round over the pages of a crawl.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "cmd/commands.h"
#include "cmd/crawl_options.h"
#include "cmd/crawl_run.h"
#include "cmd/plugin_option.h"
#include "cmd/terminal.h"
#include "control/listen.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/resumable.h"
#include "fleet/fleet_setup.h"
#include "store/crawl_store.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "fetch the pages of a crawl again",
    "Fetches each page of the crawl in DIR once more, most valuable first (--refresh, default index-age), "
    "and the new pages that it finds. Pages fetched less than --shortest-interval ago are skipped. Unchanged "
    "pages cost little: requests are conditional (ETag, Last-Modified). Every visit is stored; the crawl "
    "learns how often each page changes, which improves the order of the next round.\n"
    "\n"
    "The options are those of the crawl, except the budgets: --pages, --bytes and --time limit this round. "
    "Limits of hosts, domains and depth still apply to new pages. --refresh-rate and "
    "--refresh-rate-per-host do not apply. Run it from cron or a systemd timer; for a continuous crawl, use "
    "`crawl --forever`. See docs/refresh.md.",
    "# one more round\nbowerbird recrawl mycrawl\n# the 500 most valuable fetches, for at most an hour\n"
    "bowerbird recrawl mycrawl --pages 500 --time 1h\n# what has changed since yesterday\nbowerbird urls "
    "mycrawl --changed-since 1d\n"};

struct RecrawlCommand {
  std::string folder;
  OptionFlags flags;
};

bool is_offered(const CrawlOptionRow& row) {
  if (row.name.starts_with("listen") || row.name.starts_with("log")) return true;
  return !row.is(kStartOnly) && !row.is(kFixed) && !row.is(kLauncher) && row.name != "forever" &&
         !row.name.starts_with("refresh-rate") && row.name != "stop-at-importance";
}

// The value without the flag, for the help.
std::string default_of(const CrawlOptionRow& row) {
  if (row.name == "refresh") return "as in the last run, or index-age";
  constexpr std::array<std::string_view, 3> kOfTheRound = {"pages", "bytes", "time"};
  const bool starts_anew =
      row.is(kStartOnly) || std::ranges::find(kOfTheRound, row.name) != kOfTheRound.end();
  return starts_anew ? row.default_text() : "as in the last run";
}

Status recrawl(const RecrawlCommand& command, const CommonOptions& common) {
  if (holds_fleet(command.folder)) {
    refuse(
        fmt::format("{}: this folder contains a fleet, which cannot be refreshed; merge it first (`bowerbird "
                    "fleet merge`)",
                    command.folder));
  }
  if (!CrawlStore::holds_crawl(command.folder))
    refuse(fmt::format("{}: there is no crawl in this folder", command.folder));
  CrawlOptions options;
  BB_TRY(const LastRun last, read_last_options(command.folder, options));
  options.out = command.folder;
  options.budget.pages = 0;
  options.budget.bytes = 0;
  options.budget.time = Seconds(0);
  options.budget.stop_at_importance = 0;
  options.refresh.forever = false;
  command.flags.apply(crawl_option_table(), options);
  options.refresh.round = true;
  options.refresh.round_pages = options.budget.pages;
  options.budget.pages = 0;
  complete_refresh_options(options);
  if (const Status good = check_crawl_options(options); !good.ok()) refuse(good.error().text);
  if (const Status good = check_listen(options.listen); !good.ok()) refuse(good.error().text);
  return run_crawl(options, common);
}

}  // namespace

void add_recrawl(App& app) {
  auto command = std::make_shared<RecrawlCommand>();
  CLI::App& recrawl_app =
      app.add_command(app.root(), "recrawl", kText,
                      [command](const CommonOptions& common) { return recrawl(*command, common); });
  recrawl_app.add_option("DIR", command->folder, "The folder of a crawl")->required();
  add_plugin_option(recrawl_app);
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (is_offered(row)) command->flags.add(recrawl_app, row, default_of(row));
  }
}

}  // namespace bowerbird
