// Clauses are those of the sitemaps protocol (https://www.sitemaps.org/protocol.html).
#include "parse/sitemap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/compress_testing.h"

namespace bowerbird {
namespace {

struct Read {
  std::vector<SitemapEntry> entries;
  SitemapOutcome outcome;

  std::vector<std::string> urls() const {
    std::vector<std::string> all;
    for (const SitemapEntry& entry : entries) all.push_back(entry.url);
    return all;
  }
};

Read read_in_pieces(std::string_view text, std::size_t piece, const SitemapOptions& options) {
  Read result;
  SitemapParser parser([&](const SitemapEntry& entry) { result.entries.push_back(entry); }, options);
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), piece))) {
    if (!parser.push(text.substr(0, piece))) break;
  }
  result.outcome = parser.finish();
  return result;
}

// Whole, and byte by byte: the result is the same.
Read read(std::string_view text, const SitemapOptions& options = {}) {
  Read whole = read_in_pieces(text, text.size() + 1, options);
  const Read bytes = read_in_pieces(text, 1, options);
  EXPECT_EQ(whole.urls(), bytes.urls());
  EXPECT_EQ(whole.outcome.problem, bytes.outcome.problem);
  EXPECT_EQ(whole.outcome.kind, bytes.outcome.kind);
  EXPECT_EQ(whole.outcome.entries, whole.entries.size());
  return whole;
}

std::string gzip(std::string_view text) {
  return compressed_for_test(text, 31);
}

using Urls = std::vector<std::string>;

constexpr std::string_view kSitemap =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    "  <url><loc> http://www.example.com/?a=1&amp;b=2\n</loc><lastmod>2005-01-01</lastmod>"
    "<changefreq>Monthly</changefreq><priority>0.8</priority></url>\n"
    "  <url><loc><![CDATA[http://www.example.com/x?c&d]]></loc></url>\n"
    "</urlset>";

TEST(Sitemap, AUrlHasALocationAndOptionalFields) {
  const Read r = read(kSitemap);
  EXPECT_EQ(r.outcome.kind, SitemapKind::kUrls);
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kNone);
  EXPECT_EQ(r.urls(), (Urls{"http://www.example.com/?a=1&b=2", "http://www.example.com/x?c&d"}));
  EXPECT_EQ(r.entries[0].last_modified, 1104537600);
  EXPECT_EQ(r.entries[0].change, ChangeFrequency::kMonthly);
  EXPECT_FLOAT_EQ(r.entries[0].priority.value(), 0.8f);
  EXPECT_FALSE(r.entries[0].is_sitemap);
  EXPECT_EQ(r.entries[1].last_modified, std::nullopt);
  EXPECT_EQ(r.entries[1].priority, std::nullopt);
  EXPECT_EQ(r.entries[1].change, ChangeFrequency::kUnknown);
}

TEST(Sitemap, AnIndexNamesOtherSitemaps) {
  const Read r = read(
      "<sitemapindex><sitemap><loc>http://a.org/1.xml.gz</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod></"
      "sitemap>"
      "<sitemap><loc>http://a.org/2.xml</loc></sitemap></sitemapindex>");
  EXPECT_EQ(r.outcome.kind, SitemapKind::kIndex);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1.xml.gz", "http://a.org/2.xml"}));
  EXPECT_TRUE(r.entries[0].is_sitemap);
  EXPECT_EQ(r.entries[0].last_modified, 1096654997);
}

TEST(Sitemap, ATextFileHasOneUrlOnEachLine) {
  const Read r =
      read("\xef\xbb\xbf\n  http://a.org/1\r\nhttps://a.org/2?x y\n\n# no\nftp://a.org/3\nHTTP://a.org/4");
  EXPECT_EQ(r.outcome.kind, SitemapKind::kText);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1", "https://a.org/2?x y", "HTTP://a.org/4"}));
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kNone);
}

TEST(Sitemap, RssHasItems) {
  const Read r = read(
      "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><link>http://a.org/</link>"
      "<atom:link href=\"http://a.org/feed\" rel=\"self\"/>"
      "<item><title>1</title><link>http://a.org/1</link><guid>http://a.org/guid</guid>"
      "<pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item>"
      "<item><guid>http://a.org/2</guid></item><item><guid "
      "isPermaLink=\"false\">3</guid></item></channel></rss>");
  EXPECT_EQ(r.outcome.kind, SitemapKind::kRss);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1", "http://a.org/2"}));
  EXPECT_EQ(r.entries[0].last_modified, 784111777);
}

TEST(Sitemap, RssOneIsRdf) {
  const Read r = read(
      "<rdf:RDF xmlns:rdf=\"x\"><channel><link>http://a.org/</link></channel>"
      "<item rdf:about=\"y\"><link>http://a.org/1</link><dc:date>2005-01-01</dc:date></item></rdf:RDF>");
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(r.entries[0].last_modified, 1104537600);
}

TEST(Sitemap, AtomHasEntries) {
  const Read r = read(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><link href=\"http://a.org/\"/>"
      "<entry><link rel=\"enclosure\" href=\"/mp3\"/><link href=\"http://a.org/1\"/><link href=\"/no\"/>"
      "<published>2004-01-01</published><updated>2005-01-01T00:00:00Z</updated></entry>"
      "<entry><updated>2005-01-01</updated><published>2004-01-01</published><link rel=\"Alternate\" href=\" "
      "2 \"/></entry></feed>");
  EXPECT_EQ(r.outcome.kind, SitemapKind::kAtom);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1", "2"}));
  EXPECT_EQ(r.entries[0].last_modified, 1104537600);
  EXPECT_EQ(r.entries[1].last_modified, 1104537600);
}

TEST(Sitemap, OtherLanguagesAreAlternates) {
  const Read r = read(
      "<urlset xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>http://a.org/en</loc>"
      "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"http://a.org/de\"/>"
      "<xhtml:link rel=\"alternate\" media=\"print\" href=\"http://a.org/m\"/></url></urlset>");
  ASSERT_EQ(r.entries.size(), 1u);
  ASSERT_EQ(r.entries[0].alternates.size(), 1u);
  EXPECT_EQ(r.entries[0].alternates[0].hreflang, "de");
  EXPECT_EQ(r.entries[0].alternates[0].url, "http://a.org/de");
}

// our choice: prefixes decide, not the namespaces they stand for.
TEST(Sitemap, ElementsOfOtherPrefixesDoNotCount) {
  EXPECT_EQ(read("<urlset><url><image:image><image:loc>http://a.org/i.png</image:loc></image:image>"
                 "<loc>http://a.org/</loc></url></urlset>")
                .urls(),
            (Urls{"http://a.org/"}));
  EXPECT_EQ(read("<sm:urlset "
                 "xmlns:sm=\"x\"><sm:url><loc>no</loc><sm:loc>http://a.org/</sm:loc></sm:url></sm:urlset>")
                .urls(),
            (Urls{"http://a.org/"}));
}

TEST(Sitemap, ALocationStandsRightInsideItsUrl) {
  EXPECT_EQ(
      read("<urlset><loc>http://no/</loc><url><x><loc>http://no/</loc></x></url></urlset>").entries.size(),
      0u);
}

TEST(Sitemap, GzipIsRecognisedByItsFirstBytes) {
  const std::string packed = gzip(kSitemap);
  const Read r = read(packed);
  EXPECT_EQ(r.entries.size(), 2u);
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kNone);
  EXPECT_EQ(r.outcome.bytes, kSitemap.size());
  EXPECT_EQ(read(gzip("http://a.org/1\nhttp://a.") + gzip("org/2\n") + "rubbish").urls(),
            (Urls{"http://a.org/1", "http://a.org/2"}));
  EXPECT_EQ(read(packed.substr(0, packed.size() - 9)).outcome.problem, SitemapProblem::kGzip);
  EXPECT_EQ(read("\x1f\x8b rubbish").outcome.problem, SitemapProblem::kGzip);
}

TEST(Sitemap, ABombIsCutOff) {
  const std::string bomb = gzip(std::string(20 << 20, ' '));
  ASSERT_LT(bomb.size(), 30000u);
  SitemapOptions options;
  options.max_bytes = 1 << 20;
  const Read r = read_in_pieces(bomb, 1000, options);
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kTooLarge);
  EXPECT_EQ(r.outcome.bytes, 1u << 20);
}

// "no more than 50,000 URLs and must be no larger than 50MB".
TEST(Sitemap, LimitsEndIt) {
  EXPECT_EQ(SitemapOptions().max_entries, 50'000u);
  SitemapOptions options;
  options.max_entries = 1;
  Read r = read(kSitemap, options);
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kTooManyEntries);
  EXPECT_EQ(r.entries.size(), 1u);
  EXPECT_EQ(read("http://a.org/1\nhttp://a.org/2\n", options).outcome.problem,
            SitemapProblem::kTooManyEntries);
  EXPECT_EQ(read("http://a.org/1\n", options).outcome.problem, SitemapProblem::kNone);
  options = {};
  options.max_bytes = kSitemap.size() - 1;
  r = read(kSitemap, options);
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kTooLarge);
  EXPECT_EQ(r.entries.size(), 2u);
  options.max_bytes = kSitemap.size();
  EXPECT_EQ(read(kSitemap, options).outcome.problem, SitemapProblem::kNone);
}

TEST(Sitemap, TooLongUrlsAreLeftOut) {
  const std::string url = "http://a.org/" + std::string(10000, 'x');
  EXPECT_EQ(
      read("<urlset><url><loc>" + url + "</loc></url><url><loc>http://a.org/</loc></url></urlset>").urls(),
      (Urls{"http://a.org/"}));
  const Read text = read(url + "\nhttp://a.org/\n\nsee above\n");
  EXPECT_EQ(text.urls(), (Urls{"http://a.org/"}));
  EXPECT_EQ(text.outcome.unreadable, 2u);
}

TEST(Sitemap, NestingIsLimited) {
  std::string deep = "<urlset>";
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_EQ(read(deep).outcome.problem, SitemapProblem::kTooDeep);
}

TEST(Sitemap, NoEntityIsEverExpanded) {
  const Read laughs = read(
      "<!DOCTYPE urlset [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
      "<urlset><url><loc>&b;</loc></url></urlset>");
  EXPECT_EQ(laughs.outcome.problem, SitemapProblem::kEntities);
  EXPECT_EQ(laughs.entries.size(), 0u);
  const Read file = read(
      "<!DOCTYPE urlset [<!ENTITY a SYSTEM "
      "\"file:///etc/passwd\">]><urlset><url><loc>&a;</loc></url></urlset>");
  EXPECT_EQ(file.outcome.problem, SitemapProblem::kEntities);
  EXPECT_EQ(
      read("<!DOCTYPE rss PUBLIC \"x\" \"http://a.org/rss.dtd\"><rss><channel><item><title>&eacute;</title>"
           "<link>http://a.org/</link></item></channel></rss>")
          .urls(),
      (Urls{"http://a.org/"}));
}

TEST(Sitemap, EntriesBeforeAnErrorAreKept) {
  const Read r =
      read("<urlset>\n<url><loc>http://a.org/1</loc></url>\n<url><loc>http://a.org/2</x></url></urlset>");
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kMalformed);
  EXPECT_EQ(r.outcome.line, 3u);
  EXPECT_EQ(r.outcome.unreadable, 1u);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(read("<urlset><url><loc>http://a.org/1</loc></url>").outcome.problem, SitemapProblem::kMalformed);
}

TEST(Sitemap, ACompleteLocationCountsWhereTheFileIsCut) {
  const std::string cut = "<urlset><url><loc>http://a.org/1</loc><lastmod>2005-01-01</lastmod><prio";
  const Read r = read(cut);
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kMalformed);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(r.entries[0].last_modified, 1104537600);
  EXPECT_EQ(read("<urlset><url><loc>http://a.org/1</loc></urlset>").urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(read("<urlset><url><loc>http://a.org/1</lo").urls(), Urls{});
  // gzip that is cut, and a file that is too large
  std::string packed = gzip(cut);
  packed.resize(packed.size() - 8);
  EXPECT_EQ(read(packed).urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(read(packed).outcome.problem, SitemapProblem::kGzip);
  // gzip with a wrong checksum
  std::string wrong = gzip(cut);
  wrong[wrong.size() - 8] ^= 1;
  EXPECT_EQ(read(wrong).urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(read(wrong).outcome.problem, SitemapProblem::kGzip);
  SitemapOptions options;
  options.max_bytes = cut.size() - 4;
  EXPECT_EQ(read(cut, options).urls(), (Urls{"http://a.org/1"}));
  EXPECT_EQ(read(cut, options).outcome.problem, SitemapProblem::kTooLarge);
}

TEST(Sitemap, AnAmpersandThatStartsNoReferenceIsReadAsItStands) {
  const Read r = read(
      "<urlset><url><loc>http://a.org/?a=1&b=2&copy;=3&amp;d</loc></url>"
      "<url><loc><![CDATA[http://a.org/?a&b]]></loc></url></urlset>");
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kNone);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/?a=1&b=2&copy;=3&d", "http://a.org/?a&b"}));
}

TEST(Sitemap, BytesThatXmlDoesNotAllowDoNotEndIt) {
  const Read r = read(
      "<urlset><url><loc>http://a.org/1</loc><x>\x01\xFF\uFFFE</x></url>"
      "<url><loc>http://a.org/2</loc></url></urlset>");
  EXPECT_EQ(r.outcome.problem, SitemapProblem::kNone);
  EXPECT_EQ(r.urls(), (Urls{"http://a.org/1", "http://a.org/2"}));
}

TEST(Sitemap, WhiteSpaceOfUnicodeAroundAUrlIsRemoved) {
  EXPECT_EQ(read("<urlset><url><loc>\u00A0\n http://a.org/\u00E9\u00A0\u3000</loc></url></urlset>").urls(),
            (Urls{"http://a.org/\u00E9"}));
  EXPECT_EQ(read("\u200Bhttp://a.org/1\u00A0\n\u00A0\nhttp://a.org/2").urls(),
            (Urls{"http://a.org/1", "http://a.org/2"}));
}

TEST(Sitemap, ATokenWithoutEndIsNotKept) {
  SitemapParser parser([](const SitemapEntry&) {});
  std::uint64_t pushed = 0;
  bool more = parser.push("<urlset a=\"");
  const std::string piece(1 << 16, 'x');
  while (more && pushed < (20u << 20)) {
    more = parser.push(piece);
    pushed += piece.size();
  }
  EXPECT_LT(pushed, 2u << 20);
  EXPECT_EQ(parser.finish().problem, SitemapProblem::kMalformed);
}

TEST(Sitemap, BlanksAndMarksBeforeTheDeclarationAreForgiven) {
  EXPECT_EQ(
      read("\xef\xbb\xbf\n\n <?xml version=\"1.0\"?><urlset><url><loc>http://a.org/</loc></url></urlset>")
          .urls(),
      (Urls{"http://a.org/"}));
}

TEST(Sitemap, EveryEncodingIsRead) {
  const auto in = [](std::string_view encoding, std::string_view url) {
    return fmt::format("<?xml version=\"1.0\" encoding=\"{}\"?><urlset><url><loc>{}</loc></url></urlset>",
                       encoding, url);
  };
  std::string wide = "\xff\xfe";
  for (const char c : in("utf-16", "http://a.org/")) wide += {c, '\0'};
  EXPECT_EQ(read(wide).urls(), (Urls{"http://a.org/"}));
  EXPECT_EQ(read(wide.substr(2)).urls(), (Urls{"http://a.org/"}));
  EXPECT_EQ(read(in("iso-8859-1", "http://a.org/\xE9")).urls(), (Urls{"http://a.org/\u00E9"}));
  EXPECT_EQ(read(in("windows-1251", "http://a.org/\xC6")).urls(), (Urls{"http://a.org/\u0416"}));
  EXPECT_EQ(read(in("Shift_JIS", "http://a.org/\x93\xFA\x95\x5C")).urls(),
            (Urls{"http://a.org/\u65E5\u8868"}));
  EXPECT_EQ(read("\n" + in("koi8-r", "http://a.org/\xF6")).urls(), (Urls{"http://a.org/\u0416"}));
  // An unknown one is treated as UTF-8.
  EXPECT_EQ(read(in("ebcdic", "http://a.org/\u00E9")).urls(), (Urls{"http://a.org/\u00E9"}));
}

// RFC 7303, 3: Content-Type overrides the declaration; a byte order mark overrides both.
TEST(Sitemap, TheCharsetOfContentTypeCounts) {
  SitemapOptions options;
  options.charset = "windows-1251";
  const std::string map = "<urlset><url><loc>http://a.org/\xc6</loc></url></urlset>";
  EXPECT_EQ(read(map, options).urls(), Urls{"http://a.org/\xd0\x96"});
  EXPECT_EQ(read("<?xml version='1.0' encoding='utf-8'?>" + map, options).urls(),
            Urls{"http://a.org/\xd0\x96"});
  EXPECT_EQ(read("http://a.org/\xc6\n", options).urls(), Urls{"http://a.org/\xd0\x96"});
  EXPECT_EQ(read("\xef\xbb\xbfhttp://a.org/\xd0\x96\n", options).urls(), Urls{"http://a.org/\xd0\x96"});
  options.charset = "nonsense";
  EXPECT_EQ(read("http://a.org/\xd0\x96\n", options).urls(), Urls{"http://a.org/\xd0\x96"});
}

TEST(Sitemap, OtherFilesAreNotSitemaps) {
  for (const char* text : {"", "  \n", "hello", "<html><body>404</body></html>", "<", "%PDF-1.4"}) {
    const Read r = read(text);
    EXPECT_NE(r.outcome.problem, SitemapProblem::kNone) << text;
    EXPECT_EQ(r.entries.size(), 0u);
  }
  EXPECT_EQ(read("<html>").outcome.problem, SitemapProblem::kNotASitemap);
}

TEST(Sitemap, BadValuesAreLeftOut) {
  const Read r = read(
      "<urlset><url><loc>x</loc><lastmod>yesterday</lastmod><priority>2</priority><changefreq>often</"
      "changefreq></url></urlset>");
  ASSERT_EQ(r.entries.size(), 1u);
  EXPECT_EQ(r.entries[0].last_modified, std::nullopt);
  EXPECT_EQ(r.entries[0].priority, std::nullopt);
  EXPECT_EQ(r.entries[0].change, ChangeFrequency::kUnknown);
}

TEST(Sitemap, LargeFilesNeedLittleMemoryAtATime) {
  std::size_t entries = 0;
  SitemapParser parser([&](const SitemapEntry&) { ++entries; });
  EXPECT_TRUE(parser.push("<urlset>"));
  for (int i = 0; i < 50'000; ++i) {
    ASSERT_TRUE(parser.push(fmt::format("<url><loc>http://a.org/{}</loc></url>", i)));
  }
  EXPECT_FALSE(parser.push("<url><loc>http://a.org/more</loc></url>"));
  EXPECT_EQ(entries, 50'000u);
  EXPECT_EQ(parser.finish().problem, SitemapProblem::kTooManyEntries);
}

}  // namespace
}  // namespace bowerbird
