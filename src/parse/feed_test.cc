#include "parse/feed.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace bowerbird {
namespace {

using Names = std::vector<std::string>;

constexpr UnixTime kFirstOfMay = 1'777'593'600;  // 2026-05-01T00:00:00Z

TEST(Feed, ReadsRss2) {
  const Feed feed = read_feed(
      "<?xml version='1.0'?><rss version='2.0' xmlns:dc='d' xmlns:content='c'><channel><title>News</title>"
      "<link>https://a.example/</link><language>en-us</language>"
      "<lastBuildDate>Fri, 01 May 2026 00:00:00 GMT</lastBuildDate>"
      "<image><title>Logo</title><link>https://a.example/logo</link></image>"
      "<item><title>One &amp;amp; two</title><link> https://a.example/1 </link>"
      "<guid isPermaLink='false'>tag-1</guid><pubDate>Fri, 01 May 2026 00:00:00 GMT</pubDate>"
      "<dc:creator>Ada</dc:creator><category>x</category><category>y</category>"
      "<description>&lt;p&gt;Short&lt;/p&gt;</description>"
      "<content:encoded><![CDATA[<p>Long & whole</p>]]></content:encoded></item>"
      "<item><guid>https://a.example/2</guid></item></channel></rss>");
  EXPECT_EQ(feed.problem, FeedProblem::kNone);
  EXPECT_EQ(feed.kind, FeedKind::kRss);
  EXPECT_EQ(feed.title.text, "News");
  EXPECT_EQ(feed.link, "https://a.example/");
  EXPECT_EQ(feed.language, "en-us");
  EXPECT_EQ(feed.updated, kFirstOfMay);
  ASSERT_EQ(feed.entries.size(), 2u);
  const FeedEntry& entry = feed.entries[0];
  EXPECT_EQ(entry_url(entry), "https://a.example/1");
  EXPECT_EQ(entry.id, "tag-1");
  EXPECT_EQ(entry.title.text, "One &amp; two");
  EXPECT_TRUE(entry.title.html);
  EXPECT_EQ(entry.summary.text, "<p>Short</p>");
  EXPECT_EQ(entry.content.text, "<p>Long & whole</p>");
  EXPECT_EQ(entry.authors, Names({"Ada"}));
  EXPECT_EQ(entry.categories, Names({"x", "y"}));
  EXPECT_EQ(entry.published, kFirstOfMay);
  EXPECT_EQ(entry_url(feed.entries[1]), "https://a.example/2");
}

TEST(Feed, ReadsRss1) {
  const Feed feed = read_feed(
      "<rdf:RDF xmlns:rdf='r' xmlns='http://purl.org/rss/1.0/'><channel rdf:about='https://a.example/'>"
      "<title>T</title></channel><item rdf:about='https://a.example/1'><title>One</title>"
      "<dc:date>2026-05-01</dc:date></item></rdf:RDF>");
  EXPECT_EQ(feed.kind, FeedKind::kRss);
  EXPECT_EQ(feed.title.text, "T");
  ASSERT_EQ(feed.entries.size(), 1u);
  EXPECT_EQ(entry_url(feed.entries[0]), "https://a.example/1");
  EXPECT_EQ(feed.entries[0].published, kFirstOfMay);
}

TEST(Feed, ReadsAtom) {
  const Feed feed = read_feed(
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://a.example/blog/' xml:lang='de'>"
      "<title type='text'>Blog</title><link rel='self' href='feed'/><link href='.'/>"
      "<entry><title type='html'>A &lt;b&gt;bold&lt;/b&gt; one</title><link rel='edit' href='edit'/>"
      "<link rel='alternate' href='one'/><id>urn:1</id><published>2026-05-01T00:00:00Z</published>"
      "<updated>2026-05-01T02:00:00+01:00</updated><author><name>Ada</name><uri>u</uri></author>"
      "<category term='x'/><source><title>Other</title></source>"
      "<content type='xhtml'><div xmlns='x'><p class='a'>1 &lt; "
      "2<br/>end</p></div></content></entry></feed>");
  EXPECT_EQ(feed.problem, FeedProblem::kNone);
  EXPECT_EQ(feed.kind, FeedKind::kAtom);
  EXPECT_EQ(feed.title.text, "Blog");
  EXPECT_EQ(feed.link, ".");
  EXPECT_EQ(feed.language, "de");
  ASSERT_EQ(feed.entries.size(), 1u);
  const FeedEntry& entry = feed.entries[0];
  EXPECT_EQ(entry.link, "one");
  EXPECT_EQ(entry.base, "https://a.example/blog/");
  EXPECT_EQ(entry.id, "urn:1");
  EXPECT_EQ(entry.title.text, "A <b>bold</b> one");
  EXPECT_TRUE(entry.title.html);
  EXPECT_EQ(entry.content.text, "<div xmlns=\"x\"><p class=\"a\">1 &lt; 2<br>end</p></div>");
  EXPECT_TRUE(entry.content.html);
  EXPECT_EQ(entry.authors, Names({"Ada"}));
  EXPECT_EQ(entry.categories, Names({"x"}));
  EXPECT_EQ(entry.published, kFirstOfMay);
  EXPECT_EQ(entry.updated, kFirstOfMay + 3600);
}

TEST(Feed, ReadsMarkupThatIsNotEscaped) {
  const Feed feed = read_feed(
      "<rss><channel><item><link>https://a.example/</link><description>1 &lt; 2 <p>x</p></description>"
      "</item></channel></rss>");
  ASSERT_EQ(feed.entries.size(), 1u);
  EXPECT_EQ(feed.entries[0].summary.text, "1 &lt; 2 <p>x</p>");
}

TEST(Feed, KeepsEntriesBeforeAnError) {
  const Feed feed = read_feed(
      "<rss><channel><item><link>https://a.example/1</link></item><item><link>https://a.example/2</link>"
      "<title>cut </oops>");
  EXPECT_EQ(feed.problem, FeedProblem::kMalformed);
  ASSERT_EQ(feed.entries.size(), 2u);
  EXPECT_EQ(feed.entries[1].link, "https://a.example/2");
}

TEST(Feed, RefusesEntitiesAndOtherFiles) {
  EXPECT_EQ(read_feed("<!DOCTYPE rss [<!ENTITY a 'b'>]><rss/>").problem, FeedProblem::kNotAFeed);
  EXPECT_EQ(read_feed("<html><body>x</body></html>").problem, FeedProblem::kNotAFeed);
  EXPECT_EQ(read_feed("").problem, FeedProblem::kNotAFeed);
  EXPECT_EQ(read_feed("{\"items\":[]}").problem, FeedProblem::kNotAFeed);
}

TEST(Feed, HasLimits) {
  FeedOptions options;
  options.max_entries = 2;
  options.max_name = 10;
  options.max_text = 5;
  const Feed feed = read_feed(
      "<rss><channel><item><link>https://far.too.long.example/</link><guid>1</guid><title>abcd\xC3\xA4</"
      "title>"
      "</item><item/><item/></channel></rss>",
      {}, options);
  EXPECT_EQ(feed.problem, FeedProblem::kTooManyEntries);
  ASSERT_EQ(feed.entries.size(), 2u);
  EXPECT_EQ(feed.entries[0].link, "");
  EXPECT_EQ(feed.entries[0].title.text, "abcd");

  std::string deep = "<rss>";
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  EXPECT_EQ(read_feed(deep).problem, FeedProblem::kTooDeep);
}

TEST(Feed, KnowsItsEncoding) {
  const Feed feed = read_feed(
      "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><title>\xE4</title></channel></rss>");
  EXPECT_EQ(feed.title.text, "\xC3\xA4");
  EXPECT_EQ(read_feed("<rss><channel><title>\xE4</title></channel></rss>", "windows-1252").title.text,
            "\xC3\xA4");
}

TEST(Feed, KnowsItsMediaTypes) {
  EXPECT_TRUE(is_feed_type("application/rss+xml"));
  EXPECT_TRUE(is_feed_type("application/Atom+xml"));
  EXPECT_FALSE(is_feed_type("text/html"));
}

}  // namespace
}  // namespace bowerbird
