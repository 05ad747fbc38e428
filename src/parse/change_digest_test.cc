#include "parse/change_digest.h"

#include <gtest/gtest.h>

#include "parse/page_reader.h"

namespace bowerbird {
namespace {

std::uint64_t digest_of(std::string_view html, ChangedNumbers numbers = ChangedNumbers::kIgnored) {
  HtmlPage page;
  PageReader().read(html, {}, page);
  return change_digest(page, numbers);
}

bool changed(std::string_view before, std::string_view after,
             ChangedNumbers numbers = ChangedNumbers::kIgnored) {
  return digest_of(before, numbers) != digest_of(after, numbers);
}

TEST(ChangeDigest, CoversTheVisibleTextOnly) {
  EXPECT_TRUE(changed("<p>Roses are red", "<p>Roses are white"));
  EXPECT_FALSE(changed("<p>Roses are red", "<div class=x>Roses\n are <b>red</b></div>"));
  EXPECT_FALSE(changed("<p>Roses<script>var token = 'one'</script>", "<p>Roses<script>two()</script>"));
  EXPECT_FALSE(changed("<p>Roses<style>p{}</style>", "<p>Roses<!-- made by x -->"));
}

TEST(ChangeDigest, LeavesOutTheTextOfLinks) {
  EXPECT_FALSE(changed("<p>Roses <a href=1>old news</a> are red", "<p>Roses <a href=2>new news</a> are red"));
  EXPECT_FALSE(changed("<ul><li><a href=1>one</a></ul><p>Roses",
                       "<ul><li><a href=2>two</a><li><a href=1>one</a></ul><p>Roses"));
  EXPECT_TRUE(changed("<a href=1>one</a> Roses", "<a href=1>one</a> Tulips"));
  EXPECT_TRUE(changed("Roses <a href=1>one", "Tulips <a href=1>one")) << "a link that never ends";
}

TEST(ChangeDigest, IgnoresNumbersAndTokensUnlessTheyCount) {
  EXPECT_FALSE(changed("Visitor 999 at 11:07", "Visitor 1000 at 12:13"));
  EXPECT_TRUE(changed("costs 999", "costs 1000", ChangedNumbers::kCount));
  EXPECT_FALSE(changed("id deadbeef0123", "id 99CAFE99"));
  EXPECT_TRUE(changed("id deadbeef0123", "id 99CAFE99", ChangedNumbers::kCount));
  EXPECT_TRUE(changed("a facade", "a decade")) << "words of fewer than 8 letters";
  EXPECT_TRUE(changed("a deadbeefy one", "a cafebabey one")) << "no hexadecimal digits";
  EXPECT_TRUE(changed("version 2a", "version 3b"));
  EXPECT_FALSE(changed("version 2a", "version 3a"));
}

TEST(ChangeDigest, IsTheSameInEveryProcess) {
  EXPECT_EQ(digest_of("<p>Roses are red"), 0x606e8fc05d270e6eu);
}

}  // namespace
}  // namespace bowerbird
