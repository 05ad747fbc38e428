#include "web/http/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unordered_map>

#include "sys/event_loop.h"
#include "sys/file_limit.h"
#include "sys/local_socket.h"
#include "web/http/connection.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kPauseUs = 50'000;  // pause of accepting, when there are no descriptors left
constexpr std::int64_t kAbortUs = 1'000'000;
constexpr std::int64_t kLogUs = 50'000;  // maximum delay of a line in the log
constexpr std::size_t kBuffer = 1 << 16;

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

// The length of the address, or 0 if the text is not an address.
socklen_t parse_address(const std::string& text, std::uint16_t port, Address& address) {
  std::memset(&address, 0, sizeof address);
  if (::inet_pton(AF_INET, text.c_str(), &address.v4.sin_addr) == 1) {
    address.v4.sin_family = AF_INET;
    address.v4.sin_port = htons(port);
    return sizeof address.v4;
  }
  if (::inet_pton(AF_INET6, text.c_str(), &address.v6.sin6_addr) == 1) {
    address.v6.sin6_family = AF_INET6;
    address.v6.sin6_port = htons(port);
    return sizeof address.v6;
  }
  return 0;
}

bool is_loopback(const Address& address) {
  if (address.any.sa_family == AF_INET) return ntohl(address.v4.sin_addr.s_addr) >> 24 == 127;
  return IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr) != 0;
}

std::uint16_t port_of(const Address& address) {
  return ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

}  // namespace

// Accepts for one worker; all workers share the socket.
class Server::Listener final : public EventLoop::Handler {
 public:
  Listener(Worker& worker, int fd, bool local) : worker_(worker), fd_(fd), local_(local) {}
  Status open();
  void close();
  void on_ready(std::uint32_t) override;
  void on_timer() override;

 private:
  Worker& worker_;
  int fd_;
  bool local_;
};

class Server::Worker {
 public:
  Worker(Server& server, std::unique_ptr<EventLoop> loop);
  Status open();
  void run() { loop_->run(); }
  void wake() { loop_->wake(); }
  EventLoop& loop() { return *loop_; }
  void accepted(int fd, bool local, const Address& peer);

 private:
  // Flushes the log now and then, and ends the loop when it is time.
  class Housekeeper final : public EventLoop::Handler {
   public:
    explicit Housekeeper(Worker& worker) : worker_(worker) {}
    void on_ready(std::uint32_t) override {}
    void on_timer() override { worker_.do_housekeeping(); }

   private:
    Worker& worker_;
  };

  void do_housekeeping();
  void woken();
  void begin_stop();
  std::vector<Connection*> connections() const;
  bool make_room(bool local);
  void remove(EventLoop::Handler& handler);

  Server& server_;
  std::unique_ptr<EventLoop> loop_;
  std::unique_ptr<HttpHandler> handler_;
  ServeContext context_;
  ConnectionHome home_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unordered_map<EventLoop::Handler*, std::unique_ptr<Connection>> connections_;
  Housekeeper housekeeper_;
  std::int64_t abort_us_ = 0;  // when the last responses are aborted; 0: not stopping
};

Server::Worker::Worker(Server& server, std::unique_ptr<EventLoop> loop)
    : server_(server),
      loop_(std::move(loop)),
      handler_(server.service_->make_handler()),
      context_(*handler_, server.service_->server_name(),
               server.options_.clock != nullptr ? *server.options_.clock : server.wall_, server.options_.log,
               server.service_->largest_body()),
      home_{*loop_,
            context_,
            server.tls_.get(),
            static_cast<std::int64_t>(server.options_.idle_seconds * 1e6),
            static_cast<std::int64_t>(server.options_.request_seconds * 1e6),
            server.options_.http2,
            !server.options_.certificate.empty(),
            [this](EventLoop::Handler& handler) { remove(handler); },
            std::string(kBuffer, '\0')},
      housekeeper_(*this) {
  for (const int fd : server.sockets_)
    listeners_.push_back(std::make_unique<Listener>(*this, fd, fd == server.local_));
}

Status Server::Worker::open() {
  for (const auto& listener : listeners_) BB_TRY_VOID(listener->open());
  loop_->on_wake([this] { woken(); });
  do_housekeeping();
  return {};
}

void Server::Worker::accepted(int fd, bool local, const Address& address) {
  if ((local && !peer_is_trusted(fd)) || !make_room(local)) {
    ::close(fd);
    return;
  }
  Peer peer;
  peer.connection = server_.next_connection_.fetch_add(1, std::memory_order_relaxed) + 1;
  peer.local = local;
  if (!local) {
    const int one = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    peer.port = port_of(address);
  }
  auto connection = std::make_unique<Connection>(home_, fd, peer);
  if (!connection->start()) return;
  EventLoop::Handler* key = connection.get();
  connections_.emplace(key, std::move(connection));
}

void Server::Worker::remove(EventLoop::Handler& handler) {
  const auto found = connections_.find(&handler);
  CHECK(found != connections_.end());
  loop_->retire(std::move(found->second));
  connections_.erase(found);
}

// Those that are removed meanwhile stay valid until the end of the batch.
std::vector<Connection*> Server::Worker::connections() const {
  std::vector<Connection*> all;
  for (const auto& [key, connection] : connections_) all.push_back(connection.get());
  return all;
}

// Whether there is room for another connection. Clients over the Unix socket are not kept out by others.
bool Server::Worker::make_room(bool local) {
  if (connections_.size() < server_.options_.most_connections) return true;
  Connection* slowest = nullptr;
  std::size_t alike = 0;
  for (const auto& [key, connection] : connections_) {
    if (connection->is_local() != local) continue;
    ++alike;
    const bool slower = slowest == nullptr || connection->request_since() < slowest->request_since();
    if (connection->request_since() != Session::kNever && slower) slowest = connection.get();
  }
  if (alike < server_.options_.most_connections) return true;
  if (slowest == nullptr) return false;
  slowest->drop();
  return true;
}

void Server::Worker::woken() {
  if (server_.stopping_.load(std::memory_order_acquire)) return begin_stop();
  for (Connection* connection : connections()) connection->wake();
}

void Server::Worker::begin_stop() {
  if (abort_us_ != 0) return;
  abort_us_ = loop_->now_us() + kAbortUs;
  for (const auto& listener : listeners_) listener->close();
  for (Connection* connection : connections()) connection->leave();
  do_housekeeping();
}

void Server::Worker::do_housekeeping() {
  context_.log.flush();
  if (abort_us_ != 0 && (connections_.empty() || loop_->now_us() >= abort_us_)) {
    connections_.clear();
    context_.log.flush();
    return loop_->finish();
  }
  loop_->set_timer(housekeeper_, loop_->now_us() + (abort_us_ != 0 ? kLogUs / 10 : kLogUs));
}

Status Server::Listener::open() {
  return worker_.loop().watch(fd_, EPOLLIN | EPOLLEXCLUSIVE, *this);
}

void Server::Listener::close() {
  worker_.loop().clear_timer(*this);
  worker_.loop().forget(fd_);
}

void Server::Listener::on_ready(std::uint32_t) {
  constexpr int kAtOnce = 64;
  for (int i = 0; i < kAtOnce; ++i) {
    Address peer{};
    socklen_t size = sizeof peer;
    const int fd = ::accept4(fd_, &peer.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      worker_.accepted(fd, local_, peer);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      worker_.loop().forget(fd_);
      worker_.loop().set_timer(*this, worker_.loop().now_us() + kPauseUs);
      return;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return;
    }
  }
}

void Server::Listener::on_timer() {
  if (!open()) worker_.loop().set_timer(*this, worker_.loop().now_us() + kPauseUs);
}

Server::Server(std::shared_ptr<HttpService> service, const ServerOptions& options)
    : service_(std::move(service)), options_(options), port_(options.port) {}

Result<std::unique_ptr<Server>> Server::start(std::shared_ptr<HttpService> service,
                                              const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server(std::move(service), options));
  raise_file_limit();
  std::signal(SIGPIPE, SIG_IGN);  // a client that disconnects must not kill us
  if (!options.certificate.empty()) {
    BB_TRY(server->tls_, TlsServer::load(options.certificate, options.key));
  } else if (options.tls) {
    BB_TRY(server->tls_, TlsServer::make([&served = *server->service_](
                                             std::string_view host) { return served.certificate(host); },
                                         options.chain));
  }
  BB_TRY_VOID(server->listen(options));
  server->service_->on_bound(server->port_);
  for (unsigned i = 0; i < std::max(1u, options.threads); ++i) {
    BB_TRY(auto loop, EventLoop::create());
    server->workers_.push_back(std::make_unique<Worker>(*server, std::move(loop)));
    BB_TRY_VOID(server->workers_.back()->open());
  }
  for (const auto& worker : server->workers_) server->threads_.emplace_back([&worker] { worker->run(); });
  return server;
}

Server::~Server() {
  stop();
}

void Server::wake() {
  for (const auto& worker : workers_) worker->wake();
}

void Server::stop() {
  stopping_.store(true, std::memory_order_release);
  wake();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  workers_.clear();
  for (const int fd : sockets_) ::close(fd);
  sockets_.clear();
  if (local_ >= 0) remove_local(options_.local_path);
  local_ = -1;
}

Status Server::bind_local() {
  if (options_.local_path.empty()) return {};
  BB_TRY(local_, listen_local(options_.local_path));
  sockets_.push_back(local_);
  return {};
}

Status Server::listen(const ServerOptions& options) {
  BB_TRY_VOID(bind_local());
  if (options.local_only) return {};
  if (!options.addresses.empty()) {
    for (const std::string& address : options.addresses) BB_TRY_VOID(bind_one(address));
    return {};
  }
  // A free port chosen by the system may be taken in the other address family: then another is tried.
  for (int attempt = 0;; ++attempt) {
    BB_TRY_VOID(bind_one("127.0.0.1"));
    bool taken = false;
    const Status v6 = bind_one("::1", &taken);
    if (!taken) return {};
    if (options.port != 0 || attempt == 20) return v6.error();
    for (const int fd : sockets_) {
      if (fd != local_) ::close(fd);
    }
    sockets_.clear();
    if (local_ >= 0) sockets_.push_back(local_);
    bound_.clear();
    port_ = 0;
  }
}

Status Server::check_address(const std::string& text, bool anywhere) {
  Address address{};
  if (parse_address(text, 0, address) == 0) return error("'{}' is not an IP address", text);
  if (is_loopback(address) || anywhere) return {};
  return error(
      "'{}' can be reached from other machines, and this Web answers for any host name; to allow that, give "
      "--anywhere",
      text);
}

Status Server::bind_one(const std::string& text, bool* taken) {
  BB_TRY_VOID(check_address(text, options_.anywhere));
  Address address{};
  socklen_t size = parse_address(text, port_, address);
  const int fd = ::socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return error("cannot create a socket: {}", std::strerror(errno));
  const int one = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (address.any.sa_family == AF_INET6) ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
  if (::bind(fd, &address.any, size) != 0 || ::listen(fd, SOMAXCONN) != 0 ||
      ::getsockname(fd, &address.any, &size) != 0) {
    const int reason = errno;
    ::close(fd);
    if (reason == EADDRINUSE) {
      if (taken != nullptr) *taken = true;
      return error("port {} of {} is taken; choose another, or 0 for any free one", port_, text);
    }
    return error("cannot listen on {} port {}: {}", text, port_, std::strerror(reason));
  }
  port_ = port_of(address);
  sockets_.push_back(fd);
  const bool v6 = address.any.sa_family == AF_INET6;
  bound_.push_back(v6 ? fmt::format("[{}]:{}", text, port_) : fmt::format("{}:{}", text, port_));
  return {};
}

}  // namespace bowerbird
