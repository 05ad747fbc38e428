// `bowerbird watch`: a crawl in the browser, running or ended.
#include <fmt/format.h>
#include <poll.h>

#include <memory>

#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "control/client.h"
#include "control/folder_backend.h"
#include "control/forward_backend.h"
#include "control/listen.h"
#include "store/crawl_reader.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "show a crawl in the browser",
    "Serves a live page of the crawl in DIR on this machine and prints its address. It runs until you press "
    "Ctrl-C. A running crawl is reached through a socket in its folder, which only you can use; the page can "
    "control the crawl. A crawl that has ended is shown from its folder. The part of the address after # is "
    "the token that allows changes: do not share it.",
    "# watch a crawl that was started elsewhere\nbowerbird watch mycrawl\n# on "
    "another port\nbowerbird watch mycrawl "
    "--listen 127.0.0.1:9000\n"};

struct WatchCommand {
  std::string folder;
  CrawlOptions::Listen listen{"127.0.0.1:8700", {}, {}, {}, {}, {}};
};

Status serve(ControlBackend& backend, const WatchCommand& command, const CommonOptions& common) {
  BB_TRY(const auto server, start_control_server(backend, "", command.listen, ""));
  server->state->ready = true;
  const auto state = server->state;
  if (auto* const forward = dynamic_cast<ForwardBackend*>(&backend)) {
    forward->on_publish([state] {
      if (state->streams.load() > 0 && state->wake) state->wake();
    });
  }
  if (common.json) {
    print_json_line(fmt::format("{{\"ready\":true,\"url\":\"{}\"}}", server->url));
  } else {
    fmt::print("{}\n", server->url);
  }
  std::fflush(stdout);
  catch_interrupts();
  while (!interrupted()) ::poll(nullptr, 0, 200);
  if (auto* const forward = dynamic_cast<ForwardBackend*>(&backend)) forward->on_publish({});
  return {};
}

Status watch(const WatchCommand& command, const CommonOptions& common) {
  if (const Status good = check_listen(command.listen); !good.ok()) refuse(good.error().text);
  if (can_ask_crawl(command.folder)) {
    ForwardBackend backend(command.folder, {command.folder});
    return serve(backend, command, common);
  }
  if (!CrawlReader::holds_crawl(command.folder))
    refuse(fmt::format("{}: there is no crawl in this folder", command.folder));
  BB_TRY(const auto backend, FolderBackend::open(command.folder));
  return serve(*backend, command, common);
}

}  // namespace

void add_watch(App& app) {
  auto command = std::make_shared<WatchCommand>();
  CLI::App& watch_app = app.add_command(
      app.root(), "watch", kText, [command](const CommonOptions& common) { return watch(*command, common); });
  watch_app.add_option("DIR", command->folder, "The folder of a crawl")->required();
  watch_app.add_option("--listen", command->listen.address, "Address of the page; port 0: any free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  watch_app
      .add_option("--listen-name", command->listen.names, "A further host name of the page. May be repeated")
      ->type_name("NAME");
  watch_app
      .add_option("--listen-token", command->listen.token_file, "A file with the token. Default: a new one")
      ->type_name("FILE");
  watch_app
      .add_option("--listen-read-token", command->listen.read_token_file,
                  "A file with a token that only allows reading")
      ->type_name("FILE");
  watch_app.add_option("--listen-certificate", command->listen.certificate, "Certificate for TLS (PEM)")
      ->type_name("FILE");
  watch_app.add_option("--listen-key", command->listen.key, "Its key (PEM)")->type_name("FILE");
}

}  // namespace bowerbird
