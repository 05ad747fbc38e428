#include "crawl/judge/robots_answer.h"

#include "crawl/judge/outcome_table.h"
#include "fetch/coding.h"
#include "parse/http_head.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostSitemaps = 50;

void read_rules(const FetchOutcome& outcome, std::string_view token, const Url& base, RobotsAnswer& answer) {
  std::string decoded;
  std::string_view body = outcome.body;
  CodingLimits limits;
  limits.max_bytes = kRobotsLimit;
  const CodingResult result =
      decode_body(joined_fields(outcome.head, "content-encoding"), body, limits, decoded);
  const bool damaged = result == CodingResult::kDamaged || result == CodingResult::kUnknown ||
                       result == CodingResult::kWrongChecksum ||
                       (result == CodingResult::kCut && !outcome.truncated);
  if (damaged) return;  // the rules are unknown
  if (result != CodingResult::kPlain) body = decoded;
  const RobotsText text = parse_robots(body);
  answer.rules = RobotsRules::make(text, token);
  answer.kind = RobotsAnswer::Kind::kRules;
  for (const RobotsRecord& record : text.sitemaps) {
    Url url;
    if (answer.sitemaps.size() < kMostSitemaps && canonical_url(record.text, &base, url) == UrlFault::kNone) {
      answer.sitemaps.push_back(url.text());
    }
  }
}

}  // namespace

RobotsAnswer robots_answer(const FetchOutcome& outcome, std::string_view url, unsigned hops,
                           std::string_view token) {
  RobotsAnswer answer;
  if (outcome.end != FetchEnd::kAnswered) return answer;
  Url base;
  if (parse_url(url, nullptr, base) != UrlFault::kNone) return answer;
  if (outcome_of(outcome) == Outcome::kRedirect) {
    Url target;
    if (hops < kRobotsRedirects && redirect_target(outcome.head, base, target)) {
      answer.kind = RobotsAnswer::Kind::kRedirected;
      answer.target = target.text();
      return answer;
    }
  }
  switch (robots_access(outcome.status)) {
    case RobotsAccess::kParse:
      read_rules(outcome, token, base, answer);
      break;
    case RobotsAccess::kAllAllowed:
      answer.kind = RobotsAnswer::Kind::kRules;
      break;
    case RobotsAccess::kNoneAllowed:
      break;
  }
  return answer;
}

}  // namespace bowerbird
