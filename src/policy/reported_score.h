// A score as reports, logs and the archive show it.
//
// An ordering with two queues (two_queues.h) encodes the queue in the score, and that number says nothing to
// a reader. So the queue and the score within it are shown separately. Pure.
#pragma once

#include <string_view>

#include "policy/two_queues.h"

namespace bowerbird {

// The score of a seed of `lipr` until a link or a recomputation replaces it: seeds come before all other
// pages.
inline constexpr Score kSeedScore = 1e9;

struct ReportedScore {
  Score score = 0;
  std::string_view queue;  // "hot" or "other"; empty: the ordering has one queue
  bool first = false;      // it is kSeedScore, which is not a number to show
};

// policy: the spec, "similar:by=lipr".
inline ReportedScore reported_score(std::string_view policy, Score score) {
  if (policy.substr(0, policy.find_first_of(":@")) != "similar") return {score, {}, score == kSeedScore};
  return {two_queues::inner(score), two_queues::first(score) ? "hot" : "other", false};
}

}  // namespace bowerbird
