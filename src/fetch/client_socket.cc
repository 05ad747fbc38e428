#include "fetch/client_socket.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace bowerbird {

namespace {

bool is_retry(int code) {
  return code == EAGAIN || code == EWOULDBLOCK || code == EINTR;
}

long bio_control(BIO*, int command, long, void*) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace

void ClientSocket::close() {
  SSL_free(std::exchange(ssl_, nullptr));
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

const BIO_METHOD* ClientSocket::bio_method() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "client socket");
    BIO_meth_set_write(made, bio_write);
    BIO_meth_set_read(made, bio_read);
    BIO_meth_set_ctrl(made, bio_control);
    return made;
  }();
  return method;
}

int ClientSocket::bio_write(BIO* bio, const char* bytes, int size) {
  const auto* const self = static_cast<const ClientSocket*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const auto n =
      ::send(self->fd_, bytes, static_cast<std::size_t>(std::max(0, size)), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n < 0 && is_retry(errno)) BIO_set_retry_write(bio);
  return static_cast<int>(n);
}

int ClientSocket::bio_read(BIO* bio, char* to, int size) {
  auto* const self = static_cast<ClientSocket*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const auto n = ::recv(self->fd_, to, static_cast<std::size_t>(std::max(0, size)), MSG_DONTWAIT);
  if (n == 0) {
    self->ended_ = true;
    BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  }
  if (n < 0 && is_retry(errno)) BIO_set_retry_read(bio);
  return static_cast<int>(n);
}

bool ClientSocket::start_tls(SSL* ssl) {
  ssl_ = ssl;
  BIO* const bio = BIO_new(bio_method());
  if (bio == nullptr) return false;
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  return true;
}

ClientSocket::State ClientSocket::state_of(int result) {
  const int reason = errno;
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return State::kAgain;
    case SSL_ERROR_ZERO_RETURN:
      return State::kEnd;
    case SSL_ERROR_SYSCALL:
      broken_ = true;
      trouble_ = ended_ || reason == 0 ? "the server closed the connection" : std::strerror(reason);
      return State::kBroken;
    default:
      break;
  }
  broken_ = true;
  const unsigned long code = ERR_peek_error();
  refused_protocol_ = ERR_GET_REASON(code) == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL;
  const char* const text = code == 0 ? nullptr : ERR_reason_error_string(code);
  trouble_ = text != nullptr ? text : "TLS error";
  return State::kBroken;
}

ClientSocket::State ClientSocket::handshake() {
  ERR_clear_error();
  errno = 0;
  const int result = SSL_do_handshake(ssl_);
  if (result == 1) return State::kOk;
  const State state = state_of(result);
  if (state != State::kEnd) return state;
  trouble_ = "the server closed the connection";
  return State::kBroken;
}

std::string_view ClientSocket::alpn() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_, &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

ClientSocket::IoResult ClientSocket::read(char* to, std::size_t size) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    errno = 0;
    const int n = SSL_read(ssl_, to, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
    return n > 0 ? IoResult{State::kOk, static_cast<std::size_t>(n)} : IoResult{state_of(n), 0};
  }
  const auto n = ::recv(fd_, to, size, MSG_DONTWAIT);
  if (n > 0) return {State::kOk, static_cast<std::size_t>(n)};
  if (n == 0) return {State::kEnd, 0};
  if (is_retry(errno)) return {State::kAgain, 0};
  trouble_ = std::strerror(errno);
  return {State::kBroken, 0};
}

ClientSocket::IoResult ClientSocket::write(std::string_view bytes) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    errno = 0;
    const int n =
        SSL_write(ssl_, bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
    return n > 0 ? IoResult{State::kOk, static_cast<std::size_t>(n)} : IoResult{state_of(n), 0};
  }
  const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n >= 0) return {State::kOk, static_cast<std::size_t>(n)};
  if (is_retry(errno)) return {State::kAgain, 0};
  trouble_ = std::strerror(errno);
  return {State::kBroken, 0};
}

void ClientSocket::finish() {
  if (ssl_ == nullptr || broken_ || ended_ || SSL_is_init_finished(ssl_) != 1) return;
  ERR_clear_error();
  SSL_shutdown(ssl_);
}

}  // namespace bowerbird
