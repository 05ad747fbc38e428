// A connection of the client: TLS if the URL says so, then requests, one after the other with HTTP/1.1,
// several at once with HTTP/2.
//
// It handles what its socket reports until the socket has no more to say, but at most kMostPerTurn bytes at a
// time: then it asks its owner to be continued in the next turn of the loop, so that no server can keep the
// others waiting. An exchange that ends is reported to the owner, which decides what becomes of it and of the
// connection. Bytes that come while nothing was asked for end the connection. Invariant: after a call to the
// owner a connection does nothing more by itself. Threads: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/client_socket.h"
#include "fetch/http2_client.h"
#include "fetch/http_exchange.h"
#include "fetch/tls_client.h"
#include "parse/http1_response.h"
#include "sys/event_loop.h"

namespace bowerbird {

// How an exchange ended, as far as its connection knows.
struct EndedExchange {
  HttpExchange* exchange = nullptr;
  FetchEnd end = FetchEnd::kAnswered;
  std::string trouble;
  bool untouched = false;    // the server did not look at it
  bool needs_http1 = false;  // the server wants to be asked so
};

class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // Requests may be sent.
  virtual void on_connected(ClientConnection& connection) = 0;
  // No request was or can be sent: TLS failed.
  virtual void on_handshake_failed(ClientConnection& connection, std::string trouble) = 0;
  // One with HTTP/1.1; some, or none if the connection has become useless, with HTTP/2.
  virtual void on_end(ClientConnection& connection, std::vector<EndedExchange> ended) = 0;
  // An idle connection was closed by the other side, or has sent what nobody asked for.
  virtual void on_idle_end(ClientConnection& connection) = 0;
  // Call proceed() in the next turn.
  virtual void on_more(ClientConnection& connection) = 0;
  virtual std::string request_text(const HttpExchange& exchange) const = 0;
};

class ClientConnection final : public EventLoop::Handler {
 public:
  static constexpr std::size_t kMostPerTurn = 64 << 10;

  // A connected socket, which the loop watches already. buffer: shared, for reading.
  ClientConnection(ConnectionOwner& owner, EventLoop& loop, int fd, const NetAddress& address,
                   std::size_t max_head, std::vector<char>& buffer);

  // Begins TLS. Calls on_connected() or on_handshake_failed(), now or later.
  void start_tls(TlsClient& tls, const Url& url, bool http2);
  // An exchange that waits for the connection to be there; it is sent by send().
  void reserve(HttpExchange& exchange) { exchange_ = &exchange; }
  void send(HttpExchange& exchange);
  // Continues after a turn was used up.
  void proceed();
  // There may be room for what the exchange waits with.
  void resume(HttpExchange& exchange);
  // The exchange is no longer of interest; no other may be sent.
  void abandon(HttpExchange& exchange);
  // Tells the other side, unless it has gone.
  void say_goodbye() { socket_.finish(); }
  // Closes the socket; nothing can be done with the connection after that.
  void disconnect();
  // Whether another request can be sent, now or when those under way have ended.
  bool is_usable();
  bool has_room() const { return http2_ != nullptr && !spent_ && http2_->has_room(); }

  void on_ready(std::uint32_t events) override;

  const NetAddress& address() const { return address_; }
  bool tls() const { return socket_.ssl() != nullptr; }
  bool http2() const { return http2_ != nullptr; }
  // After a failed handshake: the server speaks none of the protocols we offered.
  bool refuses_http1() const { return socket_.refused_protocol(); }
  int status(const HttpExchange& exchange) const;
  // Why the certificate could not be verified, though the connection was made; null: it was.
  const char* certificate_fault() const {
    return tls() ? TlsClient::certificate_fault(socket_.ssl()) : nullptr;
  }
  // Requests under way.
  std::size_t streams() const { return http2_ ? http2_->streams() : exchange_ != nullptr ? 1 : 0; }
  HttpExchange* exchange() const { return exchange_; }
  // That were sent.
  std::uint32_t requests() const { return requests_; }

  std::string host;  // of the URL, with its port
  // For the owner's table of idle connections.
  std::int64_t due_us = 0;
  std::int64_t idle_since_us = 0;
  bool idle = false;

 private:
  using State = ClientSocket::State;
  using Step = Http1ResponseReader::Step;
  enum class Phase : std::uint8_t { kReady, kHandshake, kBusy };

  void advance();
  void advance_http2();
  bool read_http2();
  void write_http2();
  void report_http2();
  void shake_hands();
  void flush();
  void read();
  bool feed(std::string_view bytes);
  void take_end();
  void end(FetchEnd end, std::string trouble, bool keep = false);
  static EndedExchange ended_of(const Http2Client::Ended& ended, const std::string& trouble);
  bool read_nothing();
  static FetchEnd end_of(ResponseFault fault);

  ConnectionOwner& owner_;
  EventLoop& loop_;
  ClientSocket socket_;
  NetAddress address_;
  TlsPeer peer_;
  std::vector<char>& buffer_;
  Http1ResponseReader reader_;
  std::unique_ptr<Http2Client> http2_;
  HttpExchange* exchange_ = nullptr;
  std::string out_;
  std::size_t sent_ = 0;
  std::string held_;            // bytes for which there was no room
  std::size_t held_piece_ = 0;  // of those, the piece of a body
  Phase phase_ = Phase::kReady;
  bool readable_ = false;
  bool writable_ = true;
  bool hung_up_ = false;  // the other side will send nothing more
  bool spent_ = false;    // no further request may be sent
  std::size_t max_head_;
  std::uint32_t requests_ = 0;
};

}  // namespace bowerbird
