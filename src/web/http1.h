// The head of an HTTP/1.x request from bytes (RFC 9112), strict and bounded.
//
// Strict on purpose: a crawler under test should hear of its mistakes. What the RFC leaves open is decided
// so: a lone LF ends a line (2.2); a few empty lines before the request are skipped (2.2); any other
// deviation, folded lines and a CR elsewhere among them, is 400.
//
// Invariant: the answer depends on the bytes alone, not on how they were cut on the way: a head that parses
// whole gives kMore for each of its proper prefixes. The views of a request point into the bytes parsed and
// live as long as those. No allocation but for the vector of fields, which is reused. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bowerbird {

struct Http1Limits {
  std::size_t line = 8192;   // of the request line; longer is 414
  std::size_t head = 32768;  // of all lines together; longer is 431
  std::size_t fields = 100;  // more is 431
};

struct HttpField {
  std::string_view name;
  std::string_view value;
};

struct Http1Request {
  std::string_view method;
  std::string_view target;     // origin-form; "*" for OPTIONS; host:port for CONNECT
  std::string_view authority;  // of the target if it is absolute (3.2.2), else the Host field; may be empty
  bool https = false;          // the scheme of an absolute target
  int minor = 1;               // of HTTP/1.minor
  bool keep_alive = true;      // 9.3
  std::uint64_t content_length = 0;
  bool chunked = false;  // the body is chunked
  std::vector<HttpField> fields;
};

struct Http1Parse {
  enum State { kMore, kDone, kBad } state = kMore;
  std::size_t used = 0;  // kDone: bytes of the head
  int status = 0;        // kBad: what to answer ...
  const char* why = "";  // ... and why
};

Http1Parse parse_http1_request(std::string_view bytes, const Http1Limits& limits, Http1Request& request);

// Field names compare without regard to case (RFC 9110, 5.1). `lower` is in lower case already.
bool field_is(std::string_view name, std::string_view lower);
// The element of a comma-separated list that comes next, without blanks; `rest` moves on. Empty elements are
// skipped (RFC 9110, 5.6.1); an empty answer means the end.
std::string_view next_element(std::string_view& rest);

}  // namespace bowerbird
