#include "policy/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace bowerbird {
namespace {

using testing::HasSubstr;

TEST(Registry, EveryRowIsWholeAndMakesAnOrdering) {
  const std::vector<double> truth(10, 0.1);
  std::set<std::string_view> names;
  for (const PolicyInfo& info : all_policies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
    for (const std::string_view spec : info.in_all) {
      const auto made = make_policy(spec, {.expected_pages = 100, .importance = truth});
      EXPECT_TRUE(made.ok()) << spec;
      EXPECT_TRUE(needs_of(spec).ok()) << spec;
    }
  }
}

TEST(Registry, SuggestsTheNameThatWasMeant) {
  EXPECT_THAT(make_policy("backlnik", {}).error().text, HasSubstr("did you mean 'backlink'?"));
  EXPECT_THAT(make_policy("quicksort", {}).error().text, HasSubstr("choose from: random, bfs"));
  EXPECT_THAT(make_policy("quicksort", {}).error().text, Not(HasSubstr("omniscient")))
      << "no crawl can use it";
}

TEST(Registry, RefusesParametersThatDoNotExist) {
  EXPECT_FALSE(make_policy("bfs:k=3", {}).ok());
  EXPECT_FALSE(make_policy("fpr@none", {}).ok());
  EXPECT_FALSE(make_policy("opic@2", {}).ok());
}

TEST(Registry, WeightedFprNeedsHosts) {
  EXPECT_FALSE(has(*needs_of("fpr"), Need::kHosts));
  EXPECT_FALSE(has(*needs_of("fpr@1"), Need::kHosts));
  EXPECT_TRUE(has(*needs_of("fpr@100"), Need::kHosts));
}

}  // namespace
}  // namespace bowerbird
