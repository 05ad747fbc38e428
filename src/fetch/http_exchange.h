// One request in flight, by any protocol: what it has received, when it stops receiving, and its
// deadlines.
//
// A response arrives through begin_body() and take_body(); their results say how to continue. The bodies
// of all exchanges share a BodyRoom. All deadlines use one timer of the loop, which is restarted if it
// fires early, so that a request costs one timer. Owned by the fetcher. Threads: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/body_room.h"
#include "fetch/connector.h"
#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"
#include "fetch/response_sink.h"
#include "sys/event_loop.h"
#include "url/url.h"

namespace bowerbird {

class ClientConnection;

class HttpExchange final : public EventLoop::Handler, public ResponseSink {
 public:
  using TooLate = std::function<void(HttpExchange&, const char* why)>;

  HttpExchange(const FetcherOptions& options, BodyRoom<HttpExchange>& room, EventLoop& loop,
               const TooLate& too_late);
  ~HttpExchange() override;
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  // Starts its deadlines.
  void begin(std::int64_t now_us);
  // Whether it has a connection, or a new one has to be made.
  void set_connected(bool connected, std::int64_t now_us);
  void request_sent(std::int64_t now_us);
  void received(std::size_t bytes, std::int64_t now_us) override;
  Take begin_body(int status, std::string head, std::optional<std::uint64_t> length) override;
  Take take_body(std::string_view bytes, std::int64_t now_us) override;
  // Continues after waiting for room.
  void resume(std::int64_t now_us);
  // Drops the response: the request is repeated.
  void start_over();

  std::int64_t begun_us() const { return begun_us_; }
  bool has_response() const { return responded_; }
  void on_ready(std::uint32_t) override {}
  void on_timer() override;

  std::uint64_t serial = 0;  // distinguishes it from a later one at the same memory address
  FetchRequest request;
  FetchOutcome outcome;
  Url url;
  std::vector<NetAddress> addresses;     // addresses to connect to
  std::unique_ptr<Connector> connector;  // while connecting
  ClientConnection* connection = nullptr;
  // HTTP/2: exchanges that wait for the connection that this one makes; the one for whose connection this one
  // waits.
  std::vector<HttpExchange*> followers;
  HttpExchange* leader = nullptr;
  bool repeated = false;
  bool http1_only = false;

 private:
  std::int64_t next_deadline_us() const;

  const FetcherOptions& options_;
  BodyRoom<HttpExchange>& room_;
  EventLoop& loop_;
  const TooLate& too_late_;
  std::int64_t begun_us_ = 0;
  std::int64_t until_us_ = 0;
  std::int64_t connect_until_us_ = 0;
  std::int64_t slow_until_us_ = 0;  // end of the span in which bytes are counted
  std::uint64_t lately_ = 0;        // bytes received in that span
  std::uint64_t max_body_ = 0;
  std::uint64_t skipped_ = 0;
  bool connected_ = false;
  bool responded_ = false;
  bool waits_ = false;
};

}  // namespace bowerbird
