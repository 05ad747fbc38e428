// `bowerbird url`: how a URL is normalised, and why.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "crawl/inspect/url_report.h"
#include "sys/line_reader.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

struct UrlCommand {
  std::vector<std::string> texts;
  std::string base;
  bool keep_tracking = false;
  bool keep_sessions = false;
  CanonicalOptions canonical;
};

using Json = nlohmann::ordered_json;

void print_row(std::string_view name, const std::string& value) {
  fmt::print("  {:<10} {}\n", name, value);
}

void print_report(const Json& json) {
  const bool colour = colour_on_stdout();
  const std::string input = printable(json["input"].get<std::string>());
  fmt::print("{}\n", bold(input.empty() ? "(empty)" : input, colour));
  if (json.contains("rejected")) {
    print_row("rejected", red(printable(json["rejected"].get<std::string>()), colour));
    return;
  }
  print_row("canonical", green(json["canonical"].get<std::string>(), colour));
  print_row("host", json["host"].get<std::string>());
  print_row("site", json["site"].get<std::string>());
  print_row("depth", std::to_string(json["depth"].get<unsigned>()));
  std::string_view name = "changes";
  for (const Json& change : json["changes"]) {
    print_row(name, change.get<std::string>());
    name = "";
  }
}

Status run(UrlCommand& options, const CommonOptions& common) {
  options.canonical.drop_tracking = !options.keep_tracking;
  options.canonical.drop_sessions = !options.keep_sessions;
  Url base;
  if (!options.base.empty()) CHECK(parse_url(options.base, nullptr, base) == UrlFault::kNone);
  const auto show = [&](std::string_view text) {
    const Json json = url_report(text, options.base.empty() ? nullptr : &base, options.canonical);
    if (common.json) {
      print_json_line(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    } else {
      print_report(json);
    }
  };
  for (const std::string& text : options.texts) {
    if (text != "-") {
      show(text);
      continue;
    }
    BB_TRY(const auto input, InputStream::open("-"));
    LineReader lines(*input, kLongestUrlInput);
    std::string_view line;
    while (true) {
      BB_TRY(const bool more, lines.next(line));
      if (!more) break;
      show(line);
    }
  }
  return {};
}

Status check_base(const std::string& text) {
  Url base;
  const UrlFault fault = parse_url(text, nullptr, base);
  if (fault == UrlFault::kNone) return {};
  return error("'{}': {}", printable(text), printable(rejection_text(text, fault)));
}

constexpr CommandText kText = {
    "show how a URL is normalised",
    "Shows the canonical form of each TEXT, which identifies the page in a crawl: its host, its site (the "
    "registrable domain), the depth of its path, and every change with its reason; or why it cannot be "
    "fetched. URLs are parsed as in browsers (WHATWG URL Standard); then different spellings of the same "
    "page are unified.\n"
    "\n"
    "TEXT may be relative if --base gives the page with the link. If TEXT is -, each line of standard input "
    "is a TEXT. --json prints one line for each.",
    "# a URL as copied from somewhere\nbowerbird url 'HTTP://Example.ORG:80/a/../b?utm_source=x#top'\n# a "
    "link of a page\nbowerbird url ../c.html --base http://example.org/a/b.html\n# the canonical form of "
    "each URL in a file\nbowerbird url - --json < urls.txt\n"};

}  // namespace

void add_url(App& app) {
  auto options = std::make_shared<UrlCommand>();
  CLI::App& command = app.add_command(
      app.root(), "url", kText, [options](const CommonOptions& common) { return run(*options, common); });
  command.add_option("TEXT", options->texts, "URLs or links; - reads lines of standard input")->required();
  command.add_option("--base", options->base, "URL of the page with the links")
      ->check(parsed_by(check_base))
      ->type_name("URL");
  command.add_flag("--keep-tracking", options->keep_tracking,
                   "Keep tracking parameters (utm_source, gclid ...)");
  command.add_flag("--keep-sessions", options->keep_sessions, "Keep session identifiers (jsessionid ...)");
  command
      .add_option("--max-length", options->canonical.max_length, "Reject canonical forms longer than this")
      ->check(CLI::Range(std::size_t{1}, kLongestUrlInput))
      ->type_name("BYTES")
      ->capture_default_str();
}

}  // namespace bowerbird
