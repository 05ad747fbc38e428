// Fetches over the network with a client of our own: thousands of requests on one thread and one epoll
// loop.
//
// HTTP/1.1; verified TLS with one shared context and resumed sessions; connections are kept until the
// next request to their host; names by our own resolver. HTTP/2 if options.http2 is set, and for hosts
// that refuse HTTP/1.1; simultaneous requests to such a host share a connection. Every address is checked
// against the filter before connecting, whatever name, redirect or DNS answer led to it. A request on a
// kept connection that the server has just closed is repeated once, unless a byte of the response had
// arrived; so is one with status 421, or 408 on a kept connection. Bodies are not decoded: the archive
// keeps their coding. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "fetch/body_room.h"
#include "fetch/client_connection.h"
#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"
#include "fetch/http_exchange.h"
#include "fetch/idle_connections.h"
#include "fetch/request_text.h"
#include "fetch/resolver.h"
#include "fetch/tls_client.h"
#include "sys/event_loop.h"

namespace bowerbird {

class HttpFetcher final : public Fetcher, public ConnectionOwner {
 public:
  // options.proxy must be empty. tls: shared with other fetchers that have the same options; null: its own.
  static Result<std::unique_ptr<HttpFetcher>> make(FetcherOptions options,
                                                   std::shared_ptr<TlsClient> tls = nullptr);
  static Result<std::unique_ptr<TlsClient>> make_tls(const FetcherOptions& options);
  ~HttpFetcher() override;
  HttpFetcher(const HttpFetcher&) = delete;
  HttpFetcher& operator=(const HttpFetcher&) = delete;

  void start(FetchRequest request) override;
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override;
  std::size_t active() const override { return exchanges_.size(); }
  void cancel(std::uint64_t id) override;
  void cancel_all() override;
  void limit_bodies(std::uint64_t bytes, bool one_more) override { room_.limit(bytes, one_more); }
  std::uint64_t body_bytes() const override { return room_.used(); }
  void limit_idle(std::uint64_t bytes) override { idle_.limit(bytes, loop_->now_us()); }
  void wake() override { loop_->wake(); }
  std::string request_text(const FetchRequest& request) const override { return text_.of(request); }

  // Whether a transfer waits for room (limit_bodies), and whether one may exceed the limit.
  bool waits_for_room() const { return room_.any_waits(); }
  bool exceeds_room() const { return room_.any_ahead(); }
  const TlsClient& tls() const { return *tls_; }
  // Number of idle connections.
  std::size_t idle() const { return idle_.size(); }

 private:
  // The destination of every connection, whatever the URL.
  struct Detour {
    std::string name;  // or an IP address
    std::uint16_t port = 0;
  };
  // Calls idle_.expire() now and then.
  class Sweeper;

  explicit HttpFetcher(FetcherOptions options);
  Status open();
  Status read_detour();
  void look_up(HttpExchange& exchange);
  void resolved(HttpExchange& exchange, const Resolution& resolution);
  void find_connection(HttpExchange& exchange);
  void connect(HttpExchange& exchange);
  void connected(HttpExchange& exchange, Connector::Result result);
  bool offers_http2(const HttpExchange& exchange) const;
  bool follow(HttpExchange& exchange);
  void release_followers(HttpExchange& exchange);
  void send(ClientConnection& connection, HttpExchange& exchange);
  void dispose_of(ClientConnection& connection, const HttpExchange* last);
  void take_end(EndedExchange end, bool used_before);
  void close(ClientConnection& connection);
  void finish(HttpExchange& exchange, FetchEnd end, std::string trouble);
  void repeat(HttpExchange& exchange);
  void too_late(HttpExchange& exchange, const char* why);
  void drop_connection(HttpExchange& exchange);

  void on_connected(ClientConnection& connection) override;
  void on_handshake_failed(ClientConnection& connection, std::string trouble) override;
  void on_end(ClientConnection& connection, std::vector<EndedExchange> ended) override;
  void on_idle_end(ClientConnection& connection) override;
  void on_more(ClientConnection& connection) override { more_.push_back(&connection); }
  std::string request_text(const HttpExchange& exchange) const override;

  FetcherOptions options_;
  RequestText text_;
  HttpExchange::TooLate too_late_;
  std::unique_ptr<EventLoop> loop_;
  std::unique_ptr<Resolver> resolver_;
  std::shared_ptr<TlsClient> tls_;
  std::optional<Detour> detour_;
  BodyRoom<HttpExchange> room_;
  IdleConnections idle_;
  std::unique_ptr<Sweeper> sweeper_;
  std::vector<char> buffer_;
  std::unordered_map<ClientConnection*, std::unique_ptr<ClientConnection>> connections_;
  std::unordered_map<const HttpExchange*, std::unique_ptr<HttpExchange>> exchanges_;
  // For hosts with several addresses: the one that responded last.
  std::unordered_map<std::string, NetAddress, KeyedStringHash> last_address_;
  // HTTP/2, by host: connections with room for further requests, exchanges that make such a connection,
  // and hosts that refuse HTTP/1.1.
  std::unordered_map<std::string, ClientConnection*, KeyedStringHash, std::equal_to<>> shared_;
  std::unordered_map<std::string, HttpExchange*, KeyedStringHash, std::equal_to<>> connecting_;
  std::unordered_set<std::string, KeyedStringHash, std::equal_to<>> http2_only_;
  std::vector<ClientConnection*> more_;  // to be continued in the next turn
  std::vector<FetchOutcome> done_;
  std::uint64_t started_ = 0;  // exchanges started so far
};

}  // namespace bowerbird
