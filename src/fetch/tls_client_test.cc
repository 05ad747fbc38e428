#include "fetch/tls_client.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;

struct Issued {
  Key key;
  Certificate certificate;
};

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  ASSERT_NE(extension, nullptr) << value;
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// names: "DNS:a.example"; empty: makes an authority. constraints: "permitted;DNS:example".
Issued issue(const std::string& title, const std::string& names, const Issued* issuer, long serial = 1,
             const std::string& constraints = "") {
  Issued made{Key(EVP_EC_gen("P-256"), EVP_PKEY_free), Certificate(X509_new(), X509_free)};
  X509* const certificate = made.certificate.get();
  X509* const signer = issuer == nullptr ? certificate : issuer->certificate.get();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -86'400);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86'400);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(title.c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(signer));
  X509_set_pubkey(certificate, made.key.get());
  if (names.empty()) {
    extend(certificate, signer, NID_basic_constraints, "critical,CA:TRUE");
    extend(certificate, signer, NID_key_usage, "critical,keyCertSign,cRLSign");
    if (!constraints.empty()) extend(certificate, signer, NID_name_constraints, "critical," + constraints);
  } else {
    extend(certificate, signer, NID_subject_alt_name, names);
  }
  X509_sign(certificate, issuer == nullptr ? made.key.get() : issuer->key.get(), EVP_sha256());
  return made;
}

class Handshakes {
 public:
  Handshakes() : root(issue("root", "", nullptr)) {
    options.certificates = folder / "root.pem";
    write(options.certificates, [this](BIO* out) { PEM_write_bio_X509(out, root.certificate.get()); });
  }
  template <typename Write>
  static void write(const std::string& path, Write put) {
    BIO* const out = BIO_new_file(path.c_str(), "w");
    put(out);
    BIO_free(out);
  }
  // Creates a revocation list with these serial numbers.
  void revoke(const std::vector<long>& serials) {
    X509_CRL* const list = X509_CRL_new();
    X509_CRL_set_version(list, 1);
    X509_CRL_set_issuer_name(list, X509_get_subject_name(root.certificate.get()));
    const std::unique_ptr<ASN1_TIME, void (*)(ASN1_TIME*)> now(X509_gmtime_adj(nullptr, -100),
                                                               ASN1_TIME_free);
    const std::unique_ptr<ASN1_TIME, void (*)(ASN1_TIME*)> later(X509_gmtime_adj(nullptr, 1000),
                                                                 ASN1_TIME_free);
    X509_CRL_set1_lastUpdate(list, now.get());
    X509_CRL_set1_nextUpdate(list, later.get());
    for (const long serial : serials) {
      X509_REVOKED* const revoked = X509_REVOKED_new();
      const std::unique_ptr<ASN1_INTEGER, void (*)(ASN1_INTEGER*)> number(ASN1_INTEGER_new(),
                                                                          ASN1_INTEGER_free);
      ASN1_INTEGER_set(number.get(), serial);
      X509_REVOKED_set_serialNumber(revoked, number.get());
      X509_REVOKED_set_revocationDate(revoked, now.get());
      X509_CRL_add0_revoked(list, revoked);
    }
    X509_CRL_sort(list);
    X509_CRL_sign(list, root.key.get(), EVP_sha256());
    options.crl = folder / "crl.pem";
    write(options.crl, [list](BIO* out) { PEM_write_bio_X509_CRL(out, list); });
    X509_CRL_free(list);
  }
  TlsClient& client() {
    if (!made) made = std::move(TlsClient::make(options)).value();
    return *made;
  }
  // The client's error for a server with this certificate; empty: accepted.
  std::string shake(const std::string& host, const Issued& leaf,
                    const std::vector<Certificate>& between = {}) {
    SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(context, leaf.certificate.get());
    SSL_CTX_use_PrivateKey(context, leaf.key.get());
    SSL_CTX_set_max_proto_version(context, newest);
    for (const Certificate& one : between) {
      X509_up_ref(one.get());
      SSL_CTX_add_extra_chain_cert(context, one.get());
    }
    SSL* const server = SSL_new(context);
    SSL_set_accept_state(server);
    TlsPeer peer;
    SSL* const ssl = client().begin(host, 443, false, peer);
    BIO *ours = nullptr, *theirs = nullptr;
    BIO_new_bio_pair(&ours, 0, &theirs, 0);
    SSL_set_bio(ssl, ours, ours);
    SSL_set_bio(server, theirs, theirs);
    bool done = false, failed = false;
    for (int turn = 0; turn < 100 && !done && !failed; ++turn) {
      const int mine = SSL_do_handshake(ssl);
      failed = mine != 1 && SSL_get_error(ssl, mine) != SSL_ERROR_WANT_READ;
      const int its = SSL_do_handshake(server);
      done = mine == 1 && its == 1;
    }
    char byte = 0;
    SSL_read(ssl, &byte, 1);  // receives session tickets of TLS 1.3
    resumed = done && SSL_session_reused(ssl) == 1;
    version = SSL_version(ssl);
    const char* const fault = TlsClient::certificate_fault(ssl);
    const std::string verdict = fault != nullptr ? fault : done ? "" : "no handshake";
    SSL_free(ssl);
    SSL_free(server);
    SSL_CTX_free(context);
    return verdict;
  }

  TemporaryFolder folder;
  TlsOptions options;
  Issued root;
  std::unique_ptr<TlsClient> made;
  int newest = TLS1_3_VERSION;
  bool resumed = false;
  int version = 0;
};

TEST(TlsClient, TheHostNameMustMatch) {  // RFC 6125
  Handshakes hands;
  const Issued leaf =
      issue("leaf", "DNS:a.example,DNS:*.b.example,DNS:xn--mnchen-3ya.example,IP:192.0.2.1", &hands.root);
  for (const char* host : {"a.example", "a.example.", "x.b.example", "xn--mnchen-3ya.example", "192.0.2.1"})
    EXPECT_EQ(hands.shake(host, leaf), "") << host;
  for (const char* host : {"c.example", "b.example", "x.y.b.example", "example", "192.0.2.2"})
    EXPECT_NE(hands.shake(host, leaf), "") << host;
  const Issued partial = issue("leaf", "DNS:a*.example", &hands.root);
  EXPECT_NE(hands.shake("ab.example", partial), "");
}

TEST(TlsClient, NameConstraintsAreEnforced) {  // RFC 5280, 4.2.1.10
  Handshakes hands;
  const Issued between = issue("between", "", &hands.root, 2, "permitted;DNS:good.example");
  EXPECT_EQ(
      hands.shake("a.good.example", issue("leaf", "DNS:a.good.example", &between), {between.certificate}),
      "");
  EXPECT_NE(hands.shake("a.example", issue("leaf", "DNS:a.example", &between), {between.certificate}), "");
}

TEST(TlsClient, AChainMustEndAtAnAuthorityAndNotBeLong) {
  Handshakes hands;
  const Issued stranger = issue("stranger", "", nullptr);
  EXPECT_NE(hands.shake("a.example", issue("leaf", "DNS:a.example", &stranger), {stranger.certificate}), "");
  EXPECT_NE(hands.shake("a.example", issue("leaf", "DNS:a.example", nullptr)), "");
  std::vector<Certificate> chain;
  Issued last = hands.root;
  for (int i = 0; i < 20; ++i) {
    last = issue("between " + std::to_string(i), "", &last, 2);
    chain.insert(chain.begin(), last.certificate);
  }
  EXPECT_NE(hands.shake("a.example", issue("leaf", "DNS:a.example", &last), chain), "");
}

TEST(TlsClient, CertificatesInARevocationListAreRefused) {
  Handshakes hands;
  hands.revoke({7});
  EXPECT_EQ(hands.shake("a.example", issue("leaf", "DNS:a.example", &hands.root, 6)), "");
  EXPECT_EQ(hands.shake("a.example", issue("leaf", "DNS:a.example", &hands.root, 7)), "certificate revoked");
  // The intermediate has no revocation list; it is accepted nevertheless.
  const Issued between = issue("between", "", &hands.root, 2);
  EXPECT_EQ(hands.shake("a.example", issue("leaf", "DNS:a.example", &between, 7), {between.certificate}), "");
}

TEST(TlsClient, OlderVersionsThanTls12AreRefused) {
  Handshakes hands;
  const Issued leaf = issue("leaf", "DNS:a.example", &hands.root);
  hands.newest = TLS1_2_VERSION;
  EXPECT_EQ(hands.shake("a.example", leaf), "");
  EXPECT_EQ(hands.version, TLS1_2_VERSION);
  hands.newest = TLS1_1_VERSION;
  EXPECT_NE(hands.shake("a.example", leaf), "");
}

TEST(TlsClient, RecordedErrorsDoNotEndTheHandshake) {
  Handshakes hands;
  hands.options.record = true;
  EXPECT_NE(hands.shake("b.example", issue("leaf", "DNS:a.example", &hands.root)).find("ostname"),
            std::string::npos);
}

TEST(TlsClient, AFileThatCannotBeReadIsNamedWithTheReason) {
  TlsOptions certificates, revoked;
  certificates.certificates = revoked.crl = "/nowhere/x.pem";
  for (const TlsOptions& options : {certificates, revoked}) {
    const auto client = TlsClient::make(options);
    ASSERT_FALSE(client.ok());
    EXPECT_NE(client.error().text.find("'/nowhere/x.pem': No such file"), std::string::npos)
        << client.error().text;
  }
}

}  // namespace
}  // namespace bowerbird
