// What the response to a request for robots.txt means for its host (RFC 9309, section 2.3).
//
// 2xx: the rules apply. 3xx: its target is requested; after five redirects everything is allowed.
// 4xx: everything is allowed. 5xx, no response, and the 4xx that ask for a retry (408, 421, 425, 429):
// nothing is allowed for now. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fetch/fetcher.h"
#include "parse/robots.h"

namespace bowerbird {

struct RobotsAnswer {
  enum class Kind { kRules, kRedirected, kUnreachable };
  Kind kind = Kind::kUnreachable;
  RobotsRules rules;
  std::vector<std::string> sitemaps;  // canonical
  std::string target;                 // kRedirected: where the rules are; canonical
};

inline constexpr unsigned kRobotsRedirects = 5;

// url: the URL that was requested. hops: redirects before it. token: our name.
RobotsAnswer robots_answer(const FetchOutcome& outcome, std::string_view url, unsigned hops,
                           std::string_view token);

}  // namespace bowerbird
