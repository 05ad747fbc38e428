// One URL in, one outcome out.
//
// The one interface through which a crawl touches the Web; behind it stands our client (http_fetcher.h),
// libcurl where there is a proxy (curl_fetcher.h), in tests a pretended Web. Redirects are not followed here:
// a redirect is an outcome, and its target a URL like any other, which scope, robots and gates have to be
// asked about. Connections go to the addresses of the request alone, if it has any: a caller that spares
// addresses looks the name up first (resolve_only). Invariant: every start() is followed by exactly one
// outcome with its id, unless cancel_all() came between. Ownership: outcomes own their bytes. Threads: one;
// only wake() may be called from others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/net_address.h"

namespace bowerbird {

// How a fetch ended. Only with kAnswered there is a status; what it means is the caller's business.
enum class FetchEnd : std::uint8_t {
  kAnswered,      // a whole response, or one cut where a limit of ours said so
  kResolved,      // the name has an address; nothing else was asked for
  kNoSuchName,    // the DNS has no such name
  kDnsFailed,     // the DNS did not answer
  kRefused,       // an address we do not connect to
  kNoConnection,  // nobody answered, or nobody listens
  kTls,           // no trust, or no common protocol
  kTimedOut,      // too slow, at whatever stage
  kBroken,        // the connection ended in the middle, or before anything came
  kCutShort,      // the body is shorter than its length says
  kMalformed,     // not HTTP
  kHeadTooLarge,
  kInternal,  // of our own making: out of memory, of descriptors
};
inline constexpr int kFetchEnds = 13;
std::string_view fetch_end_name(FetchEnd end);

struct FetchRequest {
  std::uint64_t id = 0;
  std::string url;              // canonical
  std::string fields;           // further lines of the request, each "Name: value\r\n"
  std::uint64_t max_body = 0;   // bytes; 0: the fetcher's own limit
  bool any_type = false;        // the body is wanted whatever its type
  bool new_connection = false;  // not one that was used before
  bool resolve_only = false;    // only the addresses are asked for
  std::int64_t next_ms = 0;     // after this one the host is not asked again for so long
  // Those that may be connected to; none: the name is looked up.
  std::vector<NetAddress> addresses = {};
};

struct FetchOutcome {
  std::uint64_t id = 0;
  FetchEnd end = FetchEnd::kInternal;
  int status = 0;
  bool truncated = false;  // the body was cut at our limit
  bool unwanted = false;   // the body was left out: its type is not wanted
  bool http2 = false;
  bool with_cookies = false;          // the request had cookies of the jar; set by the crawl
  std::string head;                   // status line and fields, with the empty line, as HTTP/1.1
  std::string body;                   // without transfer coding, with content coding unless `decoded`
  bool decoded = false;               // the content codings named in the head were undone (archived_body.h)
  std::optional<NetAddress> address;  // that answered, or the first that was found
  // With kResolved: the further ones, and how long they hold (monotonic clock; 0: not known).
  std::vector<NetAddress> other_addresses = {};
  std::int64_t addresses_until_us = 0;
  std::int64_t started_us = 0;  // of the monotonic clock: when the request was sent, or was to be
  std::int64_t first_byte_us = 0;
  std::int64_t ended_us = 0;
  // Why the certificate could not be verified; empty: it was, or there is none.
  std::string certificate_error;
  std::string trouble;  // what the library says, for people
};

// Whether one of the lines "Name: value\r\n" sets the field of `line`.
bool names_same_field(std::string_view lines, std::string_view line);

class Fetcher {
 public:
  virtual ~Fetcher() = default;

  virtual void start(FetchRequest request) = 0;
  // Adds what has ended to `done`; waits for something to end, or wake(), at most `wait_ms`.
  virtual void poll(std::vector<FetchOutcome>& done, int wait_ms) = 0;
  // Fetches under way.
  virtual std::size_t active() const = 0;
  // Ends the fetch with this id early; its outcome, kTimedOut or kDnsFailed, comes with the next poll().
  virtual void cancel(std::uint64_t id) = 0;
  // Ends all of them, without outcomes.
  virtual void cancel_all() = 0;
  // What bodies under way may take together from here on; 0: no limit. The others wait. one_more: whether one
  // of them may go on beyond that.
  virtual void limit_bodies(std::uint64_t /*bytes*/, bool /*one_more*/) {}
  // What they take.
  virtual std::uint64_t body_bytes() const { return 0; }
  // What connections that wait for their host's next request may take together from here on.
  virtual void limit_idle(std::uint64_t /*bytes*/) {}
  // Ends the wait in poll(), now or when it begins; from any thread.
  virtual void wake() = 0;
  // The request as it is sent, for the archive.
  virtual std::string request_text(const FetchRequest& request) const = 0;
};

}  // namespace bowerbird
