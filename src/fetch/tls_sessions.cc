#include "fetch/tls_sessions.h"

#include <utility>

namespace bowerbird {

void TlsSessions::put(std::string_view key, std::string session) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) drop(found->second);
  entries_.push_back({std::string(key), std::move(session)});
  const auto added = std::prev(entries_.end());
  bytes_ += added->cost();
  by_key_.emplace(added->key, added);
  while (bytes_ > most_bytes_) drop(entries_.begin());
}

std::string TlsSessions::take(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return {};
  std::string session = found->second->session;
  drop(found->second);
  return session;
}

void TlsSessions::drop(Entries::iterator entry) {
  bytes_ -= entry->cost();
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

}  // namespace bowerbird
