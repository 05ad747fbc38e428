#include "fetch/tls_intermediates.h"

#include <algorithm>

namespace bowerbird {

namespace {

unsigned long hash_of(const X509_NAME* name) {
  return X509_NAME_hash_ex(name, nullptr, nullptr, nullptr);
}

}  // namespace

void TlsIntermediates::remember(const STACK_OF(X509) * chain) {
  for (int i = 1; i + 1 < sk_X509_num(chain); ++i) {
    X509* const one = sk_X509_value(chain, i);
    const unsigned long key = hash_of(X509_get_subject_name(one));
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = by_subject_.equal_range(key);
    const bool known =
        std::any_of(begin, end, [one](const auto& entry) { return X509_cmp(entry.second.get(), one) == 0; });
    if (known || by_subject_.size() >= kMost || by_subject_.count(key) >= kMostPerSubject ||
        i2d_X509(one, nullptr) > kLargestCertificate) {
      continue;
    }
    X509_up_ref(one);
    by_subject_.emplace(key, std::shared_ptr<X509>(one, X509_free));
  }
}

void TlsIntermediates::find(const X509* certificate, STACK_OF(X509) * to) const {
  const std::lock_guard lock(mutex_);
  for (int step = 0; step < kMostSteps && certificate != nullptr; ++step) {
    const auto [begin, end] = by_subject_.equal_range(hash_of(X509_get_issuer_name(certificate)));
    const X509* next = nullptr;
    for (auto at = begin; at != end; ++at) {
      sk_X509_push(to, at->second.get());
      if (at->second.get() != certificate) next = at->second.get();
    }
    certificate = next;
  }
}

std::size_t TlsIntermediates::size() const {
  const std::lock_guard lock(mutex_);
  return by_subject_.size();
}

}  // namespace bowerbird
