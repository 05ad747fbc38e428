#include "fleet/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bowerbird {
namespace {

std::size_t owned(const FleetPlan& plan, const std::string& name) {
  return static_cast<std::size_t>(std::count(plan.owners.begin(), plan.owners.end(), name));
}

TEST(Plan, TheFirstIsTheLabs) {
  const FleetPlan plan = first_plan(10, {"a", "b", "c"});
  EXPECT_EQ(plan.owners[0], "a");
  EXPECT_EQ(plan.owners[4], "b");
  EXPECT_EQ(owned(plan, "a"), 4u);
}

TEST(Plan, ANewcomerGetsItsShareAndNothingElseMoves) {
  FleetPlan plan = first_plan(256, {"a", "b", "c"});
  const FleetPlan before = plan;
  EXPECT_TRUE(rebalance(plan, {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}}, {}, true));
  EXPECT_EQ(owned(plan, "d"), 64u);
  for (std::size_t p = 0; p < 256; ++p) {
    EXPECT_TRUE(plan.owners[p] == before.owners[p] || plan.owners[p] == "d") << p;
  }
  EXPECT_FALSE(rebalance(plan, {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}}, {}, true));
}

TEST(Plan, WhileSomethingIsOnItsWayOnlyFreePartitionsMove) {
  FleetPlan plan = first_plan(12, {"a", "b", "c"});
  EXPECT_FALSE(rebalance(plan, {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}}, {}, false));
  EXPECT_TRUE(rebalance(plan, {{"a", {}}, {"b", {}}}, {2, 5, 8, 11}, false));
  EXPECT_EQ(owned(plan, "a"), 6u);
  EXPECT_EQ(owned(plan, "c"), 0u);
}

TEST(Plan, ThePartitionsOfAProcessThatIsOnlySilentStay) {
  FleetPlan plan = first_plan(12, {"a", "b", "c"});
  EXPECT_FALSE(rebalance(plan, {{"a", {}}, {"b", {}}}, {}, false));
  EXPECT_EQ(owned(plan, "c"), 4u);
}

TEST(Plan, LoadGoesFromTheMostToTheLeast) {
  FleetPlan plan = first_plan(100, {"a", "b"});
  EXPECT_FALSE(balance_load(plan, {{"a", {1000}}, {"b", {900}}}));
  EXPECT_TRUE(balance_load(plan, {{"a", {10000}}, {"b", {0}}}));
  EXPECT_EQ(owned(plan, "b"), 75u);
}

TEST(Plan, APartitionThatMovesComesUnderTheEpochOfTheOneThatGaveIt) {
  const FleetPlan before = first_plan(4, {"a", "b"});
  FleetPlan plan = before;
  plan.owners = {"b", "a", "c", "b"};
  plan.epochs = {3, 3, 3, 3};
  note_epochs(before, {{"a", {{0, 7}, {2, 1}}}, {"b", {{3, 9}}}}, plan);
  EXPECT_EQ(plan.epochs, (std::vector<std::uint64_t>{7, 3, 3, 3}))
      << "given by a; never held by b; less than was known; not moved";
}

TEST(Plan, ComesBackFromItsText) {
  FleetPlan plan = first_plan(5, {"a", "b"});
  plan.settings = "{\"x\":1}";
  plan.epochs[3] = 7;
  const auto again = FleetPlan::from_json(plan.to_json());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->owners, plan.owners);
  EXPECT_EQ(again->epochs, plan.epochs);
  EXPECT_EQ(again->settings, plan.settings);
  for (const char* bad : {"", "{}", "[]", R"({"owners":[1]})", R"({"owners":["a"],"epochs":[]})",
                          R"({"owners":["a"],"epochs":[-1]})"}) {
    EXPECT_FALSE(FleetPlan::from_json(bad).ok()) << bad;
  }
}

TEST(FleetPlan, TakesProcessesWithTheSameSettingsAndNamesWhatDiffers) {
  FleetPlan plan = first_plan(8, {"a"});
  plan.settings = R"({"policy":["opic"],"exclude":[],"old":["1"]})";
  EXPECT_TRUE(plan.accepts(8, plan.settings).ok());
  EXPECT_TRUE(plan.accepts(8, R"({"policy":["opic"],"new":["2"]})").ok()) << "what one of them does not know";
  EXPECT_FALSE(plan.accepts(9, plan.settings).ok());
  const Status other = plan.accepts(8, R"({"policy":["bfs"],"exclude":["x","y"]})");
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().text.find("--policy: opic in the fleet, bfs here"), std::string::npos);
  EXPECT_NE(other.error().text.find("--exclude: nothing in the fleet, x, y here"), std::string::npos);
}

TEST(FleetPlan, TellsASetting) {
  FleetPlan plan;
  plan.settings = R"({"policy":["opic"],"exclude":["x","y"],"odd":3})";
  EXPECT_EQ(plan.setting("policy"), "opic");
  for (const char* const none : {"exclude", "odd", "scope"}) EXPECT_EQ(plan.setting(none), "");
  plan.settings = "no JSON";
  EXPECT_EQ(plan.setting("policy"), "");
}

}  // namespace
}  // namespace bowerbird
