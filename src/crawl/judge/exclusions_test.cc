#include "crawl/judge/exclusions.h"

#include <gtest/gtest.h>

#include "store/links.h"

namespace bowerbird {
namespace {

TEST(Exclusions, TheTableIsInTheOrderOfItsRules) {
  for (std::size_t i = 0; i < exclusion_table().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(exclusion_table()[i].rule), i);
}

TEST(Exclusions, ALinkIsCountedForTheFirstRuleThatApplies) {
  EXPECT_EQ(exclusion_of(kLinkOtherHost, ScopeVerdict::kIn), std::nullopt);
  EXPECT_EQ(exclusion_of(kLinkOutOfScope | kLinkTooFar, ScopeVerdict::kOtherPrefix), Exclusion::kOtherPrefix);
  EXPECT_EQ(exclusion_of(kLinkOutOfScope | kLinkNofollow, ScopeVerdict::kOtherHost), Exclusion::kNofollow)
      << "no option would follow it";
  EXPECT_EQ(exclusion_of(kLinkTrap | kLinkTooFar, ScopeVerdict::kIn), Exclusion::kTrap);
  EXPECT_EQ(exclusion_of(kLinkTooFar, ScopeVerdict::kIn), Exclusion::kTooDeep);
  EXPECT_EQ(exclusion_of(kLinkTooFar | kLinkRedirect, ScopeVerdict::kIn), Exclusion::kRedirects);
}

}  // namespace
}  // namespace bowerbird
