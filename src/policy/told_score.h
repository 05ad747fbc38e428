// A score for people: what the page is worth within its queue, and which queue that is where an ordering has
// two (two_queues.h); their common number says nothing to a reader. Pure.
#pragma once

#include <string_view>

#include "policy/two_queues.h"

namespace bowerbird {

struct ToldScore {
  Score score = 0;
  std::string_view queue;  // "hot" or "other"; empty: there is but one
};

// `policy`: as a user writes it, "similar:by=lipr".
inline ToldScore told_score(std::string_view policy, Score score) {
  if (policy.substr(0, policy.find_first_of(":@")) != "similar") return {score, {}};
  return {two_queues::inner(score), two_queues::first(score) ? "hot" : "other"};
}

}  // namespace bowerbird
