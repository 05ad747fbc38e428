// `bowerbird robots`: the rules of a robots.txt for a crawler, and the line that decides.
#include <memory>
#include <nlohmann/json.hpp>

#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "crawl/inspect/robots_report.h"
#include "parse/robots.h"
#include "sys/stream.h"

namespace bowerbird {

namespace {

using Json = nlohmann::ordered_json;

struct RobotsCommand {
  std::string file;
  std::string user_agent;
  std::vector<std::string> urls;
};

// One byte more than is parsed, so that the parser detects that there was more.
Result<std::string> read_file(const std::string& path) {
  BB_TRY(const auto stream, InputStream::open(path));
  std::string bytes(kRobotsLimit + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    BB_TRY(const std::size_t more, stream->read(bytes.data() + size, bytes.size() - size));
    if (more == 0) break;
    size += more;
  }
  bytes.resize(size);
  return bytes;
}

std::string text_of(const Json& json, const char* key) {
  return printable(json[key].get<std::string>());
}

void print_records(std::string_view name, const Json& list) {
  for (const Json& record : list) {
    fmt::print("{:<12} line {}: {}\n", name, record["line"].get<unsigned>(), text_of(record, "text"));
    name = "";
  }
}

void print_report(const Json& json) {
  const bool colour = colour_on_stdout();
  fmt::print("{:<12} {}\n", "user agent", text_of(json, "agent"));
  if (json["group"].empty()) {
    fmt::print("{:<12} none applies: everything is allowed\n", "group");
  } else {
    print_records("group", json["group"]);
  }
  fmt::print("{:<12} {}\n", "rules", json["rules"].get<std::size_t>());
  if (json.contains("crawl_delay"))
    fmt::print("{:<12} {} s\n", "crawl delay", json["crawl_delay"].get<double>());
  print_records("sitemap", json["sitemaps"]);
  print_records("ignored", json["complaints"]);
  if (json["truncated"].get<bool>()) fmt::print("{:<12} everything beyond 500 KiB\n", "ignored");
  for (const Json& row : json["decisions"]) {
    fmt::print("{}\n", bold(text_of(row, "input"), colour));
    if (row.contains("rejected")) {
      fmt::print("  {}: {}\n", red("no URL", colour), text_of(row, "rejected"));
      continue;
    }
    const bool allowed = row["allowed"].get<bool>();
    fmt::print("  {}", allowed ? green("allowed", colour) : red("disallowed", colour));
    if (row.contains("line")) {
      fmt::print(" by line {}: {}\n", row["line"].get<unsigned>(), text_of(row, "rule"));
    } else {
      const bool own = text_of(row, "target") == "/robots.txt";
      fmt::print("{}\n",
                 own ? ": robots.txt itself always is (RFC 9309, section 2.2.2)" : ": no rule matches");
    }
  }
}

Status run(const RobotsCommand& options, const CommonOptions& common) {
  const std::string_view token = product_token(options.user_agent);
  BB_TRY(const std::string bytes, read_file(options.file));
  const Json json = robots_report(bytes, token, options.urls);
  if (common.json) {
    print_json_line(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else {
    print_report(json);
  }
  return {};
}

Status check_agent(const std::string& text) {
  if (!product_token(text).empty()) return {};
  return error(
      "'{}' does not begin with a product token (letters, '-' and '_'), by which robots.txt names crawlers",
      printable(text));
}

constexpr CommandText kText = {
    "show what a robots.txt allows",
    "Reads a robots.txt (RFC 9309) and shows which group applies to the USER-AGENT, the number of its rules, "
    "its crawl delay, the sitemaps, and the lines that were ignored; then for each URL whether it may be "
    "fetched, and the line that decides (the longest pattern that matches).\n\nThe USER-AGENT is a product "
    "token or starts with one, like the User-Agent that crawlers send. URLs are normalised first; a path is "
    "enough. Everything is allowed if no group applies or no rule matches.",
    "# may this page be fetched?\nbowerbird robots robots.txt Bowerbird http://example.org/private/ "
    "/search?q=x\n# the same for a script\nbowerbird robots robots.txt 'Bowerbird/1.0 "
    "(+http://example.org/)' /x --json\n"};

}  // namespace

void add_robots(App& app) {
  auto options = std::make_shared<RobotsCommand>();
  CLI::App& command = app.add_command(
      app.root(), "robots", kText, [options](const CommonOptions& common) { return run(*options, common); });
  command.add_option("FILE", options->file, "A robots.txt; - is standard input")->required();
  command.add_option("USER-AGENT", options->user_agent, "Name of the crawler")
      ->check(parsed_by(check_agent))
      ->required();
  command.add_option("URL", options->urls, "URLs, or their paths");
}

}  // namespace bowerbird
