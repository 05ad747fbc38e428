// What became of a page, and what follows from it: the one table of retries, waiting and giving up.
//
// Kinds are what people see in reports and logs. A rule says how often a page is tried in all, how long the
// first wait is (each further one is twice as long), and whether the trouble is the page's own or its host's:
// then the whole host waits. Statuses mean what RFC 9110, section 15 says, 425 what RFC 8470 and 429 what RFC
// 6585 say. Pure; threads: any.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fetch/fetcher.h"

namespace bowerbird {

enum class Outcome : std::uint8_t {
  kFetched,      // 2xx
  kRedirect,     // 300, 301, 302, 303, 307 or 308, with a target
  kNotFound,     // 404, 410
  kForbidden,    // 401, 403, 451 ...: all other 4xx
  kTooMany,      // 429
  kUnavailable,  // 503
  kServerError,  // other 5xx
  kOddStatus,    // anything else: other 3xx, 501 and 505, which no further try will change
  kUnwanted,     // of a type that is not wanted
  kRobots,       // robots.txt says no
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
  kBadCoding,  // compressed, and damaged
  kBomb,       // unfolds beyond the limit
  kInternal,
  kLeftOut,   // the scope, the depth or the traps of now are other than when it was found
  kTryAgain,  // 408, 421, 425: another request, on another connection, may succeed
};
inline constexpr int kOutcomes = 25;

enum class Blame : std::uint8_t { kNobody, kPage, kHost };

struct OutcomeRule {
  Outcome outcome;
  std::string_view name;
  Blame blame;
  std::uint8_t tries;    // of a page, the first included
  std::uint32_t wait_s;  // before the second
  std::string_view what;
};

std::span<const OutcomeRule> outcome_table();
const OutcomeRule& rule_of(Outcome outcome);
// By its name in logs; null: there is none.
const OutcomeRule* rule_named(std::string_view name);
inline std::string_view outcome_name(Outcome outcome) {
  return rule_of(outcome).name;
}

// A host that has failed so often in a row, whatever the pages, is given up for this run.
inline constexpr std::uint32_t kHostFailures = 12;
inline constexpr std::int64_t kLongestWaitMs = 3'600'000;

// How long to wait after `failures` (at least 1) in a row. retry_after_s: what the server asked for, or -1.
// patience: a factor, which never makes the wait shorter than the server asked for.
std::int64_t wait_ms(const OutcomeRule& rule, std::uint32_t failures, std::int64_t retry_after_s,
                     double patience = 1);

Outcome outcome_of(const FetchOutcome& fetched);

// Whether the server has answered for good, with 200 or 404 for example, so that another request would bring
// nothing else.
bool is_final_response(Outcome outcome);

}  // namespace bowerbird
