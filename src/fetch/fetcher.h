// Fetches one URL: a request in, one outcome out.
//
// The only interface through which a crawl accesses the Web. Implementations: our own client
// (http_fetcher.h), libcurl for proxies (curl_fetcher.h), simulated Webs in tests. Redirects are not
// followed here: a redirect is an outcome, and its target is a URL like any other, subject to scope,
// robots.txt and gates. If the request has addresses, connections go only to those: a caller that limits
// requests per address looks the name up first (resolve_only). Invariant: every start() is followed by
// exactly one outcome with its id, unless cancel_all() is called. Ownership: outcomes own their bytes.
// Threads: one; only wake() may be called from others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/net_address.h"

namespace bowerbird {

// How a fetch ended. The caller interprets the status. It is that of a complete response only with kAnswered;
// a fetch that ended in the middle of the body has the status and header that were received.
enum class FetchEnd : std::uint8_t {
  kAnswered,      // a complete response, or one truncated at our limit
  kResolved,      // resolve_only: the name has an address
  kNoSuchName,    // the name does not exist
  kDnsFailed,     // the DNS server did not answer
  kRefused,       // the address is not allowed
  kNoConnection,  // connection refused or timed out
  kTls,           // not trusted, or no common protocol
  kTimedOut,      // too slow, at any stage
  kBroken,        // the connection was closed in the middle, or before a response
  kCutShort,      // the body is shorter than its declared length
  kMalformed,     // not HTTP
  kHeadTooLarge,
  kInternal,  // a local error: out of memory or descriptors
};
inline constexpr int kFetchEnds = 13;
std::string_view fetch_end_name(FetchEnd end);

struct FetchRequest {
  std::uint64_t id = 0;
  std::string url;              // canonical
  std::string fields;           // further header lines, each "Name: value\r\n"
  std::uint64_t max_body = 0;   // bytes; 0: the fetcher's default
  bool any_type = false;        // receive the body whatever its type
  bool new_connection = false;  // do not reuse a connection
  bool resolve_only = false;    // only look up the addresses
  std::int64_t next_ms = 0;     // the host's next request comes no sooner than this after this one
  // Addresses to connect to; empty: the name is looked up.
  std::vector<NetAddress> addresses = {};
};

struct FetchOutcome {
  std::uint64_t id = 0;
  FetchEnd end = FetchEnd::kInternal;
  int status = 0;
  bool truncated = false;  // the body was truncated at our limit
  bool unwanted = false;   // the body was skipped: its type is not wanted
  bool http2 = false;
  bool with_cookies = false;  // the request had cookies of the jar; set by the crawl
  std::string head;           // status line and header fields with the empty line, in the form of HTTP/1.1
  std::string body;           // without transfer coding; with content coding unless `decoded`
  bool decoded = false;       // the content codings of the header were undone (archived_body.h)
  std::optional<NetAddress> address;  // that responded, or the first one found
  // With kResolved: the other addresses, and when they expire (monotonic clock; 0: unknown).
  std::vector<NetAddress> other_addresses = {};
  std::int64_t addresses_until_us = 0;
  std::int64_t started_us = 0;  // monotonic clock: when the request was sent, or was to be sent
  std::int64_t first_byte_us = 0;
  std::int64_t ended_us = 0;
  // Why the certificate could not be verified; empty: it was, or there is none.
  std::string certificate_error;
  std::string trouble;  // a description of the error
};

// For implementations of Fetcher. A body whose type is not wanted is read and dropped up to this size, so
// that its connection can be kept.
inline constexpr std::uint64_t kMostUnwanted = 64 << 10;
// How much memory is reserved for a body because of its Content-Length alone.
inline constexpr std::uint64_t kMostBodyReserved = 1 << 20;
// Appends to the body. A long one grows by an eighth rather than doubling.
void append_to_body(FetchOutcome& outcome, std::string_view bytes);
// The number of a host's addresses that are used. Requests may go to any of them, so politeness applies to
// all.
inline constexpr std::size_t kMostHostAddresses = 4;

// Whether one of the lines "Name: value\r\n" has the field name of `line`.
bool names_same_field(std::string_view lines, std::string_view line);

class Fetcher {
 public:
  virtual ~Fetcher() = default;

  virtual void start(FetchRequest request) = 0;
  // Appends finished fetches to `done`. Waits at most `wait_ms` for one to finish, or for wake().
  virtual void poll(std::vector<FetchOutcome>& done, int wait_ms) = 0;
  // Fetches in progress.
  virtual std::size_t active() const = 0;
  // Ends the fetch with this id. Its outcome, kTimedOut or kDnsFailed, comes with the next poll().
  virtual void cancel(std::uint64_t id) = 0;
  // Ends all fetches, without outcomes.
  virtual void cancel_all() = 0;
  // Memory limit for all bodies being received; 0: none. Beyond it, transfers wait. one_more: whether one
  // of them may continue anyway.
  virtual void limit_bodies(std::uint64_t /*bytes*/, bool /*one_more*/) {}
  // Memory of these bodies.
  virtual std::uint64_t body_bytes() const { return 0; }
  // Memory limit for idle connections.
  virtual void limit_idle(std::uint64_t /*bytes*/) {}
  // Ends the wait in poll(), the current one or the next; from any thread.
  virtual void wake() = 0;
  // The request as it is sent, for the archive.
  virtual std::string request_text(const FetchRequest& request) const = 0;
};

}  // namespace bowerbird
