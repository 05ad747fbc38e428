// TLS for a Web of made-up hosts: a certificate authority, created when the server starts, signs a
// certificate for any host that a client names (SNI). Or TLS with a given certificate.
//
// For a client that trusts authority_pem() every certificate is valid, except those of hosts that are meant
// to have a bad one: expired, for another name, or without its intermediate. HTTP/2 is offered by ALPN. The
// keys are only in memory and disappear with the process. Threads: begin() may be called from many; each SSL
// belongs to one.
#pragma once

#include <openssl/ssl.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "web/http/handler.h"

namespace bowerbird {

// What signs the certificates of hosts. The last three have an intermediate, and keys as Let's Encrypt's.
enum class TlsChain : std::uint8_t {
  kDirect,  // the authority itself, P-256
  kP256,    // three P-256 keys
  kRsa,     // host and intermediate RSA 2048, authority RSA 4096
  kEcdsa,   // host P-256, intermediate and authority P-384
};

class TlsServer {
 public:
  using KindOf = std::function<CertificateKind(std::string_view host)>;
  // kind_of: for a host name in lower case; must be callable from many threads.
  static Result<std::unique_ptr<TlsServer>> make(KindOf kind_of = {}, TlsChain chain = TlsChain::kDirect);
  // With this certificate, followed by those of its issuers, and its key (PEM files).
  static Result<std::unique_ptr<TlsServer>> load(const std::string& certificate, const std::string& key);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  // The authority's certificate.
  const std::string& authority_pem() const { return authority_pem_; }
  // The server's side of a new connection on fd, which the caller still owns. Null if out of memory.
  SSL* begin(int fd);

 private:
  TlsServer() = default;
  Status make_authority(TlsChain chain);
  Status make_context();
  X509* certificate(std::string_view host);  // owned by the cache or null
  static int on_server_name(SSL* ssl, int* alert, void* self);
  static int on_alpn(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in,
                     unsigned in_size, void*);

  KindOf kind_of_;
  EVP_PKEY* authority_key_ = nullptr;
  X509* authority_ = nullptr;
  EVP_PKEY* intermediate_key_ = nullptr;  // null: none
  X509* intermediate_ = nullptr;
  EVP_PKEY* key_ = nullptr;  // of all the hosts
  SSL_CTX* context_ = nullptr;
  std::string authority_pem_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<X509>> cache_;
};

}  // namespace bowerbird
