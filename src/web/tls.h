// TLS for a Web whose hosts are made up: an authority of our own, made when the server starts, that signs a
// certificate for whatever host a client names (SNI).
//
// A client that trusts authority_pem() finds every certificate in order, but those of hosts that are to have
// a bad one: expired, or for another name. HTTP/2 is offered by ALPN. The keys are in memory only and gone
// with the process. Threads: begin() may be called from many; each SSL belongs to one.
#pragma once

#include <openssl/ssl.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "web/site.h"

namespace bowerbird {

class TlsServer {
 public:
  using KindOf = std::function<CertificateKind(std::string_view host)>;
  // kind_of: for a host name in lower case; must be callable from many threads.
  static Result<std::unique_ptr<TlsServer>> make(KindOf kind_of = {});
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  // The authority's certificate.
  const std::string& authority_pem() const { return authority_pem_; }
  // The server's side of a new connection on fd, which stays the caller's. Null when out of memory.
  SSL* begin(int fd);

 private:
  TlsServer() = default;
  Status make_authority();
  Status make_context();
  X509* certificate(std::string_view host);  // owned by the cache or null
  static int on_server_name(SSL* ssl, int* alert, void* self);
  static int on_alpn(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in,
                     unsigned in_size, void*);

  KindOf kind_of_;
  EVP_PKEY* authority_key_ = nullptr;
  X509* authority_ = nullptr;
  EVP_PKEY* key_ = nullptr;  // of all the hosts
  SSL_CTX* context_ = nullptr;
  std::string authority_pem_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<X509>> cache_;
};

}  // namespace bowerbird
