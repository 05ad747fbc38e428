// `bowerbird frontier serve`: the URLFrontier service. It is a program of its own, next to this one.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/units.h"
#include "cmd/commands.h"
#include "sys/spawn.h"
#include "urlfrontier/serve_options.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "serve URLs to other crawlers, best first (URLFrontier)",
    "A service with the gRPC interface of URLFrontier 2.6 (crawler-commons), which StormCrawler and others "
    "use. Crawlers put the URLs that they discover or have fetched, and get the most important URLs that may "
    "be fetched now. All state is in the folder of --data; acknowledged requests survive a kill. See "
    "docs/urlfrontier.md.\n"
    "\n"
    "The service is the program bowerbird-frontier, which is installed next to bowerbird if it was built "
    "with gRPC.\n"
    "\n"
    "When it is ready it prints one line:\n"
    "  ready listen=127.0.0.1:7071 data=DIR crawls=1\n"
    "\n"
    "SIGINT and SIGTERM end it with exit status 0.",
    "# for crawlers on this machine\nbowerbird frontier serve --data frontier\n# for crawlers on other "
    "machines\nbowerbird "
    "frontier serve --data frontier --listen 10.0.0.5:7071 --tls-cert cert.pem --tls-key key.pem "
    "--tls-client-ca ca.pem\n"};

struct FrontierCommand {
  ServeOptions options;
  std::string memory = "0";
};

Status serve(FrontierCommand& command) {
  BB_TRY(command.options.memory, parse_bytes(command.memory));
  if (const Status good = check_serve_options(command.options); !good.ok()) refuse(good.error().text);
  std::error_code fault;
  const auto self = std::filesystem::read_symlink(kThisProgram, fault);
  const std::string program = (self.parent_path() / kServeProgram).string();
  const std::string json = serve_options_json(command.options);
  ::execl(program.c_str(), kServeProgram, json.c_str(), nullptr);
  if (errno == ENOENT) {
    return error(
        "{} does not exist: this build has no URLFrontier service. Install libgrpc++-dev and "
        "protobuf-compiler-grpc, and "
        "build the target bowerbird_frontier",
        program);
  }
  return error("{} cannot be started: {}", program, std::strerror(errno));
}

}  // namespace

void add_frontier_serve(App& app, CLI::App& frontier) {
  auto command = std::make_shared<FrontierCommand>();
  ServeOptions& options = command->options;
  CLI::App& serve_app = app.add_command(
      frontier, "serve", kText, [command](const CommonOptions&) { return serve(*command); }, false);
  serve_app.add_option("--data", options.data, "The folder of the service; created if it does not exist")
      ->type_name("DIR")
      ->required();
  serve_app
      .add_option(
          "--listen", options.listen,
          "Address and port; port 0: any free one. Addresses that are not loopback need TLS or --insecure")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  serve_app.add_option("--policy", options.policy, "The ordering of new crawls (default: lipr)")
      ->type_name("NAME");
  serve_app
      .add_option("--memory", command->memory, "Memory limit of each crawl, at least 16 MiB; 0 for none")
      ->type_name("SIZE")
      ->check(parsed_by(parse_bytes))
      ->capture_default_str();
  serve_app.add_option("--max-crawls", options.max_crawls, "Maximum number of crawls")
      ->type_name("N")
      ->capture_default_str();
  serve_app.add_flag("--durable", options.durable,
                     "fsync before each acknowledgement, so that a power failure loses nothing");
  serve_app
      .add_option(
          "--parent-key", options.parent_key,
          "The metadata key whose last value is the URL of the page that a discovered URL was found on")
      ->type_name("KEY")
      ->capture_default_str();
  serve_app.add_option("--tls-cert", options.certificate, "Certificate chain of the service (PEM)")
      ->type_name("FILE");
  serve_app.add_option("--tls-key", options.key, "Its private key (PEM)")->type_name("FILE");
  serve_app
      .add_option("--tls-client-ca", options.client_ca,
                  "Accept only clients with a certificate of this authority (PEM)")
      ->type_name("FILE");
  serve_app.add_flag("--insecure", options.insecure, "Allow other addresses than loopback without TLS");
}

}  // namespace bowerbird
