// `bowerbird ctl`: change a crawl that is running.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "control/client.h"
#include "control/routes.h"
#include "store/crawl_reader.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "pause, change or stop a crawl that is running",
    "Controls the crawl in DIR through a socket in that folder, which only you can use. Every change is "
    "recorded in the journal: it survives a crash, appears in the report and lasts until you undo it.\n"
    "\n"
    "Commands:\n"
    "  pause [HOST]  start no new requests; requests in progress end\n"
    "  resume [HOST]  end the pause\n"
    "  stop  end the crawl; it can be resumed\n"
    "  seed URL...  add seeds; with --sitemap, sitemaps\n"
    "  set OPTION VALUE...  change an option; docs/options.md marks those that may change as live\n"
    "  block [HOST]  fetch nothing more from a host, or with --pattern, no URLs that match\n"
    "  unblock [HOST]  undo a block\n"
    "  retry  queue failed pages again: all, or those of --host, --pattern and --outcome\n"
    "  fetch URL  fetch this URL next; robots.txt and delays apply\n"
    "  report  write the report now\n"
    "  status  show what the crawl is doing\n"
    "\n"
    "A changed option keeps its value on a resume, unless you resume the crawl with a new value of that "
    "option. A paused crawl is still paused after a resume.",
    "# pause everything\n"
    "bowerbird ctl mycrawl pause\n"
    "# continue\n"
    "bowerbird ctl mycrawl resume\n"
    "# a longer delay\n"
    "bowerbird ctl mycrawl set delay 5s\n"
    "# fetch no calendar pages\n"
    "bowerbird ctl mycrawl block --pattern /calendar/\n"
    "# retry pages that timed out\n"
    "bowerbird ctl mycrawl retry --outcome timed-out\n"};

struct CtlCommand {
  std::string folder;
  std::string name;
  std::vector<std::string> words;
  std::string host, pattern, outcome;
  std::vector<std::string> sitemaps;
};

void refuse_words(const CtlCommand& command, std::size_t least, std::size_t most, std::string_view usage) {
  if (command.words.size() >= least && command.words.size() <= most) return;
  refuse(fmt::format("usage: bowerbird ctl DIR {}", usage));
}

nlohmann::json body_of(const CtlCommand& command) {
  nlohmann::json body = nlohmann::json::object();
  std::string host = command.host;
  const std::string& name = command.name;
  const bool has_target = name == "pause" || name == "resume" || name == "block" || name == "unblock";
  if (has_target) {
    refuse_words(command, 0, 1, name + " [HOST] [--pattern REGEX]");
    if (!command.words.empty()) host = command.words.front();
  } else if (name == "set") {
    refuse_words(command, 1, 1001, "set OPTION VALUE...");
    body["option"] = command.words.front();
    body["values"] = std::vector<std::string>(command.words.begin() + 1, command.words.end());
  } else if (name == "seed") {
    if (command.words.empty() && command.sitemaps.empty()) refuse("usage: bowerbird ctl DIR seed URL...");
    if (!command.words.empty()) body["urls"] = command.words;
    if (!command.sitemaps.empty()) body["sitemaps"] = command.sitemaps;
  } else if (name == "fetch") {
    refuse_words(command, 1, 1, "fetch URL");
    body["url"] = command.words.front();
  } else {
    refuse_words(command, 0, 0, name);
  }
  if ((has_target || name == "retry") && !host.empty()) body["host"] = host;
  if ((has_target || name == "retry") && !command.pattern.empty()) body["pattern"] = command.pattern;
  if (name == "retry" && !command.outcome.empty()) body["outcome"] = command.outcome;
  return body;
}

// What to do if the crawl of the folder cannot be asked: most often it has ended.
Error with_advice(const CtlCommand& command, Error failure) {
  if (!CrawlReader::holds_crawl(command.folder) || can_ask_crawl(command.folder)) return failure;
  const std::string folder = shell_word(command.folder);
  failure.text = command.name == "report" || command.name == "status"
                     ? fmt::format("{}: the crawl has ended; use `bowerbird {} {}`", command.folder,
                                   command.name, folder)
                     : fmt::format("{}: the crawl has ended; resume it with `bowerbird crawl --out {}`",
                                   command.folder, folder);
  return failure;
}

Status ctl(const CtlCommand& command, const CommonOptions& common) {
  const std::string who = fmt::format("ctl pid {}", ::getpid());
  const bool is_status = command.name == "status";
  nlohmann::json body;
  if (!is_status) {
    body = body_of(command);
    if (const Status good = check_command(command.name, body); !good.ok()) refuse(good.error().text);
  }
  const auto asked = is_status
                         ? ask_crawl(command.folder, "GET", "/api/v1/status", {}, who)
                         : ask_crawl(command.folder, "POST", "/api/v1/commands/" + command.name, body, who);
  if (!asked.ok()) return with_advice(command, asked.error());
  const Answer& answer = *asked;
  if (answer.status != 200) return error("{}", answer.json.value("error", std::string("the crawl refused")));
  if (common.json) {
    print_json_line(answer.json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    return {};
  }
  for (const auto& warning : answer.json.value("warnings", std::vector<std::string>())) warn(warning);
  if (!common.quiet)
    fmt::print("{}\n",
               printable(answer.json.value(command.name == "status" ? "sentence" : "text", std::string())));
  return {};
}

}  // namespace

void add_ctl(App& app) {
  auto command = std::make_shared<CtlCommand>();
  CLI::App& ctl_app = app.add_command(
      app.root(), "ctl", kText, [command](const CommonOptions& common) { return ctl(*command, common); });
  ctl_app.add_option("DIR", command->folder, "The folder of a running crawl")->required();
  std::vector<std::string> names(command_names().begin(), command_names().end());
  names.emplace_back("status");
  ctl_app.add_option("COMMAND", command->name, "What to do")->required()->check(one_of(names));
  ctl_app.add_option("ARGUMENT", command->words, "Host, URLs, or option and values");
  ctl_app.add_option("--host", command->host, "Only this host")->type_name("NAME");
  ctl_app.add_option("--pattern", command->pattern, "Only URLs that match (RE2)")->type_name("REGEX");
  ctl_app.add_option("--outcome", command->outcome, "Only pages with this outcome, such as timed-out")
      ->type_name("NAME");
  ctl_app.add_option("--sitemap", command->sitemaps, "A sitemap to add. May be repeated")->type_name("URL");
}

}  // namespace bowerbird
