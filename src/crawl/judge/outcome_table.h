// The outcomes of fetching a page, and what follows from each: the one table of retries, waits and giving
// up.
//
// Reports and logs show the names of outcomes. A rule has the number of tries, the first wait (each
// further one is twice as long), and whether the page or its host is to blame; if it is the host, the
// whole host waits. Statuses are those of RFC 9110, section 15; 425 of RFC 8470; 429 of RFC 6585. Pure;
// threads: any.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time.h"
#include "fetch/fetcher.h"

namespace bowerbird {

enum class Outcome : std::uint8_t {
  kFetched,      // 2xx
  kRedirect,     // 300, 301, 302, 303, 307 or 308, with a target
  kNotFound,     // 404, 410
  kForbidden,    // 401, 403, 451 and all other 4xx
  kTooMany,      // 429
  kUnavailable,  // 503
  kServerError,  // other 5xx
  kOddStatus,    // anything else: other 3xx; 501 and 505, for which retrying does not help
  kUnwanted,     // the media type is not in --types
  kRobots,       // forbidden by robots.txt
  kNoSuchName,
  kDnsFailed,
  kRefusedAddress,
  kNoConnection,
  kTls,
  kTimedOut,
  kBroken,
  kCutShort,
  kMalformed,
  kHeadTooLarge,
  kBadCoding,  // the compressed body is damaged
  kBomb,       // decompresses to more than the limit
  kInternal,
  kLeftOut,   // excluded when it was to be fetched: scope, depth or trap rules have changed
  kTryAgain,  // 408, 421, 425: another request, on another connection, may succeed
};
inline constexpr int kOutcomes = 25;

enum class Blame : std::uint8_t { kNobody, kPage, kHost };

struct OutcomeRule {
  Outcome outcome;
  std::string_view name;
  Blame blame;
  std::uint8_t tries;    // of a page, including the first
  std::uint32_t wait_s;  // before the second try
  std::string_view what;
};

std::span<const OutcomeRule> outcome_table();
const OutcomeRule& rule_of(Outcome outcome);
// The rule of this name in logs; null: none.
const OutcomeRule* rule_named(std::string_view name);
inline std::string_view outcome_name(Outcome outcome) {
  return rule_of(outcome).name;
}

// A host with this many failures in a row, on any of its pages, is given up for this run.
inline constexpr std::uint32_t kHostFailures = 12;
inline constexpr Duration kLongestWait = 1h;

// The wait after `failures` (at least 1) in a row. retry_after_s: the wait that the server asked for, or
// -1. patience: a factor; the wait is never shorter than the server asked for.
Duration retry_wait(const OutcomeRule& rule, std::uint32_t failures, std::int64_t retry_after_s,
                    double patience = 1);

// The wait in seconds that a response asks for with Retry-After; -1: none.
std::int64_t asked_wait_s(std::string_view head, std::int64_t unix_time);

Outcome outcome_of(const FetchOutcome& fetched);

// Whether the response is final, like 200 or 404: another request would give the same.
bool is_final_response(Outcome outcome);

}  // namespace bowerbird
