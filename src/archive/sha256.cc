#include "archive/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/check.h"

namespace bowerbird {

struct Sha256::Context {
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  CHECK(EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(context_->digest, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  unsigned char bytes[32];
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(context_->digest, bytes, &size) == 1);
  std::string text = "sha256:";
  for (unsigned i = 0; i < size; ++i) fmt::format_to(std::back_inserter(text), "{:02x}", bytes[i]);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish();
}

}  // namespace bowerbird
