// TLS for a client of many hosts: one shared context, so that a connection costs only its handshake.
//
// Certificates are verified against the authorities of the system, or of a file, and against the host
// name. If a server omits an intermediate certificate, those that other hosts have sent are used to find
// a path to an authority; they are never trusted themselves. Nothing is downloaded to verify a
// certificate; revocation lists are used if the user provides them. Sessions are resumed
// (tls_sessions.h), without early data. With `record`, an invalid certificate does not end the handshake:
// certificate_fault() reports it. Lifetime: TlsClient outlives its SSL objects, and a TlsPeer outlives
// its SSL object. Threads: any; each SSL object belongs to one.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fetch/tls_intermediates.h"
#include "fetch/tls_sessions.h"

namespace bowerbird {

struct TlsOptions {
  std::string certificates;  // PEM file with authorities that replaces the system's
  std::string crl;           // PEM file with revocation lists
  bool record = false;       // accept invalid certificates
  std::size_t session_bytes = std::size_t{16} << 20;
};

// The peer of a connection.
struct TlsPeer {
  std::string session_key;
  bool session_kept = false;  // one session per connection is enough
};

class TlsClient {
 public:
  static Result<std::unique_ptr<TlsClient>> make(const TlsOptions& options);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  // A new connection to the host, which may be an IP address; null: out of memory.
  SSL* begin(std::string_view hostname, std::uint16_t port, bool http2, TlsPeer& peer);
  // Why the certificate could not be verified; null: it was verified.
  static const char* certificate_fault(const SSL* ssl);

  // Not while a handshake is in progress.
  const TlsSessions& sessions() const { return sessions_; }
  std::size_t intermediates() const { return intermediates_.size(); }

 private:
  explicit TlsClient(const TlsOptions& options) : options_(options), sessions_(options.session_bytes) {}
  Status open();
  Status load_authorities();
  bool verify(X509_STORE_CTX* context);
  bool verify_with_help(X509_STORE_CTX* context);
  static int on_verify(X509_STORE_CTX* context, void* self);
  static int on_new_session(SSL* ssl, SSL_SESSION* session);

  TlsOptions options_;
  SSL_CTX* context_ = nullptr;
  std::mutex mutex_;  // guards sessions_
  TlsSessions sessions_;
  TlsIntermediates intermediates_;
};

}  // namespace bowerbird
