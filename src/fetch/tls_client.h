// TLS for a client of many hosts: one shared context, so that a connection costs no more than its handshake.
//
// Certificates are verified against the authorities of the system, or of a file, and the name of the host.
// Servers that leave out an intermediate certificate are helped by those that other hosts have sent: they are
// never trusted by themselves, only used to find a path to an authority. Nothing is fetched to verify a
// certificate; lists of revoked ones are used if the user gives them. Sessions are resumed (tls_sessions.h);
// no data is sent before the handshake is done. With `record` a certificate that cannot be verified does not
// end the handshake: certificate_fault() tells. Lifetime: it outlives the SSL objects it begins, and the
// TlsPeer outlives its SSL object. Threads: one.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "fetch/tls_sessions.h"

namespace bowerbird {

struct TlsOptions {
  std::string certificates;  // a file of authorities in PEM instead of the system's
  std::string crl;           // a file of revocation lists in PEM
  bool record = false;       // certificates that cannot be verified are accepted
  std::size_t session_bytes = std::size_t{16} << 20;
};

// The other side of a connection.
struct TlsPeer {
  std::string session_key;
  bool session_kept = false;  // one session of each connection is enough
};

class TlsClient {
 public:
  static Result<std::unique_ptr<TlsClient>> make(const TlsOptions& options);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  // A new connection to the host, which may be an address; null: out of memory.
  SSL* begin(std::string_view hostname, std::uint16_t port, bool http2, TlsPeer& peer);
  // Why the certificate could not be verified; null: it was.
  static const char* certificate_fault(const SSL* ssl);

  const TlsSessions& sessions() const { return sessions_; }
  std::size_t intermediates() const { return intermediates_.size(); }

 private:
  static constexpr std::size_t kMostIntermediates = 1000;
  static constexpr int kLargestCertificate = 8 << 10;

  explicit TlsClient(const TlsOptions& options) : options_(options), sessions_(options.session_bytes) {}
  Status open();
  Status load_authorities();
  bool verify(X509_STORE_CTX* context);
  bool verify_with_help(X509_STORE_CTX* context);
  void remember_intermediates(X509_STORE_CTX* context);
  static int on_verify(X509_STORE_CTX* context, void* self);
  static int on_new_session(SSL* ssl, SSL_SESSION* session);

  TlsOptions options_;
  SSL_CTX* context_ = nullptr;
  TlsSessions sessions_;
  // By the hash of their subject: several authorities may have signed one.
  std::unordered_multimap<unsigned long, std::shared_ptr<X509>> intermediates_;
};

}  // namespace bowerbird
