#include "crawl/state/page_facts.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

PageFacts some_facts() {
  PageFacts facts;
  for (int i = 0; i < 6; ++i) facts.add_page();
  facts.set_depth(1, 3);
  facts.set_depth(2, 1000);
  facts.set_redirects(2, 2);
  facts.set_tries(3, 999);
  facts.set_sitemap(4);
  return facts;
}

TEST(PageFacts, AFreshPageBelongsOnceADepthIsKnown) {
  PageFacts facts = some_facts();
  EXPECT_FALSE(facts.belongs(0));
  EXPECT_TRUE(facts.belongs(1));
  EXPECT_EQ(facts.depth(1), 3u);
  EXPECT_TRUE(facts.belongs(2));
  EXPECT_EQ(facts.depth(2), 253u) << "the largest that is kept";
  EXPECT_EQ(facts.tries(3), 255u);
  EXPECT_EQ(facts.tries(1), 0u);
  facts.clear_tries(3);
  EXPECT_EQ(facts.tries(3), 0u);
}

TEST(PageFacts, AnExcludedPageHasNoFactsUntilItBelongsAgain) {
  PageFacts facts = some_facts();
  facts.exclude(2);
  EXPECT_TRUE(facts.is_excluded(2));
  EXPECT_FALSE(facts.belongs(2));
  EXPECT_EQ(facts.redirects(2), 0u);
  facts.set_depth(2, 1);
  EXPECT_TRUE(facts.belongs(2));
}

TEST(PageFacts, ComeBackFromASnapshotOfNoMorePages) {
  std::string bytes;
  ByteWriter out(bytes);
  some_facts().save(out);
  PageFacts again;
  for (int i = 0; i < 6; ++i) again.add_page();
  ByteReader in(bytes);
  ASSERT_TRUE(again.load(in).ok());
  std::string saved;
  ByteWriter out_again(saved);
  again.save(out_again);
  EXPECT_EQ(saved, bytes);
  EXPECT_EQ(again.redirects(2), 2u);
  EXPECT_TRUE(again.is_sitemap(4));

  PageFacts few;
  few.add_page();
  ByteReader same(bytes);
  EXPECT_FALSE(few.load(same).ok());
}

}  // namespace
}  // namespace bowerbird
