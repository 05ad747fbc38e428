// Serialised TLS sessions for resumption: a resumed handshake needs no certificate and no signature.
//
// Each session is used once (RFC 8446, C.4), so that connections cannot be linked by it. A live session
// object would keep the certificate chain in memory, so sessions are serialised (tls_client.cc). Invariant:
// keys and sessions together take at most `most_bytes`; the oldest are removed first. Threads: one.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/keyed_hash.h"

namespace bowerbird {

class TlsSessions {
 public:
  explicit TlsSessions(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Replaces an earlier session with this key.
  void put(std::string_view key, std::string session);
  // Removes and returns it; empty: none.
  std::string take(std::string_view key);

  std::size_t bytes() const { return bytes_; }
  std::size_t count() const { return by_key_.size(); }

 private:
  struct Entry {
    std::string key;
    std::string session;
    std::size_t cost() const { return kOverhead + key.size() + session.size(); }
  };
  static constexpr std::size_t kOverhead = 160;  // list, table and two allocations
  using Entries = std::list<Entry>;

  void drop(Entries::iterator entry);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  Entries entries_;  // the oldest first
  std::unordered_map<std::string_view, Entries::iterator, KeyedStringHash> by_key_;
};

}  // namespace bowerbird
