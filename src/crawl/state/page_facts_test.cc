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
  facts.set_via(5, 1);
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

TEST(PageFacts, HaveThePathFromASeed) {
  PageFacts facts;
  for (int i = 0; i < 6; ++i) facts.add_page();
  facts.set_depth(0, 0);
  EXPECT_EQ(facts.hops(0), "");
  const auto follow = [&](PageId from, PageId to, bool redirect) {
    facts.set_depth(to, facts.depth(from) + (redirect ? 0 : 1));
    facts.set_via(to, from);
    if (redirect) facts.set_redirects(to, facts.redirects(from) + 1);
  };
  follow(0, 1, false);
  follow(1, 2, true);
  follow(2, 3, false);
  EXPECT_EQ(facts.hops(3), "LRL");
  EXPECT_EQ(facts.via(3), 2u);
  facts.set_depth(4, 2);  // another process found it
  follow(4, 5, false);
  EXPECT_EQ(facts.hops(5), "LLL");
  facts.set_sitemap(0);
  EXPECT_EQ(facts.hops(1), "M");
}

TEST(PageFacts, AreLoadedOnlyForKnownPages) {
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
