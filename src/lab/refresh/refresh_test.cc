// Refreshing in the lab: exact values, simulations, rates, reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "frontier/naive_refresh.h"
#include "lab/lab_testing.h"
#include "lab/refresh/experiment.h"
#include "lab/refresh/output.h"
#include "lab/refresh/reference.h"
#include "lab/refresh/stream.h"
#include "sys/temporary_folder_testing.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

// The published figures of the reference set.
struct Published {
  double budget;
  struct Exact {
    std::string_view policy;
    double freshness, age;
    std::uint64_t never;
  };
  std::vector<Exact> exact;
  struct Simulated {
    std::string_view policy;
    bool known;
    double freshness, age;
  };
  std::vector<Simulated> simulated;
};

const std::vector<Published>& published() {
  static const std::vector<Published> kAll = {
      {20,
       {{"uniform", 0.4082, 12.5046, 0},
        {"proportional", 0.1424, 154.4762, 0},
        {"importance", 0.5605, 14.6989, 0},
        {"index", 0.5982, 0, 389},
        {"index-age", 0.5128, 7.3652, 0}},
       {{"index", true, 0.599, 43.5},
        {"index", false, 0.570, 28.8},
        {"index-age", true, 0.515, 7.34},
        {"index-age", false, 0.512, 7.60}}},
      {100,
       {{"uniform", 0.6973, 1.1723, 0},
        {"proportional", 0.5374, 13.9351, 0},
        {"importance", 0.7764, 1.5800, 0},
        {"index", 0.8162, 0, 78},
        {"index-age", 0.7928, 0.5455, 0}},
       {{"index", true, 0.817, 7.32},
        {"index", false, 0.810, 0.71},
        {"index-age", true, 0.792, 0.545},
        {"index-age", false, 0.790, 0.564}}},
      {500,
       {{"uniform", 0.8931, 0.0761, 0},
        {"proportional", 0.8719, 0.7143, 0},
        {"importance", 0.9178, 0.1198, 0},
        {"index", 0.9480, 0, 1},
        {"index-age", 0.9431, 0.0273, 0}},
       {{"index", true, 0.948, 0.092},
        {"index", false, 0.947, 0.034},
        {"index-age", true, 0.943, 0.027},
        {"index-age", false, 0.942, 0.028}}},
  };
  return kAll;
}

TEST(RefreshReference, TheWorldIsTheOneThatIsDefined) {
  const RefreshWorld world = reference_world();
  double mean = 0, weighted = 0, importance = 0;
  for (PageId page = 0; page < world.pages(); ++page) {
    mean += world.rates[page] / world.pages();
    weighted += world.rates[page] * world.importance[page];
    importance += world.importance[page];
  }
  EXPECT_NEAR(mean, 0.140334, 5e-7);
  EXPECT_NEAR(weighted, 0.148039, 5e-7);
  EXPECT_NEAR(importance, 1, 1e-12);
}

TEST(RefreshOptimum, ExactValuesAreThePublishedOnes) {
  const RefreshWorld world = reference_world();
  for (const Published& row : published()) {
    for (const auto& exact : row.exact) {
      const auto found = exact_refresh(exact.policy, world.importance, world.rates, row.budget);
      ASSERT_TRUE(found);
      EXPECT_NEAR(found->freshness, exact.freshness, 1e-4) << exact.policy << " " << row.budget;
      EXPECT_EQ(found->never, exact.never) << exact.policy << " " << row.budget;
      if (exact.age == 0) {
        EXPECT_TRUE(std::isinf(found->age));
        continue;
      }
      EXPECT_NEAR(found->age, exact.age, 0.001 * exact.age + 5e-5) << exact.policy << " " << row.budget;
    }
  }
}

TEST(RefreshOptimum, SpendsTheBudgetAndNothingDoesBetter) {
  const RefreshWorld world = reference_world();
  for (const double budget : {5.0, 100.0}) {
    for (const std::string_view policy : {"index", "index-age"}) {
      const auto best = best_frequencies(policy, world.importance, world.rates, budget);
      double sum = 0;
      for (const double one : best) sum += one;
      EXPECT_NEAR(sum, budget, 1e-3 * budget);
      const ExactRefresh exact = exact_refresh(world.importance, world.rates, best);
      // A little of the budget moved from one page to another.
      for (PageId from = 0; from < 1000; from += 37) {
        auto other = best;
        const double moved = 0.1 * other[from];
        other[from] -= moved;
        other[(from + 501) % 1000] += moved;
        const ExactRefresh worse = exact_refresh(world.importance, world.rates, other);
        if (policy == "index") {
          EXPECT_LE(worse.freshness, exact.freshness + 1e-9);
        }
        if (policy == "index-age") {
          EXPECT_GE(worse.age, exact.age - 1e-9);
        }
      }
    }
  }
  EXPECT_FALSE(exact_refresh("none", world.importance, world.rates, 5));
}

void expect_published(const std::vector<ReferenceRun>& runs) {
  unsigned compared = 0;
  for (const Published& row : published()) {
    for (const ReferenceRun& run : runs) {
      if (run.budget != row.budget) continue;
      for (const auto& figure : row.simulated) {
        if (figure.policy != run.policy || figure.known != run.known_rates) continue;
        ++compared;
        EXPECT_NEAR(run.means.freshness, figure.freshness, 0.006) << run.policy << " " << run.budget;
        if (run.policy == "index-age") {
          EXPECT_NEAR(run.means.age, figure.age, 0.05 * figure.age + 0.0005);
        }
      }
      for (const auto& exact : row.exact) {
        // In 300 days proportional refreshing does not become steady: pages that hardly change wait for
        // years.
        if (exact.policy != run.policy || !run.known_rates || run.policy == "proportional") continue;
        EXPECT_NEAR(run.means.freshness, exact.freshness, 0.006) << run.policy << " " << run.budget;
      }
    }
  }
  EXPECT_EQ(compared * 7, runs.size() * 4);
}

TEST(RefreshReference, SimulationsGiveThePublishedFiguresAtTheSmallBudget) {
  ReferenceOptions options;
  options.threads = 2;
  options.budgets = {20};
  expect_published(run_reference(options).value());
}

TEST(RefreshReference, SimulationsGiveThePublishedFiguresFull) {
  ReferenceOptions options;
  options.threads = 2;
  const std::vector<ReferenceRun> runs = run_reference(options).value();
  expect_published(runs);
  const auto json = nlohmann::json::parse(reference_json(runs));
  ASSERT_EQ(json.at("runs").size(), 21u);
}

TEST(RefreshReference, TheJsonHasAllKeysAndNullForMissingValues) {
  ReferenceOptions options;
  options.budgets = {20};
  options.repeats = 1;
  const std::string text = reference_json(run_reference(options).value());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(text);
  ASSERT_EQ(json.at("runs").size(), 7u);
  for (const auto& run : json.at("runs")) {
    ASSERT_EQ(run.size(), 9u);
    const bool known = run.at("rates") == "known", index = run.at("policy") == "index";
    EXPECT_EQ(run.at("budget"), 20);
    EXPECT_EQ(run.at("exact").is_null(), !known);
    EXPECT_EQ(run.at("exact_age").is_null(), !known || index);
    EXPECT_EQ(run.at("never").is_null(), !index);
    for (const char* key : {"freshness", "age", "changed"}) EXPECT_TRUE(run.at(key).is_number());
  }
}

// The same changes for both: the pages' own streams.
RefreshMeans naive_means(const RefreshWorld& world, const RefreshRun& run) {
  NaiveRefresh naive;
  naive.rule = find_refresh_rule(run.policy).value();
  naive.learn = !run.known_rates;
  naive.host_rates = false;
  RefreshMeter meter(world.importance, run.days, run.warm_up, 0);
  std::vector<SplitMix> streams;
  std::vector<double> change(world.pages(), 0), fetched(world.pages(), 0);
  const auto next = [&](PageId page, double day) {
    do change[page] -= std::log(streams[page].unit()) / world.rates[page];
    while (change[page] <= day);
  };
  for (PageId page = 0; page < world.pages(); ++page) {
    streams.emplace_back(draw(run.seed, page));
    naive.add(page, world.importance[page], 0, false);
    if (run.known_rates) naive.pages[page].rate = world.rates[page];
    next(page, 0);
  }
  for (double k = 1; k <= run.per_day * run.days; ++k) {
    const double day = k / run.per_day;
    const PageId page = *naive.best(day);
    meter.copy(page, fetched[page], day, change[page]);
    const bool changed = change[page] <= day;
    fetched[page] = day;
    if (changed) next(page, day);
    naive.visited(page, day, changed);
  }
  for (PageId page = 0; page < world.pages(); ++page) meter.copy(page, fetched[page], run.days, change[page]);
  return meter.means();
}

void expect_like_naive(double per_day, double days) {
  const RefreshWorld world = reference_world();
  const std::atomic<bool> stop{false};
  for (const RefreshRule& rule : refresh_rules()) {
    for (const bool known : {true, false}) {
      if (rule.name == "none" || (!known && !rule.uses_rates)) continue;
      // Not in the reference set: what `proportional` learns depends on the exact order of its visits.
      if (!known && rule.name == "proportional") continue;
      RefreshRun run;
      run.policy = rule.name;
      run.known_rates = known;
      run.host_rates = false;
      run.per_day = per_day;
      run.days = days;
      run.warm_up = days / 2;
      run.shortest = run.longest = 0ms;
      const RefreshMeans fast = simulate_refresh(world, run, stop)->means;
      const RefreshMeans naive = naive_means(world, run);
      EXPECT_NEAR(fast.freshness, naive.freshness, 0.003) << rule.name << " " << known;
      if (rule.name == "index-age") {
        EXPECT_NEAR(fast.age, naive.age, 0.02 * naive.age) << known;
      }
    }
  }
}

TEST(RefreshSimulation, TheFastQueueIsAsGoodAsTheNaiveOne) {
  expect_like_naive(20, 60);
}

TEST(RefreshSimulation, TheFastQueueIsAsGoodAsTheNaiveOneFull) {
  expect_like_naive(20, 300);
  expect_like_naive(100, 300);
}

Setting small_setting() {
  return setting_of(random_web(400));
}

TEST(RefreshExperiment, RunsEveryPolicyAndMarksExactValues) {
  const Setting setting = small_setting();
  RefreshPlan plan;
  plan.budgets = parse_budgets("20,10%").value();
  plan.repeat = 2;
  plan.run.days = 20;
  plan.run.warm_up = 10;
  plan.run.slices = 10;
  plan.run.shortest = 0ms;
  const RefreshWorld world = refresh_world(setting, plan.rates, 1).value();
  EXPECT_EQ(world.pages(), 400u);
  const RefreshReport report = run_refresh_experiment(setting, world, plan).value();
  EXPECT_EQ(report.groups.size(), 2u * 9);
  EXPECT_EQ(report.finished, report.planned);
  const auto json = nlohmann::json::parse(refresh_json(report));
  EXPECT_EQ(json.at("runs").size(), 18u);
  for (const auto& run : json.at("runs")) {
    EXPECT_GE(run.at("freshness"), 0);
    EXPECT_LE(run.at("freshness"), 1);
    EXPECT_EQ(run.at("fetches"), run.at("policy") == "none" ? 0.0 : run.at("budget").get<double>() * 20);
    EXPECT_GE(run.at("spread").at("freshness").at("margin"), 0);
  }
  EXPECT_THAT(refresh_table(report), HasSubstr("index-age"));
  EXPECT_THAT(refresh_table(report), HasSubstr("optimum at 20 per day"));
  EXPECT_THAT(refresh_latex(report), HasSubstr("\nindex-age & learned & 40 & "));
  ASSERT_EQ(json.at("optimum").size(), 2u);
  for (const auto& run : json.at("runs")) {
    const auto& best = json.at("optimum").at(run.at("budget") == 20 ? 0 : 1);
    if (run.at("policy") == "index" && run.at("rates") == "known") {
      EXPECT_EQ(run.at("exact"), best.at("freshness"));
    }
  }
}

TEST(RefreshExperiment, DiscoveryFindsPagesOutOfTheSameBudget) {
  const Setting setting = small_setting();
  RefreshPlan plan;
  plan.policies = {"index-age", "none"};
  plan.learned = false;
  plan.budgets = parse_budgets("40").value();
  plan.run.discovery = true;
  plan.run.days = 20;
  plan.run.warm_up = 10;
  plan.run.slices = 20;
  const RefreshWorld world = refresh_world(setting, plan.rates, 1).value();
  const RefreshReport report = run_refresh_experiment(setting, world, plan).value();
  for (const RefreshGroup& group : report.groups) {
    const RefreshResult& result = group.repeats.front();
    EXPECT_FALSE(group.exact);
    EXPECT_GT(result.new_fetches, 200u) << group.policy;
    EXPECT_LE(result.fetches, 800u);
    EXPECT_LT(result.curve.front().held, result.curve.back().held);
    if (group.policy == "none") {
      EXPECT_EQ(result.fetches, 400u);
    }
  }
}

TEST(RefreshExperiment, BadPoliciesAndBudgetsAreRefused) {
  EXPECT_THAT(check_refresh_policies({"index", "indx"}).error().text, HasSubstr("did you mean 'index'?"));
  EXPECT_FALSE(parse_budgets("").ok());
  EXPECT_FALSE(parse_budgets("0").ok());
  EXPECT_FALSE(parse_budgets("5x").ok());
}

TEST(RefreshRates, AreDrawnAsAsked) {
  const auto rates = choose_rates(RateSpec::parse("power:exponent=2,least=0.1,most=10").value(), 2000, {}, 1);
  ASSERT_TRUE(rates.ok());
  for (const double rate : *rates) {
    EXPECT_GE(rate, 0.1);
    EXPECT_LE(rate, 10);
  }
  const HostOf host = [](PageId page) { return page / 100; };
  const auto alike = choose_rates(RateSpec::parse("per-host:sigma=1,within=0").value(), 300, host, 1);
  EXPECT_EQ((*alike)[0], (*alike)[99]);
  EXPECT_NE((*alike)[0], (*alike)[100]);
  const auto same = choose_rates(RateSpec::parse("lognormal:median=0.2,sigma=0").value(), 3, {}, 9);
  EXPECT_NEAR((*same)[2], 0.2, 1e-12);
  EXPECT_FALSE(RateSpec::parse("poisson").ok());
  EXPECT_FALSE(RateSpec::parse("lognormal:mean=1").ok());
  EXPECT_FALSE(RateSpec::parse("power:least=2,most=1").ok());
  EXPECT_FALSE(RateSpec::parse("file:").ok());
}

TEST(RefreshRates, AreReadFromFilesAndWrongOnesAreRefused) {
  TemporaryFolder folder;
  const std::string path = folder / "rates";
  const RateSpec spec = RateSpec::parse("file:" + path).value();
  ASSERT_TRUE(write_file(path, "# changes per day\n0.5\n0\n2 # often\n").ok());
  EXPECT_EQ(choose_rates(spec, 3, {}, 1).value(), (std::vector<double>{0.5, 0, 2}));
  EXPECT_THAT(choose_rates(spec, 4, {}, 1).error().text, HasSubstr("3 rates for 4 pages"));
  EXPECT_THAT(choose_rates(spec, 2, {}, 1).error().text, HasSubstr("more rates than"));
  for (const char* bad : {"-1\n", "1e99\n", "nan\n", "fast\n", "1 2\n"}) {
    ASSERT_TRUE(write_file(path, bad).ok());
    EXPECT_FALSE(choose_rates(spec, 1, {}, 1).ok()) << bad;
  }
}

TEST(RefreshRates, AreLearnedFromAListOfVisits) {
  std::vector<PageVisit> visits;
  for (int day = 0; day <= 100; ++day) {
    visits.push_back({0, static_cast<double>(day), day > 0});
    visits.push_back({1, static_cast<double>(day), day % 20 == 10});
  }
  const auto rates = rates_from_visits(visits, 3, {});
  EXPECT_GT(rates[0], 2);
  EXPECT_NEAR(rates[1], 0.05, 0.02);
  EXPECT_GT(rates[2], 0) << "a page without visits has its host's rate";

  TemporaryFolder folder;
  const std::string path = folder / "visits";
  const RateSpec spec = RateSpec::parse("visits:" + path).value();
  ASSERT_TRUE(write_file(path, "# page day changed\n0 0 0\n0 1 1\n1 0 0\n1 30 0\n").ok());
  const auto read = choose_rates(spec, 2, {}, 1);
  ASSERT_TRUE(read.ok());
  EXPECT_GT((*read)[0], (*read)[1]);
  for (const char* bad : {"0 1\n", "2 1 0\n", "0 soon 1\n", "0 1 2\n"}) {
    ASSERT_TRUE(write_file(path, bad).ok());
    EXPECT_FALSE(choose_rates(spec, 2, {}, 1).ok()) << bad;
  }
  EXPECT_THAT(choose_rates(RateSpec::parse("visits").value(), 2, {}, 1).error().text,
              HasSubstr("no page was visited more than once"));
}

TEST(RefreshMeter, SumsUpWhatCopiesWere) {
  const std::vector<double> importance = {0.75, 0.25};
  RefreshMeter meter(importance, 10, 0, 2);
  meter.copy(0, 0, 10, 4);   // fresh for 4 days, then 0 to 6 days old
  meter.copy(1, 5, 10, 20);  // held from day 5 on, always fresh
  const RefreshMeans means = meter.means();
  EXPECT_DOUBLE_EQ(means.freshness, 0.75 * 0.4 + 0.25 * 0.5);
  EXPECT_DOUBLE_EQ(means.age, 0.75 * 18 / 10);
  EXPECT_DOUBLE_EQ(means.held, 0.75 + 0.25 * 0.5);
  EXPECT_DOUBLE_EQ(means.freshness_equal, (0.4 + 0.5) / 2);
  const auto curve = meter.curve();
  ASSERT_EQ(curve.size(), 2u);
  EXPECT_DOUBLE_EQ(curve[0].freshness, 0.75 * 0.8);
  EXPECT_DOUBLE_EQ(curve[1].freshness, 0.25);
  EXPECT_DOUBLE_EQ((curve[0].age + curve[1].age) / 2, means.age);
  RefreshMeter late(importance, 10, 5, 0);
  late.copy(0, 0, 10, 4);
  EXPECT_DOUBLE_EQ(late.means().age, 0.75 * 17.5 / 5);
}

}  // namespace
}  // namespace bowerbird
