#include "fleet/local_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "fleet/bus.h"
#include "fleet/server_users.h"
#include "sys/spawn.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr const char* kPrograms[] = {"/usr/sbin/nats-server", "/usr/bin/nats-server",
                                     "/usr/local/bin/nats-server"};
constexpr char kPidFile[] = "/pid";
constexpr int kStartTries = 100;
constexpr auto kBetween = std::chrono::milliseconds(100);

}  // namespace

const char* nats_server_program() {
  for (const char* const path : kPrograms) {
    if (::access(path, X_OK) == 0) return path;
  }
  return nullptr;
}

int free_loopback_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return 0;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  int port = 0;
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port = ntohs(address.sin_port);
  }
  ::close(socket);
  return port;
}

bool LocalServer::available() {
  return nats_server_program() != nullptr;
}

Result<std::unique_ptr<LocalServer>> LocalServer::start(const std::string& folder, int port,
                                                        const std::string& address,
                                                        const std::string& fleet) {
  const char* const path = nats_server_program();
  if (path == nullptr) {
    return error(
        "nats-server is not installed: `apt install nats-server`, or name a server with --fleet, or use "
        "--mode firewall or cross-over, which need none");
  }
  BB_TRY_VOID(make_folder(folder));
  if (port == 0) port = free_loopback_port();
  if (port == 0) return error("no free port on the loopback interface");
  BB_TRY(const ServerUsers users, ServerUsers::of(folder));
  const std::string configuration = folder + "/server.conf";
  BB_TRY_VOID(write_file(configuration, users.configuration(fleet), 0600));
  const std::string number = std::to_string(port);
  const std::string log = folder + "/server.log";
  std::vector<std::string> words = {path, "-js",        "-sd", folder, "-a", address,
                                    "-p", number,       "-l",  log,    "-P", folder + kPidFile,
                                    "-c", configuration};
  BB_TRY(const pid_t pid, spawn(path, std::move(words), {"/dev/null", true}));
  std::unique_ptr<LocalServer> server(new LocalServer(pid, port));
  server->url_ = users.member_url(address, port);
  server->watcher_url_ = users.watcher_url(address, port);
  for (int i = 0; i < kStartTries; ++i) {
    const auto bus = Bus::connect(server->url_);
    if (bus.ok() && (*bus)->store("BB-ready", 0).ok()) return server;
    if (!bus.ok() && bus.error().kind != ErrorKind::kRetry) return bus.error();
    if (::waitpid(pid, nullptr, WNOHANG) == pid) {
      server->pid_ = 0;
      return error("nats-server ended at once; {} says why", log);
    }
    std::this_thread::sleep_for(kBetween);
  }
  return error("nats-server does not answer; see {}", log);
}

LocalServer::~LocalServer() {
  stop();
}

// The pid may belong to another program by now.
void LocalServer::end_leftover(const std::string& folder) {
  pid_t pid = 0;
  std::ifstream(folder + kPidFile) >> pid;
  if (pid <= 0) return;
  const auto is_it = [&] {
    std::ifstream words("/proc/" + std::to_string(pid) + "/cmdline");
    const std::string all(std::istreambuf_iterator<char>(words), {});
    return all.find("nats-server") != std::string::npos && all.find(folder) != std::string::npos;
  };
  if (is_it()) ::kill(pid, SIGTERM);
  for (int i = 0; i < kStartTries && is_it(); ++i) std::this_thread::sleep_for(kBetween);
}

bool LocalServer::running() {
  if (pid_ != 0 && ::waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
  return pid_ != 0;
}

void LocalServer::stop() {
  end(SIGTERM);
}

void LocalServer::kill() {
  end(SIGKILL);
}

void LocalServer::end(int signal) {
  if (pid_ == 0) return;
  ::kill(pid_, signal);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

}  // namespace bowerbird
