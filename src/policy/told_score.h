// A score for people: what the page is worth within its queue, and which queue that is where an ordering has
// two (two_queues.h); their common number says nothing to a reader. Pure.
#pragma once

#include <string_view>

#include "policy/two_queues.h"

namespace bowerbird {

// Of a seed of lipr until a link or a recomputation gives it a score: it comes before all other pages.
inline constexpr Score kSeedScore = 1e9;

struct ToldScore {
  Score score = 0;
  std::string_view queue;  // "hot" or "other"; empty: there is but one
  bool first = false;      // before all others; the number means nothing
};

// `policy`: as a user writes it, "similar:by=lipr".
inline ToldScore told_score(std::string_view policy, Score score) {
  if (policy.substr(0, policy.find_first_of(":@")) != "similar") return {score, {}, score == kSeedScore};
  return {two_queues::inner(score), two_queues::first(score) ? "hot" : "other", false};
}

}  // namespace bowerbird
