#include "crawl/judge/outcome_table.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "parse/http_fields.h"
#include "parse/http_head.h"

namespace bowerbird {

namespace {

constexpr std::array<OutcomeRule, kOutcomes> kTable = {{
    {Outcome::kFetched, "fetched", Blame::kNobody, 1, 0, "HTTP 2xx"},
    {Outcome::kRedirect, "redirect", Blame::kNobody, 1, 0, "HTTP 3xx; its target is a link"},
    {Outcome::kNotFound, "not-found", Blame::kPage, 1, 0, "HTTP 404 or 410"},
    {Outcome::kForbidden, "forbidden", Blame::kPage, 1, 0, "access refused, HTTP 4xx"},
    {Outcome::kTooMany, "too-many", Blame::kHost, 6, 30, "HTTP 429; retried later"},
    {Outcome::kUnavailable, "unavailable", Blame::kHost, 5, 30, "HTTP 503; retried later"},
    {Outcome::kServerError, "server-error", Blame::kPage, 3, 60, "server error, HTTP 5xx"},
    {Outcome::kOddStatus, "odd-status", Blame::kPage, 1, 0, "unusable HTTP status"},
    {Outcome::kUnwanted, "unwanted-type", Blame::kNobody, 1, 0, "not of a type in --types"},
    {Outcome::kRobots, "robots", Blame::kNobody, 1, 0, "robots.txt forbids it"},
    {Outcome::kNoSuchName, "no-such-host", Blame::kHost, 1, 0, "no such host"},
    {Outcome::kDnsFailed, "dns-failed", Blame::kHost, 4, 60, "DNS did not answer"},
    {Outcome::kRefusedAddress, "refused-address", Blame::kHost, 1, 0, "not a public address"},
    {Outcome::kNoConnection, "connection-failed", Blame::kHost, 4, 60, "connection failed"},
    {Outcome::kTls, "tls-error", Blame::kHost, 2, 300, "TLS error"},
    {Outcome::kTimedOut, "timed-out", Blame::kHost, 3, 60, "timed out"},
    {Outcome::kBroken, "connection-lost", Blame::kPage, 3, 30, "connection lost"},
    {Outcome::kCutShort, "truncated", Blame::kPage, 3, 30, "truncated"},
    {Outcome::kMalformed, "malformed", Blame::kPage, 2, 30, "not valid HTTP"},
    {Outcome::kHeadTooLarge, "headers-too-large", Blame::kPage, 1, 0, "response headers too large"},
    {Outcome::kBadCoding, "bad-coding", Blame::kPage, 2, 30, "damaged compressed body"},
    {Outcome::kBomb, "unpacked-too-large", Blame::kPage, 1, 0, "decompressed body too large"},
    {Outcome::kInternal, "internal-error", Blame::kPage, 3, 10, "internal error"},
    {Outcome::kLeftOut, "out-of-scope", Blame::kNobody, 1, 0, "out of scope since the options changed"},
    {Outcome::kTryAgain, "try-again", Blame::kPage, 3, 30, "HTTP 408, 421 or 425"},
}};

Outcome of_status(int status) {
  switch (status) {
    case 300:
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return Outcome::kRedirect;
    case 404:
    case 410:
      return Outcome::kNotFound;
    case 408:
    case 421:
    case 425:
      return Outcome::kTryAgain;
    case 429:
      return Outcome::kTooMany;
    case 501:
    case 505:
      return Outcome::kOddStatus;
    case 503:
      return Outcome::kUnavailable;
    default:
      break;
  }
  switch (status / 100) {
    case 2:
      return Outcome::kFetched;
    case 4:
      return Outcome::kForbidden;
    case 5:
      return Outcome::kServerError;
    default:
      return Outcome::kOddStatus;
  }
}

}  // namespace

std::span<const OutcomeRule> outcome_table() {
  return kTable;
}

const OutcomeRule& rule_of(Outcome outcome) {
  const OutcomeRule& rule = kTable[static_cast<std::size_t>(outcome)];
  CHECK(rule.outcome == outcome);
  return rule;
}

const OutcomeRule* rule_named(std::string_view name) {
  const auto* const found = std::ranges::find(kTable, name, &OutcomeRule::name);
  return found == kTable.end() ? nullptr : &*found;
}

bool is_final_response(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFetched:
    case Outcome::kRedirect:
    case Outcome::kNotFound:
    case Outcome::kForbidden:
    case Outcome::kOddStatus:
      return true;
    default:
      return false;
  }
}

Duration retry_wait(const OutcomeRule& rule, std::uint32_t failures, std::int64_t retry_after_s,
                    double patience) {
  const std::uint32_t doublings = std::min<std::uint32_t>(failures > 0 ? failures - 1 : 0, 16);
  const Duration own = std::min(kLongestWait, Duration{std::int64_t{rule.wait_s} * 1000 << doublings});
  if (retry_after_s < 0) return std::chrono::duration_cast<Duration>(own * patience);
  // A longer wait that the server asks for is respected, up to a day.
  const auto asked = std::clamp<std::chrono::seconds>(std::chrono::seconds(retry_after_s), 1s, 24h);
  return std::chrono::duration_cast<Duration>(Duration{asked} * std::max(1.0, patience));
}

std::int64_t asked_wait_s(std::string_view head, std::int64_t unix_time) {
  const std::string_view value = head_field(head, "retry-after");
  return value.empty() ? -1 : parse_retry_after(value, unix_time).value_or(-1);
}

Outcome outcome_of(const FetchOutcome& fetched) {
  switch (fetched.end) {
    case FetchEnd::kAnswered: {
      const Outcome outcome = of_status(fetched.status);
      if (outcome == Outcome::kFetched && fetched.unwanted) return Outcome::kUnwanted;
      if (outcome == Outcome::kRedirect && head_field(fetched.head, "location").empty()) {
        return Outcome::kOddStatus;
      }
      return outcome;
    }
    case FetchEnd::kNoSuchName:
      return Outcome::kNoSuchName;
    case FetchEnd::kDnsFailed:
      return Outcome::kDnsFailed;
    case FetchEnd::kRefused:
      return Outcome::kRefusedAddress;
    case FetchEnd::kNoConnection:
      return Outcome::kNoConnection;
    case FetchEnd::kTls:
      return Outcome::kTls;
    case FetchEnd::kTimedOut:
      return Outcome::kTimedOut;
    case FetchEnd::kBroken:
      return Outcome::kBroken;
    case FetchEnd::kCutShort:
      return Outcome::kCutShort;
    case FetchEnd::kMalformed:
      return Outcome::kMalformed;
    case FetchEnd::kHeadTooLarge:
      return Outcome::kHeadTooLarge;
    case FetchEnd::kResolved:
    case FetchEnd::kInternal:
      return Outcome::kInternal;
  }
  return Outcome::kInternal;
}

}  // namespace bowerbird
