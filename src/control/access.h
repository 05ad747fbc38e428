// Who may read, and who may change a crawl over the network.
//
// Rules: the Host header must be one of ours (otherwise 421), which prevents DNS rebinding. A foreign
// Origin is refused (403), which prevents access by other sites in the same browser. On a loopback
// address reading needs no token; on any other address it does. Changing always needs a token that allows
// it. A process of the same user may do everything over the Unix socket. Tokens are compared in constant
// time. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "web/http/handler.h"

namespace bowerbird {

struct AccessRules {
  std::string token;       // may read and change
  std::string read_token;  // may only read
  bool open_reading = true;
  // Allowed hosts. An entry without a port matches any port.
  std::vector<std::string> hosts;
};

enum class AccessNeed : std::uint8_t { kNothing, kRead, kChange };

struct Refusal {
  int status = 0;  // 0: none
  std::string_view why;
};

Refusal check_access(const AccessRules& rules, const HttpRequest& request, AccessNeed need);

// 192 random bits as URL-safe text.
std::string make_token();
// The first line of a file that only its owner can read; it must have at least 16 characters.
Result<std::string> read_token_file(const std::string& path);

}  // namespace bowerbird
