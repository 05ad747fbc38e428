#include "web/http/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace bowerbird {

namespace {

constexpr long kDay = 86'400;
constexpr std::size_t kMostCertificates = 4096;

std::string tls_reason() {
  char text[256] = "";
  ERR_error_string_n(ERR_get_error(), text, sizeof text);
  return text;
}

bool add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  if (extension == nullptr) return false;
  const bool ok = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return ok;
}

struct CertificateSpec {
  std::string name;               // the subject's common name
  std::string alternative_names;  // "DNS:a.org"; empty: a certificate authority
  long from_days;
  long to_days;
};

// Signed by issuer_key; issuer null: self-signed.
X509* make_certificate(const CertificateSpec& spec, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key) {
  X509* certificate = X509_new();
  if (certificate == nullptr) return nullptr;
  std::uint64_t serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  bool ok = X509_set_version(certificate, 2) == 1;
  ok = ok && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1) == 1;
  ok = ok && X509_gmtime_adj(X509_getm_notBefore(certificate), spec.from_days * kDay) != nullptr;
  ok = ok && X509_gmtime_adj(X509_getm_notAfter(certificate), spec.to_days * kDay) != nullptr;
  ok = ok &&
       X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                                  reinterpret_cast<const unsigned char*>(spec.name.c_str()), -1, -1, 0) == 1;
  X509* signer = issuer == nullptr ? certificate : issuer;
  ok = ok && X509_set_issuer_name(certificate, X509_get_subject_name(signer)) == 1;
  ok = ok && X509_set_pubkey(certificate, key) == 1;
  if (spec.alternative_names.empty()) {
    ok = ok && add_extension(certificate, signer, NID_basic_constraints, "critical,CA:TRUE");
    ok = ok && add_extension(certificate, signer, NID_key_usage, "critical,keyCertSign");
    ok = ok && add_extension(certificate, signer, NID_subject_key_identifier, "hash");
    if (issuer != nullptr)
      ok = ok && add_extension(certificate, signer, NID_authority_key_identifier, "keyid");
  } else {
    ok = ok && add_extension(certificate, signer, NID_basic_constraints, "critical,CA:FALSE");
    ok = ok && add_extension(certificate, signer, NID_subject_alt_name, spec.alternative_names.c_str());
    ok = ok && add_extension(certificate, signer, NID_authority_key_identifier, "keyid");
  }
  const bool large = EVP_PKEY_get_bits(issuer_key) == 384;
  ok = ok && X509_sign(certificate, issuer_key, large ? EVP_sha384() : EVP_sha256()) > 0;
  if (ok) return certificate;
  X509_free(certificate);
  return nullptr;
}

// Whether it is safe in the text form of an extension.
bool plain_host(std::string_view host) {
  return !host.empty() && host.size() <= 253 &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._") == host.npos;
}

}  // namespace

Result<std::unique_ptr<TlsServer>> TlsServer::make(KindOf kind_of, TlsChain chain) {
  std::unique_ptr<TlsServer> server(new TlsServer());
  server->kind_of_ = std::move(kind_of);
  BB_TRY_VOID(server->make_authority(chain));
  BB_TRY_VOID(server->make_context());
  return server;
}

Result<std::unique_ptr<TlsServer>> TlsServer::load(const std::string& certificate, const std::string& key) {
  std::unique_ptr<TlsServer> server(new TlsServer());
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  server->context_ = context;
  if (context == nullptr) return error("cannot set up TLS: {}", tls_reason());
  if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1)
    return error("{}: cannot read a TLS certificate: {}", certificate, tls_reason());
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    return error("{}: cannot read the key of the TLS certificate: {}", key, tls_reason());
  if (SSL_CTX_check_private_key(context) != 1)
    return error("{} is not the key of the certificate {}", key, certificate);
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  return server;
}

TlsServer::~TlsServer() {
  SSL_CTX_free(context_);
  cache_.clear();
  EVP_PKEY_free(key_);
  X509_free(intermediate_);
  EVP_PKEY_free(intermediate_key_);
  X509_free(authority_);
  EVP_PKEY_free(authority_key_);
}

Status TlsServer::make_authority(TlsChain chain) {
  const bool rsa = chain == TlsChain::kRsa;
  const char* const curve = chain == TlsChain::kEcdsa ? "P-384" : "P-256";
  authority_key_ = rsa ? EVP_RSA_gen(4096) : EVP_EC_gen(curve);
  key_ = rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256");
  if (chain != TlsChain::kDirect) intermediate_key_ = rsa ? EVP_RSA_gen(2048) : EVP_EC_gen(curve);
  if (authority_key_ == nullptr || key_ == nullptr ||
      (chain != TlsChain::kDirect && intermediate_key_ == nullptr)) {
    return error("cannot create a TLS key: {}", tls_reason());
  }
  authority_ =
      make_certificate({"Bowerbird test Web", "", -1, 3650}, authority_key_, nullptr, authority_key_);
  if (authority_ == nullptr) return error("cannot create a TLS certificate: {}", tls_reason());
  if (intermediate_key_ != nullptr) {
    intermediate_ = make_certificate({"Bowerbird test Web intermediate", "", -1, 3650}, intermediate_key_,
                                     authority_, authority_key_);
    if (intermediate_ == nullptr) return error("cannot create a TLS certificate: {}", tls_reason());
  }
  BIO* bio = BIO_new(BIO_s_mem());
  char* text = nullptr;
  if (bio == nullptr || PEM_write_bio_X509(bio, authority_) != 1) {
    BIO_free(bio);
    return error("cannot write a TLS certificate: {}", tls_reason());
  }
  const long size = BIO_get_mem_data(bio, &text);
  authority_pem_.assign(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  return {};
}

Status TlsServer::make_context() {
  context_ = SSL_CTX_new(TLS_server_method());
  X509* own = certificate("");
  if (context_ == nullptr || own == nullptr || SSL_CTX_use_certificate(context_, own) != 1 ||
      SSL_CTX_use_PrivateKey(context_, key_) != 1) {
    return error("cannot set up TLS: {}", tls_reason());
  }
  if (intermediate_ != nullptr) {
    X509_up_ref(intermediate_);
    SSL_CTX_add_extra_chain_cert(context_, intermediate_);
  }
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_tlsext_servername_callback(context_, on_server_name);
  SSL_CTX_set_tlsext_servername_arg(context_, this);
  SSL_CTX_set_alpn_select_cb(context_, on_alpn, nullptr);
  return {};
}

X509* TlsServer::certificate(std::string_view host) {
  std::string name(host);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = cache_.find(name); found != cache_.end()) return found->second.get();
  CertificateSpec spec{"test Web host", "DNS:localhost,IP:127.0.0.1,IP:::1", -1, 3650};
  if (plain_host(name)) {
    spec.alternative_names = "DNS:" + name;
    const CertificateKind kind = kind_of_ ? kind_of_(name) : CertificateKind::kGood;
    if (kind == CertificateKind::kExpired) {
      spec.from_days = -400;
      spec.to_days = -30;
    }
    if (kind == CertificateKind::kWrongName) spec.alternative_names = "DNS:other.test";
  } else if (!name.empty()) {
    return nullptr;
  }
  X509* made = intermediate_ == nullptr ? make_certificate(spec, key_, authority_, authority_key_)
                                        : make_certificate(spec, key_, intermediate_, intermediate_key_);
  if (made == nullptr) return nullptr;
  if (cache_.size() >= kMostCertificates) cache_.clear();  // connections hold what they use
  return cache_.emplace(std::move(name), std::shared_ptr<X509>(made, X509_free)).first->second.get();
}

int TlsServer::on_server_name(SSL* ssl, int*, void* self) {
  const char* name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (name == nullptr) return SSL_TLSEXT_ERR_NOACK;
  auto* server = static_cast<TlsServer*>(self);
  X509* certificate = server->certificate(name);
  if (certificate == nullptr) return SSL_TLSEXT_ERR_NOACK;
  if (SSL_use_certificate(ssl, certificate) != 1 || SSL_use_PrivateKey(ssl, server->key_) != 1) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  if (server->kind_of_ && server->kind_of_(name) == CertificateKind::kIncomplete) {
    SSL_set0_chain(ssl, sk_X509_new_null());
  }
  return SSL_TLSEXT_ERR_OK;
}

int TlsServer::on_alpn(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in,
                       unsigned in_size, void*) {
  static constexpr unsigned char kOurs[] = "\x02h2\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kOurs, sizeof kOurs - 1, in, in_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

SSL* TlsServer::begin(int fd) {
  SSL* ssl = SSL_new(context_);
  if (ssl == nullptr || SSL_set_fd(ssl, fd) != 1) {
    SSL_free(ssl);
    return nullptr;
  }
  SSL_set_accept_state(ssl);
  return ssl;
}

}  // namespace bowerbird
