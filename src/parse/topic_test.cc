#include "parse/topic.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Topic, IsFoundByWholeWordsIgnoringCase) {
  const Topic topic = Topic::parse("rose Garden").value();
  EXPECT_EQ(topic.terms().size(), 2u);
  EXPECT_TRUE(topic.found_in("The GARDENS of a rose."));
  EXPECT_TRUE(topic.found_in("my-garden"));
  EXPECT_FALSE(topic.found_in("gardens and roses"));
  EXPECT_FALSE(topic.found_in(""));
}

TEST(Topic, IsFoundInUrlsWithTheirEscapesResolved) {
  const Topic topic = Topic::parse("café").value();
  EXPECT_TRUE(topic.found_in_url("http://example.org/le-caf%C3%A9/menu"));
  EXPECT_TRUE(Topic::parse("example").value().found_in_url("http://example.org/"));
  EXPECT_FALSE(topic.found_in_url("http://example.org/cafe"));
}

TEST(Topic, NeedsAWord) {
  EXPECT_FALSE(Topic::parse(" - ").ok());
  EXPECT_EQ(Topic::parse("a, a b").value().terms().size(), 2u);
}

}  // namespace
}  // namespace bowerbird
