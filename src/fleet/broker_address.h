// The address of a NATS server, as users write it: nats://HOST:PORT, tls://USER:PASSWORD@HOST:PORT or
// nats://TOKEN@HOST:PORT, and further URLs of its cluster after commas. Files follow as
// ?ca=FILE&credentials=FILE: the certificates that signed the server's, and a .creds file. Plain data.
#pragma once

#include <string>

#include "base/result.h"

namespace bowerbird {

struct BrokerAddress {
  std::string url;  // without the files
  std::string ca;
  std::string credentials;

  static Result<BrokerAddress> parse(const std::string& text);
  bool is_tls() const { return !ca.empty() || url.find("tls://") != url.npos; }
};

}  // namespace bowerbird
