#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cmd/command_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

constexpr const char* kSmallWeb = "synthetic:pages=300";

TEST(LabRefresh, ComparesPoliciesAndWritesAReport) {
  TemporaryFolder folder;
  const std::string out = folder / "results";
  const std::string text =
      output_of_command({"lab", "refresh", kSmallWeb, "--days", "20", "--warm-up", "10", "--budget", "10%",
                         "--repeat", "2", "--quiet", "--out", out.c_str()});
  EXPECT_THAT(text, HasSubstr("index-age     learned"));
  for (const char* name : {"report.html", "runs.csv", "curves.csv", "results.json", "figures/freshness.svg",
                           "figures/age.pgf", "figures/tradeoff.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / ("results/" + std::string(name)))) << name;
  }
}

TEST(LabRefresh, ReportsAsOneLineOfJson) {
  const std::string text = output_of_command({"lab", "refresh", kSmallWeb, "--days", "10", "--warm-up", "5",
                                              "--policies", "index", "--use-rates", "known", "--json", "-q"});
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto json = nlohmann::json::parse(text);
  ASSERT_EQ(json.at("runs").size(), 1u);
  EXPECT_EQ(json.at("runs").at(0).at("rates"), "known");
  EXPECT_GT(json.at("pages"), 250);
}

TEST(LabRefresh, RefusesWhatMakesNoSense) {
  const auto refused = [](std::vector<const char*> more) {
    std::vector<const char*> args = {"lab", "refresh"};
    args.insert(args.end(), more.begin(), more.end());
    return output_of_command(args, kExitUsage);
  };
  EXPECT_THAT(refused({kSmallWeb, "--policies", "indx"}), HasSubstr("did you mean 'index'?"));
  EXPECT_THAT(refused({kSmallWeb, "--days", "5"}), HasSubstr("--warm-up must be shorter"));
  EXPECT_THAT(refused({kSmallWeb, "--min-interval", "10d", "--max-interval", "1d"}),
              HasSubstr("--max-interval is shorter than --min-interval"));
  EXPECT_THAT(refused({kSmallWeb, "--min-interval", "12428d", "--max-interval", "0"}),
              HasSubstr("ten years"));
  EXPECT_THAT(refused({kSmallWeb, "--rates", "fast"}), HasSubstr("expected lognormal"));
  EXPECT_THAT(refused({"reference", "--days", "5"}), HasSubstr("the reference set is fixed"));
  EXPECT_THAT(refused({}), HasSubstr("GRAPH is required"));
  EXPECT_THAT(output_of_command({"lab"}, kExitUsage), HasSubstr("GRAPH is required"));
}

TEST(LabRefresh, AWebWithoutVisitsSaysSo) {
  EXPECT_THAT(output_of_command({"lab", "refresh", kSmallWeb, "--rates", "visits", "-q"}, kExitFailed),
              HasSubstr("no page was visited more than once"));
}

}  // namespace
}  // namespace bowerbird
