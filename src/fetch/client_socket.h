// A connected non-blocking socket of a client, plain or with TLS.
//
// Bytes go through an OpenSSL BIO of our own, which writes without SIGPIPE and knows whether the connection
// ended with TLS's close_notify. Owns the descriptor and the SSL object. Must not be moved once TLS has
// started. Threads: one.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bowerbird {

class ClientSocket {
 public:
  enum class State { kOk, kAgain, kEnd, kBroken };
  struct IoResult {
    State state;
    std::size_t bytes;
  };

  explicit ClientSocket(int fd) : fd_(fd) {}
  ~ClientSocket() { close(); }
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  int fd() const { return fd_; }
  SSL* ssl() const { return ssl_; }
  // Sends all bytes through `ssl` from now on, and takes ownership of it. False: out of memory.
  bool start_tls(SSL* ssl);
  // kOk when the handshake is complete.
  State handshake();

  // The protocol agreed on by ALPN: "h2", "http/1.1" or nothing.
  std::string_view alpn() const;

  IoResult read(char* to, std::size_t size);
  IoResult write(std::string_view bytes);
  // Whether TLS has buffered bytes, for which the socket will report no event.
  bool has_buffered() const { return ssl_ != nullptr && SSL_has_pending(ssl_) == 1; }
  // After kEnd of read(): the peer closed without close_notify, so bytes may be missing.
  bool was_cut() const { return ssl_ != nullptr && ended_; }
  // Whether the peer supports none of the protocols offered by ALPN.
  bool refused_protocol() const { return refused_protocol_; }
  // A description of the error, after kBroken.
  const std::string& trouble() const { return trouble_; }
  // Tells the peer that nothing more will be sent.
  void finish();
  void close();

 private:
  State state_of(int result);
  static const BIO_METHOD* bio_method();
  static int bio_write(BIO* bio, const char* bytes, int size);
  static int bio_read(BIO* bio, char* to, int size);

  int fd_;
  SSL* ssl_ = nullptr;
  bool ended_ = false;  // the peer has closed the socket
  bool broken_ = false;
  bool refused_protocol_ = false;
  std::string trouble_;
};

}  // namespace bowerbird
