// The test Web on the network: listens, and lets a few threads answer, each with an event loop of its
// own.
//
// Binds to this machine alone (127.0.0.1 and [::1]) unless told otherwise in so many words: a Web that
// answers for any host name has no business outside. stop() lets answers under way finish for a second, then
// cuts them; the destructor calls it. Lifetime: site, clock and sink outlive the server. Threads: the members
// may be called from one thread, connections() from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "sys/clock.h"
#include "web/access_log.h"
#include "web/site.h"
#include "web/tls.h"

namespace bowerbird {

struct ServerOptions {
  std::vector<std::string> addresses;  // IPv4 or IPv6; empty: 127.0.0.1, and ::1 where there is one
  bool anywhere = false;               // addresses beyond this machine are allowed
  std::uint16_t port = 8080;           // 0: any free one
  unsigned threads = 1;
  bool tls = false;              // TLS is spoken too, on the same port
  double idle_seconds = 60;      // a silent connection is closed
  AccessSink* log = nullptr;     // null: no access log
  const Clock* clock = nullptr;  // the time in the Web; null: that of the wall
};

class Server {
 public:
  // Listens and answers from here on.
  static Result<std::unique_ptr<Server>> start(const Site& site, const ServerOptions& options);
  // Whether the server may listen there: on this machine alone, unless `anywhere`.
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

 private:
  class Worker;
  class Listener;

  Server(const Site& site, const ServerOptions& options);
  Status listen(const ServerOptions& options);
  Status bind_one(const std::string& address, bool* taken = nullptr);

  const Site& site_;
  ServerOptions options_;
  WallClock wall_;
  SiteMemory memory_;
  std::unique_ptr<TlsServer> tls_;
  std::uint16_t port_;
  std::vector<int> sockets_;
  std::vector<std::string> bound_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> next_connection_{0};
};

}  // namespace bowerbird
