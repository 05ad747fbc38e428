// Intermediate certificates that servers have sent, for servers that omit theirs.
//
// They only help to find a path to an authority; they are never trusted themselves. Each has been part of
// a verified chain. Shared by the TLS clients of a crawl. Memory: at most kMost certificates of
// kLargestCertificate bytes. Threads: any.
#pragma once

#include <openssl/x509.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bowerbird {

class TlsIntermediates {
 public:
  // Takes those of a verified chain.
  void remember(const STACK_OF(X509) * chain);
  // Appends those that may lead from this certificate to an authority, without taking references. They are
  // valid as long as this object.
  void find(const X509* certificate, STACK_OF(X509) * to) const;
  std::size_t size() const;

 private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostPerSubject = 4;
  static constexpr int kLargestCertificate = 8 << 10;
  static constexpr int kMostSteps = 10;

  mutable std::mutex mutex_;
  // By the hash of their subject. Several authorities may have signed the same subject.
  std::unordered_multimap<unsigned long, std::shared_ptr<X509>> by_subject_;
};

}  // namespace bowerbird
