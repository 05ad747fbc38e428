// A connection of the client: TLS if the URL needs it, then requests, one after the other with HTTP/1.1,
// several at once with HTTP/2.
//
// It handles the events of its socket until there is nothing more to read, but at most kMostPerTurn bytes
// at a time. Then it asks its owner to call proceed() in the next turn of the loop, so that no server can
// starve the others. When an exchange ends, the owner decides what follows for it and for the connection.
// Bytes that arrive without a request end the connection. Invariant: after a callback to the owner, a
// connection does nothing on its own. Threads: the loop's.
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

// How an exchange ended, as seen by its connection.
struct EndedExchange {
  HttpExchange* exchange = nullptr;
  FetchEnd end = FetchEnd::kAnswered;
  std::string trouble;
  bool untouched = false;    // the server did not process it: it may be repeated
  bool needs_http1 = false;  // the server requires HTTP/1.1
};

class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // Requests can be sent.
  virtual void on_connected(ClientConnection& connection) = 0;
  // TLS failed, so no request was sent.
  virtual void on_handshake_failed(ClientConnection& connection, std::string trouble) = 0;
  // HTTP/1.1: one exchange ended. HTTP/2: some ended, or none if the connection can no longer be used.
  virtual void on_end(ClientConnection& connection, std::vector<EndedExchange> ended) = 0;
  // The peer has closed an idle connection, or sent bytes without a request.
  virtual void on_idle_end(ClientConnection& connection) = 0;
  // Call proceed() in the next turn of the loop.
  virtual void on_more(ClientConnection& connection) = 0;
  virtual std::string request_text(const HttpExchange& exchange) const = 0;
};

class ClientConnection final : public EventLoop::Handler {
 public:
  static constexpr std::size_t kMostPerTurn = 64 << 10;

  // fd: a connected socket that the loop already watches. buffer: for reading; shared.
  ClientConnection(ConnectionOwner& owner, EventLoop& loop, int fd, const NetAddress& address,
                   std::size_t max_head, std::vector<char>& buffer);

  // Starts TLS. Calls on_connected() or on_handshake_failed(), now or later.
  void start_tls(TlsClient& tls, const Url& url, bool http2);
  // The exchange that will be sent with send() once the connection is ready.
  void reserve(HttpExchange& exchange) { exchange_ = &exchange; }
  void send(HttpExchange& exchange);
  // Continues in the next turn of the loop, after kMostPerTurn bytes.
  void proceed();
  // Retries after the exchange had to wait for room.
  void resume(HttpExchange& exchange);
  // Drops the exchange. No other may be sent.
  void abandon(HttpExchange& exchange);
  // Sends close_notify, unless the peer has already closed.
  void send_close_notify() { socket_.finish(); }
  // Closes the socket. The connection cannot be used after that.
  void disconnect();
  // Whether another request can be sent, now or when those in flight have ended.
  bool is_usable();
  bool has_room() const { return http2_ != nullptr && !spent_ && http2_->has_room(); }

  void on_ready(std::uint32_t events) override;

  const NetAddress& address() const { return address_; }
  bool tls() const { return socket_.ssl() != nullptr; }
  bool http2() const { return http2_ != nullptr; }
  // Whether the handshake failed because the server supports none of our protocols.
  bool refuses_http1() const { return socket_.refused_protocol(); }
  int status(const HttpExchange& exchange) const;
  // Why the certificate could not be verified although the connection was made; null: it was verified.
  const char* certificate_fault() const {
    return tls() ? TlsClient::certificate_fault(socket_.ssl()) : nullptr;
  }
  // Requests in flight.
  std::size_t streams() const { return http2_ ? http2_->streams() : exchange_ != nullptr ? 1 : 0; }
  HttpExchange* exchange() const { return exchange_; }
  // Requests sent so far.
  std::uint32_t requests() const { return requests_; }

  std::string host;  // of the URL, including the port
  // For IdleConnections.
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
  std::string held_;            // received bytes for which there was no room
  std::size_t held_piece_ = 0;  // how many of them are a piece of the body
  Phase phase_ = Phase::kReady;
  bool readable_ = false;
  bool writable_ = true;
  bool hung_up_ = false;  // the peer has closed its side
  bool spent_ = false;    // no further request may be sent
  std::size_t max_head_;
  std::uint32_t requests_ = 0;
};

}  // namespace bowerbird
