#include "web/http/connection.h"

#include <sys/epoll.h>

#include <algorithm>

#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr unsigned char kTlsHandshake = 0x16;  // the first byte of a ClientHello's record
constexpr std::int64_t kDrainUs = 1'000'000;   // how long a closed connection is still read
constexpr std::int64_t kShortestTimerUs = 100;
constexpr std::size_t kMostInATurn = std::size_t{1}
                                     << 20;  // bytes sent before the other connections of the thread

}  // namespace

Connection::Connection(ConnectionHome& home, int fd, const Peer& peer)
    : home_(home), transport_(fd), peer_(peer) {}

Connection::~Connection() {
  home_.loop.clear_timer(*this);
  if (session_ != nullptr) session_->gone(MonotonicClock().now_us());
}

Status Connection::start() {
  now_us_ = active_us_ = request_since_ = MonotonicClock().now_us();
  interest_ = EPOLLIN;
  BB_TRY_VOID(home_.loop.watch(transport_.fd(), interest_, *this));
  update_timer();
  return {};
}

void Connection::on_ready(std::uint32_t events) {
  now_us_ = MonotonicClock().now_us();
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) return over();  // gone in both directions
  if ((events & EPOLLOUT) != 0) blocked_ = false;
  advance();
}

void Connection::on_timer() {
  timer_us_ = Session::kNever;
  now_us_ = MonotonicClock().now_us();
  if (now_us_ >= patience_ends()) return over();
  advance();
}

void Connection::wake() {
  if (stage_ != Stage::kOpen || !session_->waits()) return;
  now_us_ = MonotonicClock().now_us();
  advance();
}

// Since when a request has been on its way, or a new client has sent none.
void Connection::note_request() {
  if (session_ != nullptr && !session_->in_request()) {
    request_since_ = Session::kNever;
  } else if (request_since_ == Session::kNever) {
    request_since_ = now_us_;
  }
}

// When the client has been silent, or slow, for too long.
std::int64_t Connection::patience_ends() const {
  if (stage_ == Stage::kDraining) return active_us_ + kDrainUs;
  // A pending response or a stream has its own deadline.
  if (stage_ == Stage::kOpen && session_->waits() && !blocked_) return Session::kNever;
  const std::int64_t idle = active_us_ + home_.idle_us;
  if (home_.request_us == 0 || request_since_ == Session::kNever) return idle;
  return std::min(idle, request_since_ + home_.request_us);
}

void Connection::leave() {
  leaving_ = true;
  if (stage_ == Stage::kOver) return;
  now_us_ = MonotonicClock().now_us();
  if (stage_ == Stage::kDraining || nothing_to_do()) over();
}

void Connection::advance() {
  if (stage_ == Stage::kNew) find_protocol();
  if (stage_ == Stage::kHandshake) do_handshake();
  if (stage_ == Stage::kPlain || stage_ == Stage::kOpen) read();
  if (stage_ == Stage::kOpen) write();
  if (stage_ == Stage::kDraining) drain();
  if (stage_ == Stage::kOver) return;
  note_request();
  update_interest();
  update_timer();
}

void Connection::find_protocol() {
  if (home_.tls == nullptr) {
    stage_ = Stage::kPlain;
    return;
  }
  unsigned char first = 0;
  const Transport::State state = transport_.peek(first);
  if (state == Transport::kAgain) return;
  if (state != Transport::kOk) return over();
  stage_ = Stage::kPlain;
  if (first != kTlsHandshake) return home_.tls_only ? over() : void();
  SSL* ssl = home_.tls->begin(transport_.fd());
  if (ssl == nullptr) return over();
  transport_.start_tls(ssl);
  peer_.tls = true;
  stage_ = Stage::kHandshake;
}

void Connection::do_handshake() {
  const Transport::State state = transport_.handshake();
  if (state == Transport::kAgain) return;
  if (state != Transport::kOk) return over();
  active_us_ = now_us_;
  session_ = home_.http2 && transport_.alpn() == "h2" ? make_http2_session(home_.context, peer_)
                                                      : make_http1_session(home_.context, peer_);
  session_->proceed(now_us_);
  stage_ = Stage::kOpen;
}

void Connection::find_plain_protocol(std::string_view bytes) {
  first_.append(bytes);
  const std::size_t n = std::min(first_.size(), kHttp2Preface.size());
  const bool may_be_http2 =
      home_.http2 && std::string_view(first_).substr(0, n) == kHttp2Preface.substr(0, n);
  if (may_be_http2 && n < kHttp2Preface.size()) return;
  session_ =
      may_be_http2 ? make_http2_session(home_.context, peer_) : make_http1_session(home_.context, peer_);
  stage_ = Stage::kOpen;
  session_->receive(first_, now_us_);
  first_ = {};
}

void Connection::read() {
  while (!input_ended_ && (session_ == nullptr || session_->wants_input())) {
    const auto [state, bytes] = transport_.read(home_.buffer.data(), home_.buffer.size());
    if (state == Transport::kAgain) return;
    if (state == Transport::kBroken) return over();
    if (state == Transport::kEnd) {
      input_ended_ = true;  // pending requests are still answered
      return nothing_to_do() ? over() : void();
    }
    active_us_ = now_us_;
    const std::string_view got(home_.buffer.data(), bytes);
    if (session_ == nullptr) {
      find_plain_protocol(got);
    } else {
      session_->receive(got, now_us_);
    }
    // A full buffer or decrypted bytes: there may be more; otherwise the socket reports it.
    if (bytes < home_.buffer.size() && !transport_.has_buffered()) return;
    if (session_ != nullptr && !session_->output().empty()) write();
    if (stage_ != Stage::kPlain && stage_ != Stage::kOpen) return;
  }
}

void Connection::write() {
  std::size_t written = 0;
  for (;;) {
    while (!blocked_) {
      const std::string_view output = session_->output();
      if (output.empty()) break;
      const auto [state, bytes] = transport_.write(output);
      if (state == Transport::kAgain) {
        blocked_ = true;
      } else if (state != Transport::kOk) {
        return over();
      } else {
        active_us_ = now_us_ = MonotonicClock().now_us();
        session_->sent(bytes, now_us_);
        written += bytes;
        blocked_ = written >= kMostInATurn;  // the socket reports at once that it takes more
      }
    }
    if (blocked_) return;
    session_->proceed(now_us_);
    if (session_->output().empty()) break;
  }
  if (session_->ending() != Ending::kKeep) return end(session_->ending());
  if ((input_ended_ || leaving_) && nothing_to_do()) return over();
}

bool Connection::nothing_to_do() const {
  return session_ == nullptr || (session_->output().empty() && session_->deadline_us() == Session::kNever);
}

void Connection::end(Ending ending) {
  if (ending == Ending::kReset) {
    transport_.reset_on_close();
    return over();
  }
  if (input_ended_) return over();
  transport_.finish_sending();
  stage_ = Stage::kDraining;
  active_us_ = now_us_;
}

void Connection::drain() {
  for (;;) {
    const auto [state, bytes] = transport_.read(home_.buffer.data(), home_.buffer.size());
    if (state == Transport::kAgain) return;
    if (state != Transport::kOk) return over();
  }
}

void Connection::over() {
  if (stage_ == Stage::kOver) return;
  stage_ = Stage::kOver;
  home_.loop.forget(transport_.fd());
  home_.on_over(*this);
}

void Connection::update_interest() {
  const bool listens =
      !input_ended_ && (session_ == nullptr || stage_ == Stage::kDraining || session_->wants_input());
  const std::uint32_t wanted = (listens ? EPOLLIN : 0u) | (blocked_ ? EPOLLOUT : 0u);
  if (wanted == interest_) return;
  interest_ = wanted;
  home_.loop.change(transport_.fd(), interest_, *this);
}

void Connection::update_timer() {
  std::int64_t wanted = patience_ends();
  if (stage_ == Stage::kOpen && !blocked_) {
    wanted = std::min(wanted, std::max(session_->deadline_us(), now_us_ + kShortestTimerUs));
  }
  // The timer of an idle connection is not moved with every request, but checked when it fires.
  if (timer_us_ <= wanted && timer_us_ > now_us_) return;
  timer_us_ = wanted;
  home_.loop.set_timer(*this, wanted);
}

}  // namespace bowerbird
