// A slow and obvious implementation of RobotsRules, to compare with in tests, fuzzing and the bench: every
// rule of the group is tried on every target by dynamic programming over pattern and target.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "parse/robots_pattern.h"
#include "parse/robots_text.h"

namespace bowerbird {

inline bool reference_match(const RobotsPattern& pattern, std::string_view target) {
  // ends[j]: the pattern so far can match the first j bytes of the target.
  std::vector<bool> ends(target.size() + 1, false);
  ends[0] = true;
  for (const char p : pattern.text) {
    std::vector<bool> next(target.size() + 1, false);
    for (std::size_t j = 0; j <= target.size(); ++j) {
      if (p == '*') {
        next[j] = ends[j] || (j > 0 && next[j - 1]);
      } else {
        next[j] = j > 0 && ends[j - 1] && target[j - 1] == p;
      }
    }
    ends = std::move(next);
  }
  return pattern.anchored ? ends.back() : std::find(ends.begin(), ends.end(), true) != ends.end();
}

inline bool reference_allows(const RobotsText& text, std::string_view token, std::string_view target) {
  std::string scratch;
  ByteKinds held = 0;
  target = comparable_target(target, scratch, held);
  if (target == "/robots.txt") return true;
  std::vector<const RobotsGroup*> chosen;
  for (const std::string_view name : {token, std::string_view("*")}) {
    if (!chosen.empty()) break;
    for (const RobotsGroup& group : text.groups) {
      for (const RobotsAgent& agent : group.agents) {
        if (!equals_ignoring_case(agent.token, name)) continue;
        chosen.push_back(&group);
        break;
      }
    }
  }
  std::size_t longest = 0;
  bool allowed = true;
  for (const RobotsGroup* group : chosen) {
    for (const RobotsRuleLine& rule : group->rules) {
      const RobotsPattern pattern = comparable_pattern(rule.pattern);
      const std::size_t length = pattern.text.size() + pattern.anchored;
      if (!reference_match(pattern, target) || length < longest) continue;
      allowed = length > longest ? rule.allow : allowed || rule.allow;
      longest = length;
    }
  }
  return allowed;
}

}  // namespace bowerbird
