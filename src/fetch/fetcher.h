// One URL in, one outcome out.
//
// The one interface through which a crawl touches the Web; behind it stands libcurl (curl_fetcher.h), in
// tests a pretended Web. Redirects are not followed here: a redirect is an outcome, and its target a URL like
// any other, which scope, robots and gates have to be asked about. Invariant: every start() is followed by
// exactly one outcome with its id, unless cancel_all() came between. Ownership: outcomes own their bytes.
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
  bool resolve_only = false;    // only the address is asked for
};

struct FetchOutcome {
  std::uint64_t id = 0;
  FetchEnd end = FetchEnd::kInternal;
  int status = 0;
  bool truncated = false;  // the body was cut at our limit
  bool unwanted = false;   // the body was left out: its type is not wanted
  bool http2 = false;
  std::string head;  // status line and fields, with the empty line, as HTTP/1.1
  std::string body;  // without transfer coding, with content coding
  std::optional<NetAddress> address;
  std::int64_t started_us = 0;  // of the monotonic clock: when the request was sent, or was to be
  std::int64_t first_byte_us = 0;
  std::int64_t ended_us = 0;
  std::string trouble;  // what the library says, for people
};

class Fetcher {
 public:
  virtual ~Fetcher() = default;

  virtual void start(FetchRequest request) = 0;
  // Adds what has ended to `done`; waits for something to end, or wake(), at most `wait_ms`.
  virtual void poll(std::vector<FetchOutcome>& done, int wait_ms) = 0;
  // Fetches under way.
  virtual std::size_t active() const = 0;
  // Ends all of them, without outcomes.
  virtual void cancel_all() = 0;
  // What bodies under way may take together from here on, beside one of them; 0: no limit. The others wait.
  virtual void limit_bodies(std::uint64_t /*bytes*/) {}
  // What they take.
  virtual std::uint64_t body_bytes() const { return 0; }
  // Ends the wait in poll(), now or when it begins; from any thread.
  virtual void wake() = 0;
  // The request as it is sent, for the archive.
  virtual std::string request_text(const FetchRequest& request) const = 0;
};

}  // namespace bowerbird
