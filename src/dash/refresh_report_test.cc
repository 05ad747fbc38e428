#include "dash/refresh_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/lab_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

RefreshReport small_refresh_report() {
  const Setting setting = setting_of(random_web(100));
  RefreshPlan plan;
  plan.policies = {"uniform", "index-age"};
  plan.budgets = parse_budgets("5,20").value();
  plan.repeat = 2;
  plan.run.days = 10;
  plan.run.warm_up = 5;
  plan.run.slices = 5;
  const RefreshWorld world = refresh_world(setting, plan.rates, 1).value();
  return run_refresh_experiment(setting, world, plan).value();
}

TEST(RefreshReportPage, HasTheCurvesOfEveryPolicyAndHostileNamesStayNames) {
  RefreshReport report = small_refresh_report();
  report.name = "</script><script>alert(1)</script>";
  const std::string page = refresh_page(report, {"bowerbird lab refresh x", "0.1", "now"});
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("index-age (learned)"));
  EXPECT_THAT(page, HasSubstr("\"age_equal\":{\"mean\""));
  EXPECT_THAT(page, HasSubstr("\"optimum\":[{\"budget\""));
}

TEST(RefreshPlots, HaveAPanelForEachBudgetAndAPolicyLooksTheSameInAll) {
  const auto figures = refresh_plots(small_refresh_report());
  ASSERT_EQ(figures.size(), 5u);
  EXPECT_EQ(figures[0].name, "freshness");
  ASSERT_EQ(figures[0].panels.size(), 2u);
  for (const PlotPanel& panel : figures[0].panels) {
    ASSERT_EQ(panel.series.size(), 4u);
    EXPECT_EQ(panel.series[0].label, "uniform");
    EXPECT_EQ(panel.series[0].style, 0);
    EXPECT_EQ(panel.series[2].label, "index-age (learned)");
    EXPECT_EQ(panel.series[2].style, 2);
    EXPECT_EQ(panel.series[3].label, "optimum");
  }
  EXPECT_EQ(figures[2].panels[0].series.size(), 3u) << "no optimum for equal weights";
  EXPECT_EQ(figures.back().name, "tradeoff");
  ASSERT_EQ(figures.back().panels.size(), 1u);
  EXPECT_EQ(figures.back().panels[0].series[0].x.size(), 2u);
}

}  // namespace
}  // namespace bowerbird
