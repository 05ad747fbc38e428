// A connected non-blocking socket, plain or with TLS.
//
// Owns the descriptor. Users of TLS must ignore SIGPIPE, since OpenSSL writes without MSG_NOSIGNAL. Threads:
// one.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <string_view>

namespace bowerbird {

class Transport {
 public:
  enum State { kOk, kAgain, kEnd, kBroken };
  struct Outcome {
    State state;
    std::size_t bytes;
  };

  explicit Transport(int fd) : fd_(fd) {}
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  int fd() const { return fd_; }
  bool tls() const { return ssl_ != nullptr; }
  // From now on all data goes through ssl, which is owned.
  void start_tls(SSL* ssl) { ssl_ = ssl; }
  // kOk once the handshake is done.
  State handshake();
  // The protocol agreed on by ALPN: "h2", "http/1.1" or nothing.
  std::string_view alpn() const;

  // The first byte that waits to be read, without reading it; kAgain if there is none yet.
  State peek(unsigned char& byte) const;
  Outcome read(char* to, std::size_t size);
  Outcome write(std::string_view bytes);
  // Bytes were decrypted but not read: the socket will not report them.
  bool has_buffered() const { return ssl_ != nullptr && SSL_pending(ssl_) > 0; }

  // Ends sending; more may be read.
  void finish_sending();
  // Closing will reset the connection.
  void reset_on_close();

 private:
  State state_of(int result) const;

  int fd_;
  SSL* ssl_ = nullptr;
};

}  // namespace bowerbird
