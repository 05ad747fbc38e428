#include "urlfrontier/priority_policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "policy/registry.h"

namespace bowerbird {
namespace {

TEST(PriorityPolicy, APriorityRanksBeforeAnyScoreAndScoresDecideAmongEqualOnes) {
  const std::vector<std::pair<std::int32_t, Score>> ascending = {
      {-2147483647, 1e9}, {-3, -5},  {-3, 2}, {-1, 1e15}, {0, -1e9},      {0, 0.25},
      {0, 1e15},          {1, -1e9}, {1, 7},  {2, -7},    {2147483647, 0}};
  Score last = -std::numeric_limits<Score>::infinity();
  for (const auto& [priority, score] : ascending) {
    const Score made = priority == 0 ? score : PriorityPolicy::join(priority, score);
    EXPECT_GT(made, last) << priority << " " << score;
    EXPECT_TRUE(std::isfinite(made));
    last = made;
  }
}

TEST(PriorityPolicy, TheOrderingSeesItsOwnScores) {
  PriorityPolicy policy(std::move(*make_policy("backlink", {})));
  policy.set_priority(5, 3);
  EXPECT_EQ(policy.priority(5), 3);
  EXPECT_EQ(policy.priority(6), 0);
  std::vector<OpenLink> links(2);
  links[0].page = 5;
  links[1].page = 6;
  for (OpenLink& link : links) link.is_new = true;
  policy.give({}, links);
  policy.given({}, links, {});
  EXPECT_EQ(links[1].score, 1);
  EXPECT_GT(links[0].score, 1e200);
  EXPECT_EQ(policy.own_score(5, links[0].score), 1);
  for (OpenLink& link : links) link.is_new = false;
  policy.give({}, links);
  policy.given({}, links, {});
  EXPECT_EQ(policy.own_score(5, links[0].score), 2);
  // Both survive being saved.
  std::string bytes;
  ByteWriter out(bytes);
  policy.save(out);
  PriorityPolicy again(std::move(*make_policy("backlink", {})));
  ByteReader in(bytes);
  again.load(in);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(again.priority(5), 3);
  EXPECT_EQ(again.own_score(5, 0), 2);
  policy.forget(5);
  EXPECT_EQ(policy.priority(5), 0);
}

}  // namespace
}  // namespace bowerbird
