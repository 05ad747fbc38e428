#include "control/listen.h"

#include <algorithm>

#include "base/ascii.h"
#include "sys/clock.h"
#include "sys/file_limit.h"
#include "sys/write_file.h"
#include "web/http/tls.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kMostConnections = 2000;
constexpr double kRequestSeconds = 10;
constexpr double kIdleSeconds = 60;

std::string in_url(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

// Every address of the machine: no client can name it as its host.
bool is_wildcard(const ListenAddress& address) {
  return address.host == "0.0.0.0" || address.host == "::";
}

// The address and localhost, with the port; other names with any port, since a proxy may use its own.
std::vector<std::string> allowed_hosts(const ListenAddress& address, std::uint16_t port,
                                       const std::vector<std::string>& names) {
  std::vector<std::string> hosts = {fmt::format("{}:{}", in_url(address.host), port)};
  if (address.is_loopback) hosts.push_back(fmt::format("localhost:{}", port));
  for (std::string name : names) {
    for (char& c : name) c = ascii_lower(c);
    hosts.push_back(std::move(name));
  }
  return hosts;
}

Status set_tokens(const std::string& folder, const CrawlOptions::Listen& options, AccessRules& access) {
  access.token = make_token();
  access.read_token = make_token();
  if (!options.token_file.empty()) {
    BB_TRY(access.token, read_token_file(options.token_file));
  } else if (!folder.empty()) {
    BB_TRY_VOID(write_file(folder + "/" + control_files::kToken, access.token + "\n", 0600));
  }
  if (!options.read_token_file.empty()) {
    BB_TRY(access.read_token, read_token_file(options.read_token_file));
    if (access.read_token == access.token)
      return error("--listen-read-token: this is the token that may change the crawl; give another one");
  } else if (options.token_file.empty() && !folder.empty()) {
    BB_TRY_VOID(write_file(folder + "/" + control_files::kReadToken, access.read_token + "\n", 0600));
  } else if (!options.token_file.empty()) {
    access.read_token.clear();
  }
  return {};
}

}  // namespace

Status check_listen(const CrawlOptions::Listen& options) {
  BB_TRY_VOID(check_listen_options(options));
  if (!options.certificate.empty()) BB_TRY_VOID(TlsServer::load(options.certificate, options.key));
  if (!options.token_file.empty()) BB_TRY_VOID(read_token_file(options.token_file));
  if (!options.read_token_file.empty()) BB_TRY_VOID(read_token_file(options.read_token_file));
  return {};
}

Status check_listen_options(const CrawlOptions::Listen& options) {
  const bool extra = !options.names.empty() || !options.token_file.empty() ||
                     !options.read_token_file.empty() || !options.certificate.empty() || !options.key.empty();
  if (options.address.empty()) return extra ? error("--listen-...: give --listen HOST:PORT too") : Status();
  BB_TRY(const ListenAddress address, parse_listen(options.address));
  if (options.certificate.empty() != options.key.empty())
    return error("--listen-certificate and --listen-key belong together");
  if (address.is_loopback) return {};
  if (options.token_file.empty() || options.certificate.empty()) {
    return error(
        "--listen {}: others can reach this address, so it needs a token and TLS: give --listen-token FILE, "
        "--listen-certificate FILE and --listen-key FILE; or listen on 127.0.0.1",
        options.address);
  }
  if (is_wildcard(address) && options.names.empty()) {
    return error(
        "--listen {}: requests are refused unless they name an address that is known: give --listen-name "
        "NAME "
        "(a host name or IP address of this machine), or listen on one address",
        options.address);
  }
  return {};
}

std::string page_host(const ListenAddress& address, std::uint16_t port,
                      const std::vector<std::string>& names) {
  if (!is_wildcard(address) || names.empty()) return fmt::format("{}:{}", in_url(address.host), port);
  const std::string& name = names.front();
  const bool has_port = name.find(':', name.rfind(']') == name.npos ? 0 : name.rfind(']')) != name.npos;
  return has_port ? name : fmt::format("{}:{}", name, port);
}

// Event streams get a last event before the server stops.
ControlServer::~ControlServer() {
  state->closing = true;
  if (!server) return;
  server->wake();
  running->store(nullptr);
  server->stop();
}

Result<std::unique_ptr<ControlServer>> start_control_server(ControlBackend& backend,
                                                            const std::string& folder,
                                                            const CrawlOptions::Listen& options,
                                                            const std::string& local_path) {
  BB_TRY_VOID(check_listen_options(options));
  auto made = std::make_unique<ControlServer>();
  made->state = std::make_shared<ServiceState>(backend);
  made->state->process_start_ms = WallClock().now_us() / 1000;
  ServerOptions serve;
  serve.http2 = false;
  serve.anywhere = true;
  serve.local_path = local_path;
  serve.local_only = options.address.empty();
  serve.idle_seconds = kIdleSeconds;
  serve.request_seconds = kRequestSeconds;
  serve.most_connections = std::min(kMostConnections, std::max<std::uint64_t>(16, raise_file_limit() / 8));
  serve.certificate = options.certificate;
  serve.key = options.key;
  ListenAddress address;
  if (!options.address.empty()) {
    BB_TRY(address, parse_listen(options.address));
    serve.addresses = {address.host};
    serve.port = address.port;
    made->state->access.open_reading = address.is_loopback;
    BB_TRY_VOID(set_tokens(folder, options, made->state->access));
    ServiceState& state = *made->state;
    state.bound = [&state, address, names = options.names](std::uint16_t port) {
      state.access.hosts = allowed_hosts(address, port, names);
    };
  }
  made->state->wake = [running = made->running] {
    if (Server* const server = running->load()) server->wake();
  };
  auto started = Server::start(std::make_shared<ControlService>(made->state), serve);
  if (!started.ok() && !local_path.empty() && !serve.local_only) {
    // The failure may be that of the Unix socket, which the user did not ask for: try again with the port
    // alone.
    serve.local_path.clear();
    auto without = Server::start(std::make_shared<ControlService>(made->state), serve);
    if (!without.ok()) return started.error();
    made->warning = started.error().text;
    started = std::move(without);
  }
  if (!started.ok()) return started.error();
  made->server = std::move(*started);
  made->running->store(made->server.get());
  if (options.address.empty()) return made;
  made->url = fmt::format("{}://{}/#token={}", options.certificate.empty() ? "http" : "https",
                          page_host(address, made->server->port(), options.names), made->state->access.token);
  return made;
}

}  // namespace bowerbird
