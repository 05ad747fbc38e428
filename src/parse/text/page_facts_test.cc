#include "parse/text/page_facts.h"

#include <gtest/gtest.h>

#include "parse/html_tokenizer.h"
#include "parse/text/json_ld.h"
#include "parse/text/tree_builder.h"

namespace bowerbird {
namespace {

DocumentFacts facts_of(std::string_view html, std::string_view url = "https://a.example/d/p") {
  HtmlTokenizer<TreeBuilder> tokenizer;
  HtmlTree tree;
  tokenizer.sink().begin(tree);
  tokenizer.scan(html, std::size_t{1} << 28);
  tokenizer.sink().finish();
  Url own;
  EXPECT_EQ(parse_url(url, nullptr, own), UrlFault::kNone);
  return read_facts(tree, own, own);
}

using Names = std::vector<std::string>;

TEST(DocumentFacts, TitleIsWithoutTheNameOfTheSite) {
  EXPECT_EQ(facts_of("<title>A Long Story - Site</title>").title, "A Long Story");
  EXPECT_EQ(facts_of("<meta property=og:site_name content=Site><title>Site | A</title>").title, "A");
  EXPECT_EQ(facts_of("<title>A - B | Site</title><h1>A - B</h1>").title, "A - B");
  EXPECT_EQ(facts_of("<title>A - Site</title><h1>Site</h1><h1>A<a href='#a'>¶</a></h1>").title, "A");
  EXPECT_EQ(facts_of("<meta property='og:title' content='O &amp; P'><h1>Else</h1>").title, "O & P");
}

TEST(DocumentFacts, LowerHeadingsAreTitlesOfManuals) {
  EXPECT_EQ(facts_of("<title>Objects (The Manual)</title><h3>14.2 Objects</h3>").title, "Objects");
  EXPECT_EQ(facts_of("<title>Objects: The Manual</title><h2>Menu</h2><h2>Objects</h2>").title, "Objects");
  EXPECT_EQ(facts_of("<title>Objects and more</title><h2>Objects</h2>").title, "Objects and more");
  EXPECT_TRUE(repeats_title("E.2 Objects", "Objects"));
  EXPECT_TRUE(repeats_title("Objects", "objects"));
  EXPECT_FALSE(repeats_title("Objects", "Objects in Use"));
  EXPECT_FALSE(repeats_title("2001", ""));
}

TEST(DocumentFacts, JsonLdIsAskedFirst) {
  const DocumentFacts facts = facts_of(R"(<script type="application/ld+json">
    {"@graph": [{"@type": "WebSite", "name": "Site"},
     {"@type": "NewsArticle", "headline": "H", "author": [{"@id": "#p"}, {"name": "B &amp; C"}],
      "datePublished": "2025-09-04T10:00:00+02:00", "dateModified": "2025-09-05", "articleSection": "News",
      "keywords": "k, l"},
     {"@type": "Person", "@id": "#p", "name": "A"}]}</script>
    <meta name=author content=Other><meta name=date content=2001-01-01>)");
  EXPECT_EQ(facts.title, "H");
  EXPECT_EQ(facts.authors, (Names{"A", "B & C"}));
  EXPECT_EQ(facts.published, "2025-09-04T10:00:00+02:00");
  EXPECT_EQ(facts.modified, "2025-09-05");
  EXPECT_EQ(facts.section, "News");
  EXPECT_EQ(facts.site_name, "Site");
  EXPECT_EQ(facts.keywords, (Names{"k", "l"}));
}

TEST(DocumentFacts, DatesComeFromMetaTimeUrlAndText) {
  EXPECT_EQ(facts_of("<meta property=article:published_time content=2025-09-04>").published, "2025-09-04");
  EXPECT_EQ(facts_of("<time datetime=2025-09-04>x</time>").published, "2025-09-04");
  EXPECT_EQ(facts_of("x", "https://a.example/2025/09/04/x").published, "2025-09-04");
  EXPECT_EQ(facts_of("<h1>x</h1><p>Posted September 4, 2025").published, "2025-09-04");
  EXPECT_EQ(facts_of("<h1>x</h1><p>Posted now").published, "");
}

TEST(DocumentFacts, MicrodataAndLinks) {
  const DocumentFacts facts = facts_of(
      "<html lang=de><link rel=canonical href=/c><a rel=license href=/l>x</a>"
      "<span itemprop='author'>By Ann Lee</span><meta name=keywords content='a, b,,a'>"
      "<meta name=description content=D>");
  EXPECT_EQ(facts.language, "de");
  EXPECT_EQ(facts.canonical, "https://a.example/c");
  EXPECT_EQ(facts.license, "https://a.example/l");
  EXPECT_EQ(facts.authors, Names{"Ann Lee"});
  EXPECT_EQ(facts.keywords, (Names{"a", "b"}));
  EXPECT_EQ(facts.description, "D");
}

TEST(DocumentFacts, OptOuts) {
  const OptOuts none = facts_of("<meta name=robots content='index, follow'>").opt_outs;
  EXPECT_FALSE(none.noindex || none.noarchive || none.noai || none.tdm_reserved);
  const OptOuts all = facts_of(
                          "<meta name=robots content='noindex,noarchive'><meta name=robots content=noai>"
                          "<meta name=tdm-reservation content=1><meta name=tdm-policy content=/p.json>")
                          .opt_outs;
  EXPECT_TRUE(all.noindex && all.noarchive && all.noai && all.tdm_reserved);
  EXPECT_EQ(all.tdm_policy, "https://a.example/p.json");
}

TEST(DocumentFacts, OptOutsOfTheResponse) {
  OptOuts outs;
  add_header_opt_outs(
      "HTTP/1.1 200 OK\r\nX-Robots-Tag: otherbot: noindex\r\nX-Robots-Tag: max-snippet: 5, noai\r\n\r\n",
      outs);
  EXPECT_TRUE(outs.noai);
  EXPECT_FALSE(outs.noindex || outs.noarchive || outs.tdm_reserved);
  add_header_opt_outs(
      "HTTP/1.1 200 OK\r\nX-Robots-Tag: none\r\nTDM-Reservation: 1\r\nTDM-Policy: https://p.example/\r\n\r\n",
      outs);
  EXPECT_TRUE(outs.noindex && outs.tdm_reserved);
  EXPECT_EQ(outs.tdm_policy, "https://p.example/");
}

TEST(JsonLd, BrokenAndHostileScriptsAreIgnored) {
  const std::string deep(1'000'000, '[');
  const std::string_view scripts[] = {"",
                                      "{",
                                      "null",
                                      "{\"@type\": 5}",
                                      deep,
                                      "{\"@type\":\"Article\",\"headline\":",
                                      "<!-- {\"@type\": \"Article\",\n\"headline\": \"a\nb\"}; -->"};
  EXPECT_EQ(read_json_ld(scripts).title, "a b");
}

TEST(PageFacts, AHeadingWithTheNameOfTheSiteIsNotTheTitle) {
  EXPECT_EQ(facts_of("<title>a.b \u2014 The manual</title><h1>The manual</h1><h1>Source of a.b</h1>").title,
            "Source of a.b");
  EXPECT_EQ(facts_of("<title>What now, in spring? - Gardeners</title><h1>Gardeners</h1><p>Text").title,
            "What now, in spring?");
}

}  // namespace
}  // namespace bowerbird
