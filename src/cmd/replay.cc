// `bowerbird replay`: a capture shown again, in a browser.
#include <poll.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/capture_library.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/dedup_archives.h"
#include "cmd/terminal.h"
#include "replay/replay_server.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "show captured pages in a browser",
    "INPUT is the folder of a crawl or fleet, a WACZ file, or WARC files. The command serves it on this "
    "machine, prints the address of a list of its pages, and runs until you press Ctrl-C. Everything comes "
    "from the archive: nothing is fetched from the Web, and what was not captured is missing.\n"
    "\n"
    "Captured pages are at /web/TIMESTAMP/URL on a second port, the next one if it is free. They are "
    "displayed in a sandbox, without scripts unless you give --scripts. Memento clients find TimeGates at "
    "/web/URL and TimeMaps at /timemap/link/URL.\n"
    "\n"
    "When the server is ready it prints one line:\n"
    "  ready url=URL pages=URL count=N",
    "# browse a crawl\n"
    "bowerbird replay mycrawl\n"
    "# browse a WACZ file\n"
    "bowerbird replay site.wacz\n"
    "# WARC files of another crawler, on another port\n"
    "bowerbird replay a.warc.gz b.warc.gz --listen 127.0.0.1:9000\n"};

struct ReplayCommand {
  std::vector<std::string> inputs;
  std::string listen = "127.0.0.1:8701";
  ReplayOptions options;
};

// "127.0.0.1:8701", "[::1]:8701", "127.0.0.1".
Status read_listen(const std::string& text, ReplayOptions& options) {
  std::string_view host = text, port;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string::npos)
      return error("'{}' is not an address such as [::1]:8701", printable(text));
    host = std::string_view(text).substr(1, close - 1);
    port = std::string_view(text).substr(close + 1);
  } else if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    host = std::string_view(text).substr(0, colon);
    port = std::string_view(text).substr(colon);
  }
  options.host = host == "localhost" ? std::string("127.0.0.1") : std::string(host);
  if (port.empty()) return Server::check_address(options.host, false);
  port.remove_prefix(1);
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), options.port);
  if (fault != std::errc() || end != port.data() + port.size())
    return error("'{}' is not an address such as 127.0.0.1:8701", printable(text));
  if (!Server::check_address(options.host, false).ok())
    return error("'{}' is not an address of this machine alone, such as 127.0.0.1", printable(options.host));
  return {};
}

Status replay(ReplayCommand& command, const CommonOptions& common) {
  if (const Status good = read_listen(command.listen, command.options); !good.ok())
    refuse("--listen: " + good.error().text);
  command.options.name =
      command.inputs.size() == 1 ? command.inputs.front() : plural(command.inputs.size(), "archive");
  ProgressLine line(common.quiet);
  BB_TRY(const auto library,
         CaptureLibrary::open(command.inputs, line.progress(), open_dedup_archives(command.inputs)));
  BB_TRY(const auto server, ReplayServer::start(*library, command.options));
  line.clear();
  const std::string pages =
      fmt::format("{}:{}/", server->url().substr(0, server->url().rfind(':')), server->page_port());
  if (common.json) {
    print_json_line(
        nlohmann::json(
            {{"ready", true}, {"url", server->url()}, {"pages", pages}, {"count", library->pages().size()}})
            .dump());
  } else {
    std::printf("ready url=%s pages=%s count=%zu\n", server->url().c_str(), pages.c_str(),
                library->pages().size());
  }
  std::fflush(stdout);
  // A signal ends the wait at once, or is seen soon after.
  constexpr int kLookMs = 100;
  while (!interrupted()) ::poll(nullptr, 0, kLookMs);
  server->stop();
  return {};
}

}  // namespace

void add_replay(App& app) {
  auto command = std::make_shared<ReplayCommand>();
  CLI::App& replay_app = app.add_command(app.root(), "replay", kText, [command](const CommonOptions& common) {
    return replay(*command, common);
  });
  replay_app.add_option("INPUT", command->inputs, "Folder of a crawl or of a fleet, a WACZ, or WARC files")
      ->required();
  replay_app
      .add_option("--listen", command->listen,
                  "Loopback address and port of the list; port 0 for any free one")
      ->type_name("IP:PORT")
      ->capture_default_str();
  replay_app.add_flag("--scripts", command->options.scripts,
                      "Run the scripts of captured pages, in a sandbox");
  replay_app.add_flag("--respect-noarchive", command->options.respect_noarchive,
                      "Omit pages with noarchive, which forbids showing copies");
}

}  // namespace bowerbird
