// The rules of robots.txt for one crawler, in a form that decides fast whether a URL may be fetched (RFC
// 9309).
//
// Problem: one file per host is parsed once and consulted for every URL. The rules of all groups that name
// the crawler are merged, or those of "*" if none does (section 2.2.1); the longest matching pattern decides,
// "allow" if two are equally long; no match means allowed (section 2.2.2). Patterns without special
// characters are sorted, so that a binary search (over their first bytes as numbers) finds the longest one
// that is a prefix. Those with '*' or '$' are tried from the longest on, and most of them are ruled out by
// comparing the set of bytes they need. Matching is linear in pattern and URL, and the work of one decision
// is limited: beyond the limit, a disallow rule counts as matching and an allow rule does not. Only malicious
// files come near the limit. Immutable once made; threads: any. Owns its text; memory() returns its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse/robots_text.h"

namespace bowerbird {

struct RobotsDecision {
  bool allowed;
  std::uint32_t line;      // of the rule that decided; 0: none
  std::uint64_t work = 0;  // approximate number of compared bytes
};
// The work limit of a decision, and that of one rule beyond it.
constexpr std::uint64_t kRobotsWork = std::uint64_t{1} << 19;

class RobotsRules {
 public:
  // Everything is allowed.
  RobotsRules() = default;
  // Nothing is allowed, except robots.txt.
  static RobotsRules none_allowed();
  // The rules in `text` for the crawler with this product token ("Bowerbird").
  static RobotsRules make(const RobotsText& text, std::string_view token);

  // `target`: path and query of a URL, beginning with '/' (Url::target()).
  RobotsDecision decide(std::string_view target) const;
  bool allows(std::string_view target) const { return decide(target).allowed; }

  std::optional<double> crawl_delay() const {
    return crawl_delay_ < 0 ? std::nullopt : std::optional(static_cast<double>(crawl_delay_));
  }
  std::size_t size() const { return rules_.size(); }
  // Bytes, including this object.
  std::size_t memory() const;

  // A robots.txt with these rules for all crawlers; make() of it decides the same.
  std::string to_text() const;

 private:
  struct Rule {
    std::uint32_t begin;   // of the pattern in text_
    std::uint32_t length;  // of the pattern
    std::uint32_t line : 30;
    std::uint32_t allow : 1;
    std::uint32_t anchored : 1;
    // Plain rules: the longest other rule that is a proper prefix, or kNoParent. Special rules: the length
    // for precedence, including '$'.
    std::uint32_t parent_or_rank;
  };
  static constexpr std::uint32_t kNoParent = 0xffffffff;

  class Builder;

  std::string_view pattern(const Rule& rule) const {
    return std::string_view(text_).substr(rule.begin, rule.length);
  }
  const Rule* longest_plain(std::string_view target) const;
  bool matches(const Rule& rule, std::string_view target, std::uint64_t& work) const;

  std::span<const Rule> plain() const { return std::span(rules_).first(plain_count_); }

  std::string text_;  // the patterns, one after the other
  // Plain rules in the order of their text; then special ones, longest first, allow before disallow.
  std::vector<Rule> rules_;
  // For each plain rule, the eight bytes after its '/'; for each special one, the kinds of bytes it needs.
  std::vector<std::uint64_t> words_;
  std::uint32_t plain_count_ = 0;
  float crawl_delay_ = -1;
};

// The meaning of the response to a request for robots.txt (section 2.3.1).
enum class RobotsAccess {
  kParse,        // 2xx: the rules are in the body
  kAllAllowed,   // "unavailable": 4xx, or too many redirects
  kNoneAllowed,  // "unreachable": 5xx, no response; by our choice 408, 421, 425 and 429 too: retry later
};
RobotsAccess robots_access(int status);

}  // namespace bowerbird
