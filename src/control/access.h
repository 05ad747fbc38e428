// Who may read and who may change a crawl over the network.
//
// The rules: the Host header must be one of ours (else 421), which keeps out DNS rebinding; a foreign Origin
// is refused (403), which keeps out other sites in the same browser. On a loopback address reading needs no
// token; on any other address it does. Changing always needs one that allows it. A process of the same user,
// over the Unix socket, may do everything. Tokens are compared in constant time. Pure; threads: any.
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
  // Allowed hosts: those with a port as they are, those without with any port.
  std::vector<std::string> hosts;
};

enum class AccessNeed : std::uint8_t { kNothing, kRead, kChange };

struct Refusal {
  int status = 0;  // 0: none
  std::string_view why;
};

Refusal check_access(const AccessRules& rules, const HttpRequest& request, AccessNeed need);

// 32 random bytes as text for a URL.
std::string make_token();
// The first line of a file that only its owner can read; at least 16 characters.
Result<std::string> read_token_file(const std::string& path);

}  // namespace bowerbird
