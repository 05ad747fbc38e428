#include "fetch/idle_connections.h"

#include <algorithm>

#include "fetch/client_connection.h"

namespace bowerbird {

void IdleConnections::add(ClientConnection& connection, std::int64_t now_us) {
  connection.idle = true;
  connection.idle_since_us = now_us;
  connection.due_us = now_us;
  by_due_.emplace(now_us, &connection);
  by_host_[connection.host].push_back(&connection);
  if (by_due_.size() > most_) close_one();
}

ClientConnection* IdleConnections::take(std::string_view host, bool tls,
                                        std::span<const NetAddress> addresses) {
  const auto found = by_host_.find(host);
  if (found == by_host_.end()) return nullptr;
  // The last one used is the one that the server has most likely kept, too.
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
  const auto found = by_host_.find(connection.host);
  std::erase(found->second, &connection);
  if (found->second.empty()) by_host_.erase(found);
}

void IdleConnections::expect(std::string_view host, std::int64_t due_us) {
  const auto found = by_host_.find(host);
  if (found == by_host_.end()) return;
  for (ClientConnection* const one : found->second) {
    auto node = by_due_.extract({one->due_us, one});
    one->due_us = due_us;
    node.value().first = due_us;
    by_due_.insert(std::move(node));
  }
}

bool IdleConnections::close_one() {
  if (by_due_.empty()) return false;
  ClientConnection* const furthest = std::prev(by_due_.end())->second;
  remove(*furthest);
  close_(*furthest);
  return true;
}

std::int64_t IdleConnections::until_us(const ClientConnection& connection) const {
  const bool near = connection.due_us <= connection.idle_since_us + kFarUs;
  return (near ? std::max(connection.due_us, connection.idle_since_us) : connection.idle_since_us) + idle_us_;
}

void IdleConnections::expire(std::int64_t now_us) {
  std::vector<ClientConnection*> old;
  for (const auto& [due, connection] : by_due_) {
    if (until_us(*connection) < now_us) old.push_back(connection);
  }
  for (ClientConnection* const connection : old) {
    remove(*connection);
    close_(*connection);
  }
}

void IdleConnections::close_all() {
  while (close_one()) {
  }
}

}  // namespace bowerbird
