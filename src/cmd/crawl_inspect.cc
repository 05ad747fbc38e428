// `bowerbird status`, `urls` and `why`: a crawl seen from outside, while it runs or afterwards.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/crawl_display.h"
#include "cmd/terminal.h"
#include "crawl/crawl_setup.h"
#include "crawl/crawl_status.h"
#include "crawl/restore.h"
#include "store/crawl_reader.h"
#include "store/link_rows.h"
#include "store/spill_folder.h"
#include "sys/file.h"
#include "url/canonical.h"
#include "url/url_notes.h"

namespace bowerbird {

namespace {

constexpr CommandText kStatusText = {"show how a crawl stands",
                                     "Reads the last commit of the crawl in DIR, which is at most a second "
                                     "or so old while it runs; the crawl itself "
                                     "is not disturbed.",
                                     "# from a second terminal\nbowerbird status mycrawl\n"
                                     "# as one line of JSON\nbowerbird status mycrawl --json\n"};

constexpr CommandText kUrlsText = {
    "list the URLs of a crawl by their state",
    "Prints one URL a line. queued: known and still to be fetched, with its score; done: fetched, or given "
    "up; "
    "failed: given up, with what became of it; known: all, also those that were never in scope.",
    "# what is still to come\nbowerbird urls mycrawl --state queued\n"
    "# what went wrong\nbowerbird urls mycrawl --state failed\n"};

constexpr CommandText kWhyText = {
    "say what a crawl made of a URL, and why",
    "Shows the state of URL in the crawl of DIR: whether it is known, queued, done or blocked, its score and "
    "how far "
    "it is from a seed, the pages that link to it and how, what robots.txt says of it, what became of it, "
    "and when "
    "its host may be asked again.",
    "# why was this page not fetched?\nbowerbird why mycrawl https://example.org/private/\n"};

// A crawl as it stood at its last commit.
struct SeenCrawl {
  std::unique_ptr<CrawlReader> reader;
  CrawlCounts counts;
  CrawlEnd end = CrawlEnd::kNotYet;
  // What is replayed goes to memory; the crawl's own files are only read.
  std::unique_ptr<SpillFolder> spilled;
  std::unique_ptr<MemorySpill> spill;
  std::unique_ptr<LinkRows> rows;
  std::unique_ptr<HostTable> hosts;
  std::unique_ptr<Brain> brain;
};

Result<SeenCrawl> open_crawl(const std::string& folder) {
  SeenCrawl seen;
  BB_TRY(seen.reader, CrawlReader::open(folder));
  if (!seen.reader->state().empty() && !counts_from_state(seen.reader->state(), seen.counts, seen.end)) {
    return error("{}: the counters of this crawl cannot be read", folder);
  }
  return seen;
}

Status restore(SeenCrawl& seen, const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  BB_TRY_VOID(adopt_fixed(seen.reader->about(), options));
  seen.hosts = std::make_unique<HostTable>(PolitenessOptions());
  seen.spilled = std::make_unique<SpillFolder>(folder + "/" + crawl_files::kSpill);
  seen.spill = std::make_unique<MemorySpill>(seen.spilled.get());
  seen.rows = std::make_unique<LinkRows>(folder);
  BB_TRY_VOID(seen.rows->extend(seen.reader->commit().find(crawl_files::kLinks)->bytes));
  BrainOptions brain_options = brain_options_of(options);
  brain_options.spill = seen.spill.get();
  BB_TRY(seen.brain, Brain::make(brain_options, *seen.hosts, *seen.reader));
  seen.brain->read_rows_from(
      [rows = seen.rows.get()](std::uint64_t row, PageLinks& links) { return rows->read(row, links); });
  const Status status = CrawlRestorer(*seen.hosts, *seen.brain, "bowerbird").restore(*seen.reader);
  if (!status.ok()) return error("{}: {}", folder, status.error().text);
  return {};
}

Status show_status(const std::string& folder, const CommonOptions& common) {
  BB_TRY(const SeenCrawl seen, open_crawl(folder));
  if (common.json) {
    nlohmann::json json = nlohmann::json::parse(seen.reader->state(), nullptr, false);
    if (!json.is_object()) json = nlohmann::json::object();
    json["known"] = seen.reader->pages();
    json["stored"] = seen.reader->fetches();
    json["end"] = crawl_end_text(seen.end);
    json["about"] = nlohmann::json::parse(seen.reader->about(), nullptr, false);
    print_json_line(json.dump());
    return {};
  }
  fmt::print("state     {}\n",
             seen.end == CrawlEnd::kNotYet ? "running, or killed" : crawl_end_text(seen.end));
  fmt::print("pages     {} of {} done ({}), {} in bodies\n", format_count(seen.counts.pages),
             format_count(seen.counts.completed), outcome_list(seen.counts, 8),
             format_bytes(seen.counts.bytes));
  fmt::print("known     {} URLs, {} links\n", format_count(seen.reader->pages()),
             format_count(seen.counts.links));
  fmt::print("stored    {} answers\n", format_count(seen.reader->fetches()));
  fmt::print("time      {} s in all runs\n", format_count(seen.counts.run_ms / 1000));
  return {};
}

// Calls visit(line) for each line of crawl.jsonl that can be read.
template <typename Visit>
Status each_log_line(const std::string& folder, Visit visit) {
  BB_TRY(const auto file, MappedFile::open(folder + "/" + crawl_files::kLog));
  std::string_view rest = file->text();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const nlohmann::json line = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.is_object()) visit(line);
  }
  return {};
}

bool is_failure(std::string_view outcome) {
  return outcome != "fetched" && outcome != "redirect";
}

Status list_urls(const std::string& folder, const std::string& state, const CommonOptions& common) {
  const auto print = [&](const std::string& url, nlohmann::json more, const std::string& column) {
    if (common.json) {
      more["url"] = url;
      print_json_line(more.dump());
    } else {
      fmt::print("{}{}\n", printable(url), column);
    }
  };
  if (state == "failed") {
    return each_log_line(folder, [&](const nlohmann::json& line) {
      const std::string outcome = line.value("outcome", "");
      if (outcome.empty() || !is_failure(outcome)) return;
      print(line.value("url", ""), {{"outcome", outcome}}, "\t" + outcome);
    });
  }
  BB_TRY(SeenCrawl seen, open_crawl(folder));
  if (state == "known") {
    return seen.reader->for_each_url(
        [&](PageId, std::string_view url) { print(std::string(url), nlohmann::json::object(), ""); });
  }
  BB_TRY_VOID(restore(seen, folder));
  const Frontier& frontier = seen.brain->frontier();
  for (PageId page = 0; page < seen.brain->pages(); ++page) {
    const PageState is = frontier.state(page);
    if (state == "done" && is == PageState::kDone) print(seen.brain->url(page), nlohmann::json::object(), "");
    if (state == "queued" && is != PageState::kDone && is != PageState::kUndiscovered) {
      const Score score = frontier.score(page).value_or(0);
      print(seen.brain->url(page), {{"score", score}}, fmt::format("\t{:.6g}", score));
    }
  }
  return {};
}

// ---- why

std::string_view state_text(PageState state) {
  switch (state) {
    case PageState::kUndiscovered:
      return "known, but no link to it is followed";
    case PageState::kQueued:
      return "queued";
    case PageState::kInFlight:
      return "under way";
    case PageState::kWaiting:
      return "waiting to be tried again";
    case PageState::kDone:
      return "done";
  }
  return "";
}

std::string flags_text(std::uint8_t flags) {
  std::string text;
  const auto add = [&](std::uint8_t flag, std::string_view what) {
    if ((flags & flag) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", what);
  };
  add(kLinkRedirect, "redirect");
  add(kLinkNofollow, "nofollow: not followed");
  add(kLinkOutOfScope, "out of scope: not followed");
  add(kLinkTrap, "looks like a trap: not followed");
  add(kLinkTooFar, "too far from a seed: not followed");
  add(kLinkSitemap, "sitemap");
  return text;
}

Result<std::vector<std::pair<PageId, std::uint8_t>>> parents_of(const CrawlReader& reader, PageId page) {
  std::vector<std::pair<PageId, std::uint8_t>> parents;
  BB_TRY_VOID(reader.for_each_links([&](const PageLinks& row) -> Status {
    for (const StoredLink& link : row.links) {
      if (link.page == page) parents.emplace_back(row.page, link.flags);
    }
    return {};
  }));
  return parents;
}

Status say_why(const std::string& folder, const std::string& text, const CommonOptions& common) {
  Url url;
  const UrlFault fault = canonical_url(text, nullptr, url);
  if (fault != UrlFault::kNone) return error("'{}' is not a URL to crawl: {}", text, fault_text(fault));
  BB_TRY(SeenCrawl seen, open_crawl(folder));
  BB_TRY_VOID(restore(seen, folder));
  Brain& brain = *seen.brain;
  const PageId page = brain.find(KnownUrls::fingerprint(url.text()));
  nlohmann::json json = {{"url", url.text()}};
  if (page == kNoPage) {
    json["state"] = "unknown: no page that was read links to it";
  } else {
    const Host& host = (*seen.hosts)[brain.host(page)];
    json["state"] = state_text(brain.frontier().state(page));
    if (const auto score = brain.frontier().score(page)) json["score"] = *score;
    if (brain.depth(page) != Brain::kUnknownDepth) json["steps_from_seed"] = brain.depth(page);
    if (brain.tries(page) > 0) json["tries"] = brain.tries(page);
    if (host.robots != nullptr) {
      const RobotsDecision decision = host.robots->decide(brain.target(page));
      json["robots"] = decision.allowed      ? "allowed"
                       : host.robots_reached ? "forbidden by robots.txt"
                                             : "forbidden: robots.txt could not be had";
    }
    if (host.opens > 0 && host.opens < kNever) {
      json["host_opens"] =
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(host.opens / 1000)));
    }
    BB_TRY(const auto parents, parents_of(*seen.reader, page));
    json["links_to_it"] = parents.size();
    nlohmann::json shown = nlohmann::json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(parents.size(), 20); ++i) {
      nlohmann::json parent = {{"url", brain.url(parents[i].first)}};
      const std::string how = flags_text(parents[i].second);
      if (!how.empty()) parent["how"] = how;
      shown.push_back(std::move(parent));
    }
    json["parents"] = std::move(shown);
    BB_TRY_VOID(each_log_line(folder, [&](const nlohmann::json& line) {
      if (line.value("url", "") != url.text()) return;
      json["outcome"] = line.value("outcome", "");
      if (line.contains("status")) json["status"] = line["status"];
      if (line.contains("trouble")) json["trouble"] = line["trouble"];
    }));
  }
  if (common.json) {
    print_json_line(json.dump());
    return {};
  }
  for (const char* key : {"url", "state", "outcome", "status", "trouble", "score", "steps_from_seed", "tries",
                          "robots", "host_opens", "links_to_it"}) {
    if (!json.contains(key)) continue;
    const std::string value = json[key].is_string() ? json[key].get<std::string>() : json[key].dump();
    fmt::print("{:<16} {}\n", key, printable(value));
  }
  for (const nlohmann::json& parent : json.value("parents", nlohmann::json::array())) {
    fmt::print("  from {}{}\n", printable(parent.value("url", "")),
               parent.contains("how") ? fmt::format("  [{}]", parent.value("how", "")) : "");
  }
  return {};
}

}  // namespace

void add_crawl_status(App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App& command =
      app.add_command(app.root(), "status", kStatusText,
                      [folder](const CommonOptions& common) { return show_status(*folder, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
}

void add_crawl_urls(App& app) {
  auto folder = std::make_shared<std::string>();
  auto state = std::make_shared<std::string>("queued");
  CLI::App& command = app.add_command(
      app.root(), "urls", kUrlsText,
      [folder, state](const CommonOptions& common) { return list_urls(*folder, *state, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
  command.add_option("--state", *state, "queued, done, failed or known")
      ->type_name("STATE")
      ->capture_default_str()
      ->check(one_of({"queued", "done", "failed", "known"}));
}

void add_crawl_why(App& app) {
  auto folder = std::make_shared<std::string>();
  auto url = std::make_shared<std::string>();
  CLI::App& command =
      app.add_command(app.root(), "why", kWhyText,
                      [folder, url](const CommonOptions& common) { return say_why(*folder, *url, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
  command.add_option("URL", *url, "The URL in question")->required();
}

}  // namespace bowerbird
