#include "fetch/client_connection.h"

#include <sys/epoll.h>

#include <utility>

#include "sys/clock.h"

namespace bowerbird {

ClientConnection::ClientConnection(ConnectionOwner& owner, EventLoop& loop, int fd, const NetAddress& address,
                                   std::size_t max_head, std::vector<char>& buffer)
    : owner_(owner),
      loop_(loop),
      socket_(fd),
      address_(address),
      buffer_(buffer),
      reader_(max_head),
      max_head_(max_head) {
  loop_.change(fd, Connector::kEvents, *this);
}

void ClientConnection::disconnect() {
  socket_.close();  // also removes it from the loop
}

void ClientConnection::start_tls(TlsClient& tls, const Url& url, bool http2) {
  SSL* const ssl = tls.begin(url.hostname(), url.port(), http2, peer_);
  if (ssl == nullptr || !socket_.start_tls(ssl)) {
    owner_.on_handshake_failed(*this, "out of memory");
    return;
  }
  phase_ = Phase::kHandshake;
  shake_hands();
}

void ClientConnection::on_ready(std::uint32_t events) {
  if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) readable_ = true;
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) hung_up_ = true;
  if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) writable_ = true;
  advance();
}

void ClientConnection::advance() {
  if (phase_ == Phase::kHandshake) {
    shake_hands();
  } else if (http2_) {
    advance_http2();
  } else if (phase_ == Phase::kBusy) {
    if (exchange_ == nullptr) return;
    flush();
    if (readable_) read();
  } else if (idle && readable_ && !read_nothing()) {
    owner_.on_idle_end(*this);
  }
}

void ClientConnection::shake_hands() {
  switch (socket_.handshake()) {
    case State::kAgain:
      return;
    case State::kOk:
      phase_ = Phase::kReady;
      if (socket_.alpn() == "h2") http2_ = std::make_unique<Http2Client>(max_head_);
      owner_.on_connected(*this);
      return;
    default: {
      const char* const fault = TlsClient::certificate_fault(socket_.ssl());
      owner_.on_handshake_failed(*this, fault != nullptr ? fault : socket_.trouble());
    }
  }
}

// ---- requests

void ClientConnection::send(HttpExchange& exchange) {
  ++requests_;
  if (http2_) {
    exchange_ = nullptr;
    exchange.outcome.http2 = true;
    if (!http2_->submit(exchange, owner_.request_text(exchange))) {
      spent_ = true;
      owner_.on_end(*this, {{&exchange, FetchEnd::kBroken, "the server ended HTTP/2", true, false}});
      return;
    }
    exchange.request_sent(MonotonicClock().now_us());
    advance_http2();
    return;
  }
  exchange_ = &exchange;
  phase_ = Phase::kBusy;
  if (requests_ > 1) reader_.reset();
  held_.clear();
  out_ = owner_.request_text(exchange);
  sent_ = 0;
  advance();
}

void ClientConnection::abandon(HttpExchange& exchange) {
  spent_ = true;
  if (http2_) {
    http2_->cancel(exchange);
    write_http2();
  }
  if (exchange_ == &exchange) exchange_ = nullptr;
}

int ClientConnection::status(const HttpExchange& exchange) const {
  return http2_ ? http2_->status(exchange) : reader_.status();
}

void ClientConnection::flush() {
  while (writable_ && sent_ < out_.size()) {
    const auto [state, bytes] = socket_.write(std::string_view(out_).substr(sent_));
    if (state == State::kAgain) {
      writable_ = false;
    } else if (state != State::kOk) {
      // A response may have arrived before the server closed the connection.
      sent_ = out_.size();
      readable_ = true;
    } else {
      sent_ += bytes;
    }
  }
  if (!out_.empty() && sent_ == out_.size()) {
    std::string().swap(out_);
    sent_ = 0;
    exchange_->request_sent(MonotonicClock().now_us());
  }
}

// ---- responses

void ClientConnection::resume(HttpExchange& exchange) {
  if (http2_) {
    http2_->resume(exchange, MonotonicClock().now_us());
    advance_http2();
  } else {
    proceed();
  }
}

void ClientConnection::proceed() {
  if (http2_) return advance_http2();
  if (exchange_ == nullptr || phase_ != Phase::kBusy) return;
  if (!held_.empty()) {
    const std::string held = std::exchange(held_, {});
    const std::string_view bytes = held;
    switch (exchange_->take_body(bytes.substr(0, held_piece_), MonotonicClock().now_us())) {
      case HttpExchange::Take::kWait:
        held_ = held;
        return;
      case HttpExchange::Take::kStop:
        end(FetchEnd::kAnswered, {});
        return;
      case HttpExchange::Take::kMore:
        if (!feed(bytes.substr(held_piece_))) return;
    }
  }
  flush();
  if (readable_) read();
}

void ClientConnection::read() {
  std::size_t turn = 0;
  while (readable_ && held_.empty()) {
    if (turn >= kMostPerTurn) {
      owner_.on_more(*this);
      return;
    }
    const auto [state, bytes] = socket_.read(buffer_.data(), buffer_.size());
    switch (state) {
      case State::kAgain:
        readable_ = false;
        return;
      case State::kEnd:
        take_end();
        return;
      case State::kBroken:
        end(FetchEnd::kBroken, socket_.trouble());
        return;
      case State::kOk:
        break;
    }
    turn += bytes;
    exchange_->received(bytes, MonotonicClock().now_us());
    // A short read means that a plain socket has no more data for now.
    if (!tls() && bytes < buffer_.size() && !hung_up_) readable_ = false;
    if (!feed({buffer_.data(), bytes})) return;
  }
}

// False: the exchange has ended or waits.
bool ClientConnection::feed(std::string_view bytes) {
  for (;;) {
    switch (reader_.read(bytes)) {
      case Step::kMore:
        return true;
      case Step::kHead: {
        std::string head = std::move(reader_.head());
        if (exchange_->begin_body(reader_.status(), std::move(head), reader_.length()) ==
            HttpExchange::Take::kStop) {
          end(FetchEnd::kAnswered, {});
          return false;
        }
        break;
      }
      case Step::kBody: {
        const std::string_view piece = reader_.piece();
        const HttpExchange::Take take = exchange_->take_body(piece, MonotonicClock().now_us());
        if (take == HttpExchange::Take::kStop) {
          end(FetchEnd::kAnswered, {});
          return false;
        }
        if (take == HttpExchange::Take::kWait) {
          held_.assign(piece).append(bytes);
          held_piece_ = piece.size();
          return false;
        }
        break;
      }
      case Step::kEnd:
        // Further bytes were not requested.
        end(FetchEnd::kAnswered, {}, reader_.keep_alive() && bytes.empty() && out_.empty());
        return false;
      case Step::kBad:
        end(end_of(reader_.fault()), reader_.why());
        return false;
    }
  }
}

void ClientConnection::take_end() {
  if (reader_.end_of_input() == Step::kBad) {
    end(end_of(reader_.fault()), reader_.why());
  } else if (reader_.ends_with_input() && socket_.was_cut()) {
    end(FetchEnd::kBroken, "the connection was closed without a TLS close");
  } else {
    end(FetchEnd::kAnswered, {});
  }
}

void ClientConnection::end(FetchEnd how, std::string trouble, bool keep) {
  HttpExchange& exchange = *std::exchange(exchange_, nullptr);
  exchange.outcome.status = reader_.status();
  phase_ = Phase::kReady;
  std::string().swap(out_);
  sent_ = 0;
  spent_ = !keep;
  owner_.on_end(*this, {{&exchange, how, std::move(trouble), false, false}});
}

// Bytes that the socket has already reported are read with the next response; later ones cause an event.
bool ClientConnection::is_usable() {
  if (http2_) return !spent_ && http2_->is_usable();
  return !spent_ && !hung_up_ && (!socket_.has_buffered() || read_nothing());
}

// TLS may have messages to process, such as a session ticket.
bool ClientConnection::read_nothing() {
  const auto [state, bytes] = socket_.read(buffer_.data(), buffer_.size());
  if (state == State::kAgain) readable_ = false;
  return state == State::kAgain;
}

// ---- HTTP/2

void ClientConnection::advance_http2() {
  const bool open = !readable_ || read_http2();
  write_http2();
  if (!open) spent_ = true;
  report_http2();
}

// False: the connection has ended.
bool ClientConnection::read_http2() {
  for (std::size_t turn = 0; readable_;) {
    if (turn >= kMostPerTurn) {
      owner_.on_more(*this);
      return true;
    }
    const auto [state, bytes] = socket_.read(buffer_.data(), buffer_.size());
    if (state == State::kAgain) {
      readable_ = false;
    } else if (state == State::kOk) {
      turn += bytes;
      if (!http2_->receive({buffer_.data(), bytes}, MonotonicClock().now_us())) return false;
    } else {
      http2_->end_of_input();
      return false;
    }
  }
  return true;
}

void ClientConnection::write_http2() {
  for (;;) {
    if (out_.empty()) http2_->take_output(out_);
    if (out_.empty() || !writable_) return;
    const auto [state, bytes] = socket_.write(std::string_view(out_).substr(sent_));
    if (state == State::kAgain) {
      writable_ = false;
    } else if (state == State::kOk) {
      sent_ += bytes;
      if (sent_ == out_.size()) {
        std::string().swap(out_);
        sent_ = 0;
      }
    } else {
      out_.clear();
      sent_ = 0;
      http2_->end_of_input();
      spent_ = true;
      return;
    }
  }
}

void ClientConnection::report_http2() {
  std::vector<EndedExchange> ended;
  for (const Http2Client::Ended& one : http2_->take_ended())
    ended.push_back(ended_of(one, http2_->trouble()));
  const bool useless = http2_->streams() == 0 && !is_usable();
  if (idle) {
    if (useless) owner_.on_idle_end(*this);
  } else if (!ended.empty() || useless) {
    owner_.on_end(*this, std::move(ended));
  }
}

EndedExchange ClientConnection::ended_of(const Http2Client::Ended& ended, const std::string& trouble) {
  auto* const exchange = static_cast<HttpExchange*>(ended.sink);
  using End = Http2Client::End;
  switch (ended.end) {
    case End::kDone:
    case End::kStopped:
      return {exchange, FetchEnd::kAnswered, {}, false, false};
    case End::kMalformed:
      return {exchange, FetchEnd::kMalformed, trouble.empty() ? "not HTTP/2" : trouble, false, false};
    case End::kHeadTooLarge:
      return {exchange, FetchEnd::kHeadTooLarge, "the headers are larger than allowed", false, false};
    case End::kRefused:
      return {exchange, FetchEnd::kBroken, "the server refused the request", true, false};
    case End::kNeedsHttp1:
      return {exchange, FetchEnd::kBroken, "the server requires HTTP/1.1", true, true};
    case End::kBroken:
      break;
  }
  return {exchange, FetchEnd::kBroken, trouble.empty() ? "the server ended the response" : trouble, false,
          false};
}

FetchEnd ClientConnection::end_of(ResponseFault fault) {
  switch (fault) {
    case ResponseFault::kMalformed:
      return FetchEnd::kMalformed;
    case ResponseFault::kHeadTooLarge:
      return FetchEnd::kHeadTooLarge;
    case ResponseFault::kCutShort:
      return FetchEnd::kCutShort;
    default:
      return FetchEnd::kBroken;
  }
}

}  // namespace bowerbird
