// The users of the NATS server that a fleet starts for itself, and what they may do.
//
// Problem: everybody on the machine can connect to a server on the loopback. So it has passwords, drawn at
// random when the fleet is made and kept in its folder, readable by its owner only. A member may do
// everything. A watcher sees the state of the fleet and can stop it: it may read the stores and write the
// control record, but neither the plan nor messages. Plain data.
#pragma once

#include <string>

#include "base/result.h"

namespace bowerbird {

struct ServerUsers {
  std::string member_password;
  std::string watcher_password;

  // Those of the server in this folder, drawn now if there are none.
  static Result<ServerUsers> of(const std::string& folder);
  // "nats://member:...@HOST:PORT"
  std::string member_url(const std::string& host, int port) const;
  std::string watcher_url(const std::string& host, int port) const;
  // The server's configuration, for a fleet of this name.
  std::string configuration(const std::string& fleet) const;
};

}  // namespace bowerbird
