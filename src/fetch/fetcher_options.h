// What a fetcher of the network is told once. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "fetch/net_filter.h"
#include "fetch/resolver.h"

namespace bowerbird {

struct FetcherOptions {
  std::string user_agent;
  std::string accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
  std::string accept_language;  // empty: not sent
  NetFilter filter;
  ResolverOptions resolver;
  std::string connect_to;    // "127.0.0.1:8080": every connection goes there, whatever the URL says
  std::string proxy;         // as libcurl takes it; its address is not filtered
  std::string certificates;  // a file of authorities in PEM instead of the system's
  std::string crl;           // a file of revocation lists in PEM
  // Hosts whose certificate cannot be verified are asked all the same, without credentials.
  bool record_certificate_errors = false;
  double connect_timeout_s = 15;
  double timeout_s = 180;  // of a whole transfer
  double slow_s = 20;      // slower than slow_bytes_per_second for this long: given up
  std::uint64_t slow_bytes_per_second = 64;
  std::uint64_t max_head = std::uint64_t{64} << 10;
  std::uint64_t max_body = std::uint64_t{10} << 20;
  std::size_t idle_connections = 1024;                  // kept for the next request of their host, at most
  std::uint64_t idle_bytes = std::uint64_t{256} << 20;  // what they may take together
  long idle_s = 15;                                     // for this long after that request was due
  bool http2 = true;
  // Whether the body of an answer with this status and head is wanted; empty: all are.
  std::function<bool(int status, std::string_view head)> wants_body;
};

}  // namespace bowerbird
