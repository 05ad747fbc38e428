// Our HTTP server (1.1 and 2, TLS on request): listens, and answers on a few threads, each with its own event
// loop and its own handler (web/http/handler.h).
//
// Binds only to this machine (127.0.0.1 and [::1]) unless `anywhere` is set: the test Web answers for any
// host name, and what the others show is only for the user. It may also listen on a Unix socket, for
// processes of the same user (sys/local_socket.h). stop() lets responses in progress finish for a second,
// then aborts them; the destructor calls it. Lifetime: clock and sink outlive the server, and so does what
// the service refers to. Threads: the members may be called from one thread, connections() and wake() from
// any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "sys/clock.h"
#include "web/http/access_log.h"
#include "web/http/handler.h"
#include "web/http/tls.h"

namespace bowerbird {

struct ServerOptions {
  std::vector<std::string> addresses;  // IPv4 or IPv6; empty: 127.0.0.1, and ::1 if available
  bool anywhere = false;               // addresses beyond this machine are allowed
  std::uint16_t port = 8080;           // 0: any free one
  unsigned threads = 1;
  bool tls = false;  // also accepts TLS, on the same port
  TlsChain chain = TlsChain::kDirect;
  bool http2 = true;
  // TLS with this certificate (PEM files), and no connections without TLS.
  std::string certificate, key;
  std::string local_path;      // of a Unix socket; empty: none
  bool local_only = false;     // no other address
  double idle_seconds = 60;    // timeout of a silent connection
  double request_seconds = 0;  // so long a request may take to arrive; 0: any time
  // So many connections per thread; if there are more, the one that has sent no request for longest is
  // closed.
  std::size_t most_connections = ~std::size_t{0};
  AccessSink* log = nullptr;     // null: no access log
  const Clock* clock = nullptr;  // the time in the Web; null: the wall clock
};

class Server {
 public:
  // Starts to listen and answer.
  static Result<std::unique_ptr<Server>> start(std::shared_ptr<HttpService> service,
                                               const ServerOptions& options);
  // Whether the server may listen there: only on this machine, unless `anywhere`.
  static Status check_address(const std::string& text, bool anywhere);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }
  // "127.0.0.1:8080", "[::1]:8080".
  const std::vector<std::string>& addresses() const { return bound_; }
  // The certificate to trust; empty without TLS.
  std::string authority_pem() const { return tls_ == nullptr ? std::string() : tls_->authority_pem(); }
  std::uint64_t connections() const { return next_connection_.load(std::memory_order_relaxed); }

  void stop();
  // Streams and pending responses are asked again.
  void wake();

 private:
  class Worker;
  class Listener;

  Server(std::shared_ptr<HttpService> service, const ServerOptions& options);
  Status listen(const ServerOptions& options);
  Status bind_one(const std::string& address, bool* taken = nullptr);
  Status bind_local();

  std::shared_ptr<HttpService> service_;
  ServerOptions options_;
  WallClock wall_;
  std::unique_ptr<TlsServer> tls_;
  std::uint16_t port_;
  std::vector<int> sockets_;
  int local_ = -1;  // the Unix socket, one of them
  std::atomic<bool> stopping_{false};
  std::vector<std::string> bound_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> next_connection_{0};
};

}  // namespace bowerbird
