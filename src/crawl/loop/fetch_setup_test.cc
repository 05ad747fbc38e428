#include "crawl/loop/fetch_setup.h"

#include <gtest/gtest.h>

#include "crawl/config/memory_budget.h"

namespace bowerbird {
namespace {

TEST(FetchSetup, TrapRulesKnowTheYear) {
  CrawlOptions options;
  EXPECT_EQ(trap_options_of(options, 1'700'000'000).year, 2023);
  EXPECT_TRUE(trap_options_of(options, 0).on);
  options.selection.traps = false;
  EXPECT_FALSE(trap_options_of(options, 0).on);
}

TEST(FetchSetup, ParsersCountWordsOnlyIfNeeded) {
  CrawlOptions options;
  const BodyTypes types = BodyTypes::make(std::vector<std::string>{"any"}).value();
  const auto all = Scope::make({}, {});
  ASSERT_TRUE(all.ok());
  const Scope& scope = *all;
  EXPECT_FALSE(parser_settings_of(options, scope, types, "bot", 0).terms);
  options.order.topic = "rose";
  const ParserSettings made = parser_settings_of(options, scope, types, "bot", 0);
  EXPECT_TRUE(made.terms);
  EXPECT_TRUE(made.topic.has_value());
  EXPECT_EQ(made.scope, &scope);
  EXPECT_EQ(made.token, "bot");
  options.memory.budget = std::uint64_t{1} << 30;
  EXPECT_EQ(parser_settings_of(options, scope, types, "bot", 0).max_texts,
            memory_shares(options.memory.budget).bodies);
}

}  // namespace
}  // namespace bowerbird
