#include "parse/text/class_marks.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

bool has(std::string_view value, ClassGroup group) {
  ClassMarker marker;
  return (marker.mark(value).groups & group_bit(group)) != 0;
}

TEST(ClassMarks, FindsWordsInsideOfNames) {
  EXPECT_TRUE(has("page-sidebar-left", ClassGroup::kSidebar));
  EXPECT_TRUE(has("MainNavigation", ClassGroup::kNavigation));
  EXPECT_TRUE(has("post_comments", ClassGroup::kComment));
  EXPECT_FALSE(has("plain", ClassGroup::kSidebar));
  EXPECT_FALSE(has("", ClassGroup::kSidebar));
}

TEST(ClassMarks, SomeWordsMustBePartsOfNames) {
  EXPECT_TRUE(has("ad", ClassGroup::kAdvert));
  EXPECT_TRUE(has("top ad slot", ClassGroup::kAdvert));
  EXPECT_TRUE(has("bigAdSlot", ClassGroup::kAdvert));
  EXPECT_FALSE(has("heading shadow", ClassGroup::kAdvert));
}

TEST(ClassMarks, SignaturesIgnoreDigits) {
  ClassMarker marker;
  EXPECT_EQ(marker.mark("post-1 item").signature, marker.mark("post-22 item").signature);
  EXPECT_NE(marker.mark("post item").signature, marker.mark("item").signature);
}

}  // namespace
}  // namespace bowerbird
