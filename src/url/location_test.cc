#include "url/location.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Location, FewerSlashesAreBetter) {
  EXPECT_DOUBLE_EQ(location_score("http://a.org/"), 0.5);
  EXPECT_DOUBLE_EQ(location_score("http://a.org/x/y.html"), 1.0 / 3);
  EXPECT_GT(location_score("http://a.org/x"), location_score("http://a.org/x/y"));
}

TEST(Location, AMissingPathIsTheHomePage) {
  EXPECT_DOUBLE_EQ(location_score("http://a.org"), location_score("http://a.org/"));
  EXPECT_DOUBLE_EQ(location_score("http://a.org?q=1/2"), location_score("http://a.org/"));
}

TEST(Location, SlashesOfTheQueryDoNotCount) {
  EXPECT_DOUBLE_EQ(location_score("http://a.org/?next=/a/b/c"), 0.5);
}

TEST(Location, EachBonusAddsHalf) {
  EXPECT_DOUBLE_EQ(location_score("http://a.com:8080/"), 1.0);
  EXPECT_DOUBLE_EQ(location_score("http://a.com/home"), 1.5);
  EXPECT_DOUBLE_EQ(location_score("http://a.com.org/"), 0.5);
}

}  // namespace
}  // namespace bowerbird
