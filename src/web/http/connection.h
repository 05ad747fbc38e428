// A client's connection: moves bytes between its socket and its session, and drives the session's timers.
//
// First it detects the protocol: TLS by its first byte, HTTP/2 by ALPN or by its preface, HTTP/1 otherwise.
// Before closing, a connection sends its remaining output, then reads for a moment, so that the client gets
// all of it. Ownership: the worker owns it, and destroys it when it calls on_over. Threads: its worker's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sys/event_loop.h"
#include "web/http/session.h"
#include "web/http/tls.h"
#include "web/http/transport.h"

namespace bowerbird {

struct ConnectionHome {
  EventLoop& loop;
  ServeContext& context;
  TlsServer* tls;           // null: no TLS
  std::int64_t idle_us;     // a client that is silent for this long is disconnected
  std::int64_t request_us;  // so long a request may take to arrive; 0: any time
  bool http2;
  bool tls_only;                                     // clients without TLS are disconnected
  std::function<void(EventLoop::Handler&)> on_over;  // retires it
  std::string buffer;                                // for reading; at least 16 KiB
};

class Connection final : public EventLoop::Handler {
 public:
  Connection(ConnectionHome& home, int fd, const Peer& peer);
  ~Connection() override;

  Status start();
  void on_ready(std::uint32_t events) override;
  void on_timer() override;
  // Closes at once if no response is in progress, else after it.
  void leave();
  // Asks again what the session waits for.
  void wake();
  // Since when a request is awaited, or has been arriving; kNever: one is being answered.
  std::int64_t request_since() const { return request_since_; }
  bool is_local() const { return peer_.local; }
  // Closes at once.
  void drop() { over(); }

 private:
  enum class Stage { kNew, kHandshake, kPlain, kOpen, kDraining, kOver };

  void advance();
  void find_protocol();
  void do_handshake();
  void find_plain_protocol(std::string_view bytes);
  void read();
  void write();
  void drain();
  bool nothing_to_do() const;
  void end(Ending ending);
  void over();
  void note_request();
  std::int64_t patience_ends() const;
  void update_interest();
  void update_timer();

  ConnectionHome& home_;
  Transport transport_;
  Peer peer_;
  Stage stage_ = Stage::kNew;
  std::unique_ptr<Session> session_;
  std::string first_;  // bytes that may be the beginning of the HTTP/2 preface
  std::int64_t now_us_ = 0;
  std::int64_t active_us_ = 0;  // time of the last activity
  std::int64_t timer_us_ = Session::kNever;
  std::int64_t request_since_ = 0;
  std::uint32_t interest_ = 0;
  bool blocked_ = false;      // the kernel accepts no more output for now
  bool input_ended_ = false;  // the client has finished sending
  bool leaving_ = false;
};

}  // namespace bowerbird
