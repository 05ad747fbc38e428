// The address that a server listens on, as given on the command line. Threads: any.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace bowerbird {

struct ListenAddress {
  std::string host;  // an IP address
  std::uint16_t port = 0;
  bool is_loopback = true;
};

// "127.0.0.1:8700", "[::1]:8700", "localhost:8700".
Result<ListenAddress> parse_listen(const std::string& text);

}  // namespace bowerbird
