#include "fetch/tls_client.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>

#include "fetch/net_address.h"

namespace bowerbird {

namespace {

constexpr const char* kSystemAuthorities = "/etc/ssl/certs/ca-certificates.crt";
constexpr int kMostDepth = 10;               // of a certificate chain
constexpr long kMostChainBytes = 100 << 10;  // of all certificates that a server sends
constexpr unsigned char kBothProtocols[] = "\x02h2\x08http/1.1";
constexpr unsigned char kHttp1[] = "\x08http/1.1";

std::string openssl_reason() {
  const unsigned long code = ERR_get_error();
  if (ERR_SYSTEM_ERROR(code)) return std::strerror(ERR_GET_REASON(code));
  const char* const text = code == 0 ? nullptr : ERR_reason_error_string(code);
  return text != nullptr ? text : "unknown error";
}

int peer_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}
int client_index() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

bool is_missing_issuer(int code) {
  return code == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
         code == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT || code == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
}

// Not every authority needs a revocation list.
int ignore_missing_crl(int ok, X509_STORE_CTX* context) {
  if (ok == 1 || X509_STORE_CTX_get_error(context) != X509_V_ERR_UNABLE_TO_GET_CRL) return ok;
  X509_STORE_CTX_set_error(context, X509_V_OK);
  return 1;
}

// A serialised session without the server's certificate, which a resumed handshake does not need. To read
// it costs OpenSSL 3.0 more than the handshake itself. The session is returned as it is if it is not in the
// form of OpenSSL's SSL_SESSION: a sequence in which the certificate is field 3.
std::string without_certificate(std::string session) {
  constexpr int kCertificate = 3;
  const auto* at = reinterpret_cast<const unsigned char*>(session.data());
  const unsigned char* end = at + session.size();
  // Steps over the header of an object that must end before `end`.
  const auto enter = [&end](const unsigned char*& from, long& size, int& tag) {
    int kind = 0;
    const int result = ASN1_get_object(&from, &size, &tag, &kind, end - from);
    return (result & 0x81) == 0 ? kind : -1;  // neither an error nor of unknown length
  };
  long size = 0;
  int tag = 0;
  if (enter(at, size, tag) != V_ASN1_UNIVERSAL || tag != V_ASN1_SEQUENCE) return session;
  end = at + size;
  std::string fields;
  while (at != end) {
    const unsigned char* inside = at;
    const int kind = enter(inside, size, tag);
    if (kind < 0) return session;
    const unsigned char* const next = inside + size;
    if (kind != V_ASN1_CONTEXT_SPECIFIC || tag != kCertificate) {
      fields.append(reinterpret_cast<const char*>(at), static_cast<std::size_t>(next - at));
    }
    at = next;
  }
  const int length = static_cast<int>(fields.size());
  std::string made(static_cast<std::size_t>(ASN1_object_size(1, length, V_ASN1_SEQUENCE)), '\0');
  auto* to = reinterpret_cast<unsigned char*>(made.data());
  ASN1_put_object(&to, 1, length, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
  std::memcpy(to, fields.data(), fields.size());
  return made;
}

}  // namespace

Result<std::unique_ptr<TlsClient>> TlsClient::make(const TlsOptions& options) {
  std::unique_ptr<TlsClient> client(new TlsClient(options));
  BB_TRY_VOID(client->open());
  return client;
}

TlsClient::~TlsClient() {
  SSL_CTX_free(context_);
}

Status TlsClient::open() {
  context_ = SSL_CTX_new(TLS_client_method());
  if (context_ == nullptr) return error("cannot set up TLS: {}", openssl_reason());
  SSL_CTX_set_ex_data(context_, client_index(), this);
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  // The response reader handles an end without close_notify; an error here would make the session
  // unusable.
  SSL_CTX_set_options(context_,
                      SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context_, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                 SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context_, 1);
  SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_verify_depth(context_, kMostDepth);
  SSL_CTX_set_max_cert_list(context_, kMostChainBytes);
  SSL_CTX_set_cert_verify_callback(context_, on_verify, this);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context_, on_new_session);
  return load_authorities();
}

Status TlsClient::load_authorities() {
  X509_STORE* const store = SSL_CTX_get_cert_store(context_);
  struct stat found {};
  const char* const named = std::getenv(X509_get_default_cert_file_env());
  if (!options_.certificates.empty()) {
    if (X509_STORE_load_file(store, options_.certificates.c_str()) != 1) {
      return error("cannot read certificates from '{}': {}", options_.certificates, openssl_reason());
    }
  } else if (named == nullptr && ::stat(kSystemAuthorities, &found) == 0) {
    if (X509_STORE_load_file(store, kSystemAuthorities) != 1) {
      return error("cannot read certificates from '{}': {}", kSystemAuthorities, openssl_reason());
    }
  } else {
    SSL_CTX_set_default_verify_paths(context_);
  }
  if (options_.crl.empty()) return {};
  X509_LOOKUP* const lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  if (lookup == nullptr || X509_load_crl_file(lookup, options_.crl.c_str(), X509_FILETYPE_PEM) < 1) {
    return error("cannot read revocation lists from '{}': {}", options_.crl, openssl_reason());
  }
  X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  X509_STORE_set_verify_cb(store, ignore_missing_crl);
  return {};
}

// ---- connections

SSL* TlsClient::begin(std::string_view hostname, std::uint16_t port, bool http2, TlsPeer& peer) {
  SSL* const ssl = SSL_new(context_);
  if (ssl == nullptr) return nullptr;
  SSL_set_connect_state(ssl);
  SSL_set_ex_data(ssl, peer_index(), &peer);
  if (hostname.ends_with('.')) hostname.remove_suffix(1);
  const std::string name(hostname);
  bool ok = true;
  if (const auto address = NetAddress::parse(name)) {
    ok = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address->text().c_str()) == 1;
  } else {
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    ok = SSL_set1_host(ssl, name.c_str()) == 1 && SSL_set_tlsext_host_name(ssl, name.c_str()) == 1;
  }
  ok = ok && (http2 ? SSL_set_alpn_protos(ssl, kBothProtocols, sizeof kBothProtocols - 1)
                    : SSL_set_alpn_protos(ssl, kHttp1, sizeof kHttp1 - 1)) == 0;
  if (!ok) {
    SSL_free(ssl);
    return nullptr;
  }
  peer.session_key = fmt::format("{}:{}:{}", name, port, options_.record ? "record" : "refuse");
  std::string bytes;
  {
    const std::lock_guard lock(mutex_);
    bytes = sessions_.take(peer.session_key);
  }
  if (!bytes.empty()) {
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
    if (SSL_SESSION* const session = d2i_SSL_SESSION(nullptr, &at, static_cast<long>(bytes.size()))) {
      SSL_set_session(ssl, session);
      SSL_SESSION_free(session);
    }
  }
  return ssl;
}

int TlsClient::on_new_session(SSL* ssl, SSL_SESSION* session) {
  auto* const self = static_cast<TlsClient*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), client_index()));
  auto* const peer = static_cast<TlsPeer*>(SSL_get_ex_data(ssl, peer_index()));
  if (peer->session_kept || SSL_SESSION_is_resumable(session) != 1) return 0;
  const int size = i2d_SSL_SESSION(session, nullptr);
  if (size <= 0) return 0;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  auto* to = reinterpret_cast<unsigned char*>(bytes.data());
  if (i2d_SSL_SESSION(session, &to) != size) return 0;
  bytes = without_certificate(std::move(bytes));
  const std::lock_guard lock(self->mutex_);
  self->sessions_.put(peer->session_key, std::move(bytes));
  peer->session_kept = true;
  return 0;  // OpenSSL keeps ownership
}

const char* TlsClient::certificate_fault(const SSL* ssl) {
  const long result = SSL_get_verify_result(ssl);
  return result == X509_V_OK ? nullptr : X509_verify_cert_error_string(result);
}

// ---- certificates

int TlsClient::on_verify(X509_STORE_CTX* context, void* self) {
  auto* const client = static_cast<TlsClient*>(self);
  // The result is stored with the connection, and with its session.
  return client->verify(context) || client->options_.record ? 1 : 0;
}

bool TlsClient::verify(X509_STORE_CTX* context) {
  if (X509_verify_cert(context) == 1) {
    intermediates_.remember(X509_STORE_CTX_get0_chain(context));
    return true;
  }
  return is_missing_issuer(X509_STORE_CTX_get_error(context)) && verify_with_help(context);
}

// Verifies again, with intermediate certificates that other hosts have sent.
bool TlsClient::verify_with_help(X509_STORE_CTX* context) {
  STACK_OF(X509)* const sent = X509_STORE_CTX_get0_untrusted(context);
  STACK_OF(X509)* const all = sent == nullptr ? sk_X509_new_null() : sk_X509_dup(sent);
  if (all == nullptr) return false;
  const int before = sk_X509_num(all);
  const X509* last = X509_STORE_CTX_get_current_cert(context);
  if (last == nullptr) last = X509_STORE_CTX_get0_cert(context);
  intermediates_.find(last, all);
  bool ok = false;
  X509_STORE_CTX* const again = X509_STORE_CTX_new();
  if (sk_X509_num(all) > before && again != nullptr &&
      X509_STORE_CTX_init(again, SSL_CTX_get_cert_store(context_), X509_STORE_CTX_get0_cert(context), all) ==
          1) {
    X509_STORE_CTX_set_default(again, "ssl_server");
    X509_VERIFY_PARAM_set1(X509_STORE_CTX_get0_param(again), X509_STORE_CTX_get0_param(context));
    ok = X509_verify_cert(again) == 1;
    X509_STORE_CTX_set_error(context, X509_STORE_CTX_get_error(again));
    if (ok) X509_STORE_CTX_set0_verified_chain(context, X509_STORE_CTX_get1_chain(again));
  }
  X509_STORE_CTX_free(again);
  sk_X509_free(all);
  return ok;
}

}  // namespace bowerbird
