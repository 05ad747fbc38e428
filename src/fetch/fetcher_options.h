// Options of a network fetcher. Plain data.
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
  std::string connect_to;    // "127.0.0.1:8080": the destination of every connection, whatever the URL
  std::string proxy;         // in libcurl's format; its address is not filtered
  std::string certificates;  // PEM file with certificate authorities that replaces the system's
  std::string crl;           // PEM file with revocation lists
  // Hosts with an invalid certificate are fetched from nevertheless, without credentials.
  bool record_certificate_errors = false;
  double connect_timeout_s = 15;
  double timeout_s = 180;  // of a whole transfer
  double slow_s = 20;      // a transfer slower than slow_bytes_per_second for this long is ended
  std::uint64_t slow_bytes_per_second = 64;
  std::uint64_t max_head = std::uint64_t{64} << 10;
  std::uint64_t max_body = std::uint64_t{10} << 20;
  std::size_t idle_connections = 1024;                  // maximum number of idle connections
  std::uint64_t idle_bytes = std::uint64_t{256} << 20;  // memory limit for them
  long idle_s = 15;  // how long they are kept after the host's next request was due
  bool http2 = true;
  unsigned threads = 0;  // of our own client; 0: it runs in the thread that calls it
  // Whether the body of a response with this status and header is wanted; empty: all are.
  std::function<bool(int status, std::string_view head)> wants_body;
};

}  // namespace bowerbird
