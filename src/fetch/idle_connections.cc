#include "fetch/idle_connections.h"

#include <algorithm>

#include "fetch/client_connection.h"

namespace bowerbird {

std::uint64_t IdleConnections::cost(const ClientConnection& connection) {
  return connection.tls() ? kTlsBytes : kPlainBytes;
}

void IdleConnections::add(ClientConnection& connection, std::int64_t due_us, std::int64_t now_us) {
  connection.idle = true;
  connection.idle_since_us = now_us;
  connection.due_us = due_us;
  by_due_.emplace(due_us, &connection);
  by_host_[connection.host].push_back(&connection);
  bytes_ += cost(connection);
  make_room(now_us);
}

void IdleConnections::limit(std::uint64_t bytes, std::int64_t now_us) {
  limits_.bytes = bytes;
  make_room(now_us);
}

void IdleConnections::make_room(std::int64_t now_us) {
  while (by_due_.size() > limits_.connections || bytes_ > limits_.bytes) {
    if (!close_one(now_us)) return;
  }
}

ClientConnection* IdleConnections::take(std::string_view host, bool tls,
                                        std::span<const NetAddress> addresses) {
  const auto found = by_host_.find(host);
  if (found == by_host_.end()) return nullptr;
  // The server most likely still has the connection that was used last.
  const auto fits = [&](const ClientConnection* one) {
    return one->tls() == tls && std::ranges::find(addresses, one->address()) != addresses.end();
  };
  const auto at = std::find_if(found->second.rbegin(), found->second.rend(), fits);
  if (at == found->second.rend()) return nullptr;
  ClientConnection* const connection = *at;
  remove(*connection);
  return connection;
}

void IdleConnections::remove(ClientConnection& connection) {
  connection.idle = false;
  by_due_.erase({connection.due_us, &connection});
  bytes_ -= cost(connection);
  const auto found = by_host_.find(connection.host);
  std::erase(found->second, &connection);
  if (found->second.empty()) by_host_.erase(found);
}

void IdleConnections::dispose(ClientConnection& connection) {
  remove(connection);
  close_(connection);
}

bool IdleConnections::close_one(std::int64_t now_us) {
  if (by_due_.empty()) return false;
  const bool passed = by_due_.begin()->first + kPassedUs < now_us;
  dispose(*(passed ? by_due_.begin() : std::prev(by_due_.end()))->second);
  return true;
}

std::int64_t IdleConnections::until_us(const ClientConnection& connection) const {
  const bool near = connection.due_us <= connection.idle_since_us + kFarUs;
  return (near ? std::max(connection.due_us, connection.idle_since_us) : connection.idle_since_us) +
         limits_.idle_us;
}

void IdleConnections::expire(std::int64_t now_us) {
  std::vector<ClientConnection*> old;
  for (const auto& [due, connection] : by_due_) {
    if (until_us(*connection) < now_us) old.push_back(connection);
  }
  for (ClientConnection* const connection : old) dispose(*connection);
}

void IdleConnections::close_all() {
  while (close_one(0)) {
  }
}

}  // namespace bowerbird
