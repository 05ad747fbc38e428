#include "lab/latex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

RunGroup row_of(const std::string& policy, const std::vector<double>& aucs, bool baseline) {
  RunGroup group{policy, "all", baseline, {}};
  for (std::size_t i = 0; i < aucs.size(); ++i) {
    RunResult& run = group.repeats.emplace_back();
    run.random_seed = i + 1;
    run.points = Points(1);
    run.scores.measured.push_back({"pagerank", {0, aucs[i]}, {0, aucs[i]}, aucs[i]});
    run.scores.threshold = {0, aucs[i]};
  }
  return group;
}

LabReport two_orderings() {
  LabReport report;
  report.name = "a_b";
  report.points = Points(1);
  report.repeat = 2;
  report.groups = {row_of("fpr@100", {.5, .6}, false), row_of("bfs:x=5%", {.75, .75}, false),
                   row_of("random", {.25, .35}, true)};
  return report;
}

TEST(Latex, NothingInANameIsACommand) {
  EXPECT_EQ(latex_escaped("bfs sydney@8:budget=5%"), "bfs sydney@8:budget=5\\%");
  EXPECT_EQ(latex_escaped("\\input{a}_$#&^~"),
            "\\textbackslash{}input\\{a\\}\\_\\$\\#\\&\\textasciicircum{}\\textasciitilde{}");
  EXPECT_EQ(latex_escaped("a\nb\xc3\xa9"), "a?b??");
}

TEST(Latex, TheTableHasTheBestBoldAndTheDifferencesToIt) {
  const LabReport report = two_orderings();
  const std::string text = latex_tables({&report, 1});
  EXPECT_THAT(text, HasSubstr("% a\\_b: "));
  EXPECT_THAT(text, HasSubstr("\\multicolumn{2}{c}{auc against bfs:x=5\\%}"));
  EXPECT_THAT(text, HasSubstr("bfs:x=5\\% & "));
  EXPECT_THAT(text, HasSubstr("\\textbf{0.7500} & 0.0000 & -- & -- \\\\\n"));
  // -0.25 and -0.15: -0.2 +- 12.7062 * 0.0707 / 1.414.
  EXPECT_THAT(text, HasSubstr("0.5500 & 0.6353 & $-0.2000$ & 0.6353 \\\\\n"));
  EXPECT_THAT(text, HasSubstr("\\midrule\nrandom & "));
}

TEST(Latex, WithoutRepeatsThereAreNoIntervals) {
  LabReport report = two_orderings();
  report.repeat = 1;
  EXPECT_THAT(latex_tables({&report, 1}), Not(HasSubstr("pm")));
}

}  // namespace
}  // namespace bowerbird
