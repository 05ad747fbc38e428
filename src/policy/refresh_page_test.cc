// docs/refresh.md shows the table of refresh policies as it is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "policy/refresh_rules.h"

namespace bowerbird {
namespace {

constexpr std::string_view kRulesBegin = "--gtest_filter='RefreshPage.*' -->\n";
constexpr std::string_view kRulesEnd = "<!-- /rules -->";

std::string rules_table() {
  std::string text = "| policy | V | effect |\n|---|---|---|\n";
  for (const RefreshRule& rule : refresh_rules()) {
    text += fmt::format("| `{}` | {} | {} |\n", rule.name, rule.formula, rule.summary);
  }
  return text;
}

TEST(RefreshPage, ShowsEveryPolicy) {
  const std::string path = BOWERBIRD_SOURCE_DIR "/docs/refresh.md";
  std::stringstream stream;
  stream << std::ifstream(path).rdbuf();
  const std::string page = stream.str();
  const std::size_t from = page.find(kRulesBegin) + kRulesBegin.size(), to = page.find(kRulesEnd);
  ASSERT_LT(from, page.size());
  ASSERT_LE(from, to);
  if (std::getenv("BOWERBIRD_WRITE_DOCS") != nullptr) {
    std::ofstream(path) << page.substr(0, from) << rules_table() << page.substr(to);
    return;
  }
  EXPECT_EQ(page.substr(from, to - from), rules_table())
      << "the policies have changed: run BOWERBIRD_WRITE_DOCS=1 policy_test --gtest_filter='RefreshPage.*'";
}

}  // namespace
}  // namespace bowerbird
