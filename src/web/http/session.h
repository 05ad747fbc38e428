// The protocol of one connection without a socket: bytes and time in; bytes and what to do with the
// connection out.
//
// The owner of the socket passes what arrives to receive(), sends what output() returns, reports it with
// sent(), and calls proceed() at deadline_us(). Once ending() is no longer kKeep and output() is empty, it
// must close or reset the connection. Nothing here waits or reads a clock, so a whole conversation can be
// tested without a network.
//
// Times are of the monotonic clock. Threads: a session and its context belong to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "sys/clock.h"
#include "web/http/access_log.h"
#include "web/http/handler.h"

namespace bowerbird {

// A session with this much output accepts no further requests.
inline constexpr std::size_t kMuchOutput = 1 << 18;

// What the sessions of one thread share.
struct ServeContext {
  ServeContext(HttpHandler& h, std::string_view name, const Clock& c, AccessSink* sink, std::size_t body = 0)
      : handler(h), server_name(name), web_clock(c), largest_body(body), log(sink) {}

  // The Date field of a response at this time of the Web.
  std::string_view date(std::int64_t web_us);

  HttpHandler& handler;
  std::string_view server_name;
  const Clock& web_clock;
  std::size_t largest_body;
  AccessLog log;
  HttpResponse answer;

 private:
  std::int64_t date_second_ = -1;
  std::string date_;
};

struct Peer {
  std::uint64_t connection = 0;
  std::uint16_t port = 0;
  bool tls = false;
  bool local = false;  // a process of the same user, over the Unix socket
};

class Session {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  virtual ~Session() = default;
  virtual void receive(std::string_view bytes, std::int64_t now_us) = 0;
  virtual void proceed(std::int64_t now_us) = 0;
  virtual std::string_view output() const = 0;
  virtual void sent(std::size_t bytes, std::int64_t now_us) = 0;
  virtual std::int64_t deadline_us() const = 0;
  virtual Ending ending() const = 0;
  // False: it has enough to do; further input may wait in the kernel.
  virtual bool wants_input() const = 0;
  // A request has begun to arrive and is not complete.
  virtual bool in_request() const { return false; }
  // Something is to be asked again after Server::wake().
  virtual bool waits() const { return false; }
  // The client has disconnected: logs the aborted responses.
  virtual void gone(std::int64_t now_us) = 0;
};

std::unique_ptr<Session> make_http1_session(ServeContext& context, const Peer& peer);
std::unique_ptr<Session> make_http2_session(ServeContext& context, const Peer& peer);

// The first bytes of a client with prior knowledge of HTTP/2 (RFC 9113, 3.4).
inline constexpr std::string_view kHttp2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string_view status_reason(int status);

// How many bytes of a paced response may have been sent at a given time. Pure.
struct SendRate {
  std::int64_t begin_us = 0;
  std::uint64_t bytes_per_second = 0;  // 0: all at once

  std::uint64_t allowed(std::int64_t now_us, std::uint64_t size) const;
  // When enough bytes beyond `sent` are allowed to be worth sending.
  std::int64_t next_us(std::uint64_t sent) const;
};

}  // namespace bowerbird
