#include "parse/text/main_text.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "parse/text/block_features.h"
#include "parse/text/main_model.h"
#include "parse/text/plain_text.h"
#include "parse/text/whole_parts.h"

namespace bowerbird {
namespace {

const std::string kSentence =
    "This sentence is one of many that tell a story, and it is long enough to be read. ";

std::string story_page() {
  const std::string paragraph = "<p>" + kSentence + kSentence + "</p>";
  return "<html lang=en><head><title>A Story of Words - Site</title></head><body><header><nav><ul><li><a "
         "href=/>Home"
         "</a><li><a href=/a>About</a></ul></nav></header><main><article><h1>A Story of Words</h1>" +
         paragraph + "<figure><img src=i.png><figcaption>The caption of an image</figcaption></figure>" +
         paragraph + "<h2>More of it</h2>" + paragraph + paragraph +
         "</article></main><aside><h3>Related</h3><ul><li><a href=/x>Another story</a></ul></aside>"
         "<footer><p>Copyright 2025. All rights reserved.</p></footer></body></html>";
}

TEST(TextExtractor, LeavesOutWhatIsNotTheStory) {
  TextExtractor extractor;
  const std::string page = story_page();
  extractor.read(page, {});
  EXPECT_TRUE(extractor.main_found());
  const std::string text = extractor.main_text();
  EXPECT_TRUE(text.starts_with("This sentence")) << text;
  EXPECT_NE(text.find("More of it"), std::string::npos);
  for (const char* part : {"Home", "Another story", "Copyright", "caption", "A Story of Words"})
    EXPECT_EQ(text.find(part), std::string::npos) << part;
  for (const char* part : {"Home", "Another story", "Copyright", "caption", "A Story of Words"})
    EXPECT_NE(extractor.all_text().find(part), std::string::npos) << part;
}

TEST(TextExtractor, MarkdownHasTitleImagesAndCaptions) {
  TextExtractor extractor;
  const std::string page = story_page();
  Url url;
  ASSERT_EQ(parse_url("https://a.example/s", nullptr, url), UrlFault::kNone);
  extractor.read(page, url);
  const std::string markdown = extractor.markdown();
  EXPECT_TRUE(markdown.starts_with("# A Story of Words\n\nThis sentence")) << markdown;
  EXPECT_NE(markdown.find("![](https://a.example/i.png)\n\n*The caption of an image*"), std::string::npos)
      << markdown;
  EXPECT_NE(markdown.find("## More of it"), std::string::npos);
}

TEST(TextExtractor, MarkdownDoesNotRepeatTheTitle) {
  TextExtractor extractor;
  std::string page = "<title>Objects (The Manual)</title><div><h3>14.2 Objects</h3>";
  for (int i = 0; i < 6; ++i)
    page += "<p>The properties of the objects are set by commands, which this part describes one by one.</p>";
  extractor.read(page, {});
  EXPECT_TRUE(extractor.markdown().starts_with("# Objects\n\nThe properties")) << extractor.markdown();
}

TEST(TextExtractor, FactsHaveTheDetectedLanguage) {
  TextExtractor extractor;
  const std::string german =
      "<html lang=en><p>Dieser Satz ist in deutscher Sprache geschrieben, damit man ihn als solchen "
      "erkennt.</p>";
  extractor.read(german, {});
  EXPECT_EQ(extractor.facts().language, "de");
  extractor.read("<html lang=fr><p>x", {});
  EXPECT_EQ(extractor.facts().language, "fr");
}

TEST(TextExtractor, BaseElementsCount) {
  TextExtractor extractor;
  const std::string page = "<base href='https://b.example/c/'><link rel=canonical href=d>";
  extractor.read(page, {});
  EXPECT_EQ(extractor.facts().canonical, "https://b.example/c/d");
}

TEST(TextExtractor, PagesWithoutTextHaveNoMainText) {
  TextExtractor extractor;
  for (const char* page : {"", "<script>x</script>", "<p> </p>", "\xff\xfe"}) {
    extractor.read(page, {});
    EXPECT_EQ(extractor.main_text(), extractor.all_text());
  }
  extractor.read("", {});
  EXPECT_FALSE(extractor.main_found());
}

std::string times(std::string_view part, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST(TextExtractor, HostilePagesGiveBoundedValidText) {
  const std::string pages[] = {times("<div>", 1'000'000) + "x",
                               times("<p class='a b'>x y z. ", 100'000),
                               times("<table><tr><td>x", 50'000),
                               "<p " + times("a='b' ", 1'000'000) + ">x",
                               "<title>" + times("<script> | ", 100'000) + "</title>x",
                               times("<ul><li>x", 100'000),
                               "<script type='application/ld+json'>" + times("{\"author\":[", 100'000),
                               times("\xff\xc0 \x1b[31m", 100'000)};
  TextExtractor extractor;
  for (const std::string& page : pages) {
    extractor.read(page, {});
    const std::string text = extractor.main_text();
    EXPECT_LE(text.size(), 4 * page.size() + 10);
    EXPECT_TRUE(is_valid_utf8(text));
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_TRUE(is_valid_utf8(extractor.markdown()));
    EXPECT_LE(extractor.facts().title.size(), 10'000u);
  }
}

TEST(CompleteParts, RowsTermsAndCodeStayWhole) {
  HtmlTokenizer<TreeBuilder> tokenizer;
  HtmlTree tree;
  tokenizer.sink().begin(tree);
  const std::string html =
      "<p>text</p><pre>code</pre><h2>Next</h2><pre>more</pre><p>menu</p><pre>other</pre>"
      "<table><tr><td>a b c<td>d</table><dl><dt>term<dd>definition</dl><dl><dt>no<dd>never</dl>";
  tokenizer.scan(html, html.size());
  tokenizer.sink().finish();
  std::vector<std::uint32_t> words;
  std::vector<bool> chosen;
  for (const TreeBlock& block : tree.blocks) {
    const std::string text(tree.text_of(block));
    words.push_back(text == "a b c" ? 3 : 1);
    chosen.push_back(text == "text" || text == "a b c" || text == "definition");
  }
  std::vector<bool> never(chosen.size(), false);
  complete_parts(tree, words, never, chosen);
  EXPECT_EQ(plain_text(tree, chosen), "text\n\ncode\n\nNext\n\nmore\n\na b c\td\n\nterm\ndefinition\n");
}

TEST(TextExtractor, CommentsAreKeptIfAsked) {
  std::string html = "<article><h1>Title</h1>";
  for (int i = 0; i < 8; ++i)
    html += "<p>The story goes on and on, with sentence after sentence, and it is told in many words.</p>";
  html +=
      "</article><div class=comments><h3>Comments</h3><div class=comment><p>I was there when the bird sang, "
      "and it was lovely.</p></div><form><label>Your comment</label><button>Send it</button></form></div>";
  TextExtractor extractor;
  extractor.read(html, {});
  EXPECT_EQ(extractor.main_text().find("bird sang"), std::string::npos);
  extractor.keep_comments(true);
  extractor.read(html, {});
  EXPECT_NE(extractor.main_text().find("bird sang"), std::string::npos);
  EXPECT_EQ(extractor.main_text().find("Send it"), std::string::npos);
}

// The set of blocks of the highest expected F1, among all sets.
double best_f1(const std::vector<float>& scores, const std::vector<std::uint32_t>& words) {
  double expected = 0, best = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) expected += static_cast<double>(scores[i]) * words[i];
  for (unsigned set = 1; set < 1u << scores.size(); ++set) {
    double hits = 0, size = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if ((set >> i & 1u) == 0) continue;
      hits += static_cast<double>(scores[i]) * words[i];
      size += words[i];
    }
    best = std::max(best, 2 * hits / (size + expected));
  }
  return best;
}

TEST(ChooseBlocks, NoOtherSetHasAHigherExpectedF1) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> scores;
    std::vector<std::uint32_t> words;
    for (std::uint64_t i = 0, count = 1 + rng.below(9); i < count; ++i) {
      scores.push_back(static_cast<float>(rng.below(1000)) / 1000);
      words.push_back(static_cast<std::uint32_t>(1 + rng.below(50)));
    }
    const std::vector<bool> chosen = choose_blocks(scores, words);
    double hits = 0, size = 0, expected = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      expected += static_cast<double>(scores[i]) * words[i];
      if (!chosen[i]) continue;
      hits += static_cast<double>(scores[i]) * words[i];
      size += words[i];
    }
    const double f1 = size > 0 ? 2 * hits / (size + expected) : 0;
    EXPECT_NEAR(f1, best_f1(scores, words), 1e-9);
  }
  EXPECT_TRUE(choose_blocks({}, {}).empty());
  EXPECT_EQ(choose_blocks({0, 0}, {3, 4}), (std::vector<bool>{false, false}));
}

// Whoever changes the features trains the model again: tools/train_main_text.
TEST(MainModel, IsMadeForTheseFeatures) {
  std::string names;
  for (const std::string& name : BlockFeatures::names()) names += (names.empty() ? "" : "\n") + name;
  const auto* bytes = reinterpret_cast<const Bytef*>(names.data());
  EXPECT_EQ(crc32(0, bytes, static_cast<uInt>(names.size())), model_feature_names());
}

}  // namespace
}  // namespace bowerbird
