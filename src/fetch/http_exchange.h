// One request under way, whatever it travels by: what it gathers, where it stops gathering, and when it is
// too late.
//
// A response arrives as begin_body() and take_body(); both say how to go on. Bodies of all exchanges share a
// BodyRoom. Deadlines are one timer of the loop, which is set again when it fires too early, so that a
// request costs one. Owned by the fetcher. Threads: the loop's.
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

  // From now on it has its deadlines.
  void begin(std::int64_t now_us);
  // The connection is there, or a new one has to be made.
  void set_connected(bool connected, std::int64_t now_us);
  void request_sent(std::int64_t now_us);
  void received(std::size_t bytes, std::int64_t now_us) override;
  Take begin_body(int status, std::string head, std::optional<std::uint64_t> length) override;
  Take take_body(std::string_view bytes, std::int64_t now_us) override;
  // There may be room for the piece that it waits with.
  void resume(std::int64_t now_us);
  // Forgets the response: the request is repeated.
  void start_over();

  std::int64_t begun_us() const { return begun_us_; }
  bool has_response() const { return responded_; }
  void on_ready(std::uint32_t) override {}
  void on_timer() override;

  std::uint64_t serial = 0;  // tells it from another one at the same address
  FetchRequest request;
  FetchOutcome outcome;
  Url url;
  std::vector<NetAddress> addresses;     // that may be connected to
  std::unique_ptr<Connector> connector;  // while a connection is made
  ClientConnection* connection = nullptr;
  // Others that wait for the connection that this one makes, and the one that this one waits for.
  std::vector<HttpExchange*> followers;
  HttpExchange* leader = nullptr;
  bool repeated = false;
  bool http1_only = false;

 private:
  std::int64_t next_deadline_us() const;
  void append(std::string_view bytes);

  const FetcherOptions& options_;
  BodyRoom<HttpExchange>& room_;
  EventLoop& loop_;
  const TooLate& too_late_;
  std::int64_t begun_us_ = 0;
  std::int64_t until_us_ = 0;
  std::int64_t connect_until_us_ = 0;
  std::int64_t slow_until_us_ = 0;  // the end of the span whose bytes are counted
  std::uint64_t lately_ = 0;        // bytes in that span
  std::uint64_t max_body_ = 0;
  std::uint64_t skipped_ = 0;
  bool connected_ = false;
  bool responded_ = false;
  bool waits_ = false;
};

}  // namespace bowerbird
