// Parses the head of an HTTP/1.x request (RFC 9112), strictly and within limits.
//
// Strict on purpose: a crawler under test should notice its mistakes. Our choices where the RFC leaves them
// open: a lone LF ends a line (2.2); a few empty lines before the request are skipped (2.2); any other
// deviation, including folded lines and a CR elsewhere, is 400.
//
// Invariant: the result depends only on the bytes, not on how they were split: a head that parses gives kMore
// for each of its proper prefixes. The views of a request point into the parsed bytes and are valid as long
// as those. Allocates only the vector of fields, which is reused. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bowerbird {

struct Http1Limits {
  std::size_t line = 8192;   // maximum length of the request line; longer is 414
  std::size_t head = 32768;  // maximum length of all lines together; longer is 431
  std::size_t fields = 100;  // maximum number; more is 431
};

struct HttpField {
  std::string_view name;
  std::string_view value;
};

struct Http1Request {
  std::string_view method;
  std::string_view target;     // origin-form; "*" for OPTIONS; host:port for CONNECT
  std::string_view authority;  // from the target if it is absolute (3.2.2), else the Host field; may be empty
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
  int status = 0;        // kBad: the status to send ...
  const char* why = "";  // ... and why
};

Http1Parse parse_http1_request(std::string_view bytes, const Http1Limits& limits, Http1Request& request);

// Compares field names case-insensitively (RFC 9110, 5.1). `lower` must be in lower case.
bool field_is(std::string_view name, std::string_view lower);
// The next element of a comma-separated list, without blanks; `rest` advances. Empty elements are skipped
// (RFC 9110, 5.6.1); an empty result means the end.
std::string_view next_element(std::string_view& rest);

}  // namespace bowerbird
