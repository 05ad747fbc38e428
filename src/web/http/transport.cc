#include "web/http/transport.h"

#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace bowerbird {

Transport::~Transport() {
  SSL_free(ssl_);
  ::close(fd_);
}

Transport::State Transport::state_of(int result) const {
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return kAgain;
    case SSL_ERROR_ZERO_RETURN:
      return kEnd;
    default:
      return kBroken;
  }
}

Transport::State Transport::handshake() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_);
  return result == 1 ? kOk : state_of(result);
}

std::string_view Transport::alpn() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_, &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

Transport::State Transport::peek(unsigned char& byte) const {
  const auto n = ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (n == 1) return kOk;
  if (n == 0) return kEnd;
  return errno == EAGAIN || errno == EINTR ? kAgain : kBroken;
}

Transport::Outcome Transport::read(char* to, std::size_t size) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    const int n = SSL_read(ssl_, to, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
    return n > 0 ? Outcome{kOk, static_cast<std::size_t>(n)} : Outcome{state_of(n), 0};
  }
  const auto n = ::recv(fd_, to, size, MSG_DONTWAIT);
  if (n > 0) return {kOk, static_cast<std::size_t>(n)};
  if (n == 0) return {kEnd, 0};
  return {errno == EAGAIN || errno == EINTR ? kAgain : kBroken, 0};
}

Transport::Outcome Transport::write(std::string_view bytes) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    const int n =
        SSL_write(ssl_, bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
    return n > 0 ? Outcome{kOk, static_cast<std::size_t>(n)} : Outcome{state_of(n), 0};
  }
  const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n >= 0) return {kOk, static_cast<std::size_t>(n)};
  return {errno == EAGAIN || errno == EINTR ? kAgain : kBroken, 0};
}

void Transport::finish_sending() {
  if (ssl_ != nullptr && SSL_is_init_finished(ssl_) == 1) {
    ERR_clear_error();
    SSL_shutdown(ssl_);
  }
  ::shutdown(fd_, SHUT_WR);
}

void Transport::reset_on_close() {
  const linger abort{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
}

}  // namespace bowerbird
