#include "parse/sha1.h"

#include <openssl/evp.h>

#include <memory>

#include "base/check.h"

namespace bowerbird {

Sha1 sha1(std::string_view bytes) {
  // Looking up the algorithm takes as long as hashing a kilobyte.
  static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA1", nullptr);
  thread_local const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                                EVP_MD_CTX_free);
  Sha1 digest;
  CHECK(algorithm != nullptr && context != nullptr);
  CHECK(EVP_DigestInit_ex2(context.get(), algorithm, nullptr) == 1 &&
        EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1 &&
        EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

std::string base32(const Sha1& digest) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  text.reserve(32);
  std::uint32_t bits = 0, held = 0;
  for (const std::uint8_t byte : digest) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 5; held -= 5) text += kAlphabet[bits >> (held - 5) & 31];
  }
  return text;
}

}  // namespace bowerbird
