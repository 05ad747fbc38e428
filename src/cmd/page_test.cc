#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cmd/command_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

class PageCommand : public testing::Test {
 protected:
  void SetUp() override {
    path_ = folder_ / "bowerbird_page_test.html";
    write(
        "<html lang=en><title>A &amp; B</title><meta name=robots content=nofollow>"
        "<p>Words <a href='x.html#y' rel=nofollow>to read</a><a href=mailto:z>mail</a><img src=i.png>");
  }

  void write(const std::string& html) { std::ofstream(path_, std::ios::binary) << html; }

  std::string output_of(std::vector<const char*> args, int expected_code = kExitOk) {
    args.insert(args.begin(), {"page", path_.c_str()});
    return output_of_command(std::move(args), expected_code);
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(PageCommand, ShowsWhatThePageSays) {
  const std::string out = output_of({});
  for (const char* part : {"A & B", "utf-8", "robots: nofollow", "its links must not be followed", "x.html#y",
                           "[nofollow]", "\"to read\""}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
  }
}

TEST_F(PageCommand, ShowsLinksAsTheyWouldBeQueued) {
  const std::string text = output_of({"--base", "http://a.example/d/", "--json", "--requisites"});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  const auto json = nlohmann::json::parse(text);
  ASSERT_EQ(json["links"].size(), 3u);
  EXPECT_EQ(json["links"][0]["url"], "http://a.example/d/x.html");
  EXPECT_TRUE(json["links"][1].contains("rejected"));
  EXPECT_EQ(json["links"][2]["url"], "http://a.example/d/i.png");
  EXPECT_EQ(json["links"][2]["requisite"], true);
  EXPECT_EQ(json["robots"]["nofollow"], true);
}

TEST_F(PageCommand, ShowsTheTextAlone) {
  EXPECT_EQ(output_of({"--text"}), "Words to readmail\n");
}

TEST_F(PageCommand, ShowsMainTextMarkdownAndFacts) {
  const std::string sentence = "This sentence is part of a story that goes on for a while, and then ends. ";
  write(
      "<html lang=en><title>A Story - Site</title><nav><a href=/>Home</a> <a "
      "href=/b>More</a></nav><main><article>"
      "<h1>A Story</h1><p>" +
      sentence + sentence + "<a href=next.html>Next</a>.</p><p>" + sentence + sentence +
      "</p></article></main><footer>Copyright</footer>");
  const std::string main = output_of({"--main"});
  EXPECT_TRUE(main.starts_with("This sentence")) << main;
  EXPECT_EQ(main.find("Copyright"), std::string::npos);
  const std::string markdown = output_of({"--markdown", "--base", "https://a.example/d/"});
  EXPECT_TRUE(markdown.starts_with("# A Story\n\nThis sentence")) << markdown;
  EXPECT_NE(markdown.find("[Next](https://a.example/d/next.html)"), std::string::npos);
  EXPECT_NE(output_of({"--facts"}).find("A Story"), std::string::npos);
  const auto json = nlohmann::json::parse(output_of({"--main", "--markdown", "--facts", "--text", "--json"}));
  EXPECT_EQ(json["main_text"], main);
  EXPECT_EQ(json["main_found"], true);
  EXPECT_EQ(json["facts"]["title"], "A Story");
  EXPECT_EQ(json["facts"]["language"], "en");
  EXPECT_EQ(json["facts"]["author"], nullptr);
  EXPECT_EQ(json["facts"]["opt_outs"], nlohmann::json::array());
  EXPECT_NE(json["text"].get<std::string>().find("Copyright"), std::string::npos);
}

TEST_F(PageCommand, PreformattedTextKeepsItsLines) {
  write("<pre>a\n  b\tc</pre>");
  EXPECT_EQ(output_of({"--text"}), "a\n  b\tc\n");
}

TEST_F(PageCommand, OneTextIsShownAtATime) {
  EXPECT_NE(output_of({"--main", "--text"}, kExitUsage).find("--json"), std::string::npos);
}

TEST_F(PageCommand, LongTextsAreShownInPart) {
  write("<a href='" + std::string(100'000, 'x') + "'>");
  const std::string out = output_of({});
  EXPECT_LT(out.size(), 2000u);
  EXPECT_NE(out.find("100,000 bytes"), std::string::npos);
}

TEST_F(PageCommand, BytesThatAreNoPageAreShownAsWhatTheyAre) {
  write(std::string("\0\xff\xfe<a \0\x1b[31m\x80", 13));
  EXPECT_EQ(output_of({}).find('\x1b'), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(output_of({"--json", "--text", "--main", "--markdown", "--facts"})));
  for (const char* option : {"--text", "--main", "--markdown", "--facts"})
    EXPECT_EQ(output_of({option}).find('\x1b'), std::string::npos);
}

TEST_F(PageCommand, WrongValuesAreMisuse) {
  EXPECT_NE(output_of({"--base", "nonsense"}, kExitUsage).find("nonsense"), std::string::npos);
  EXPECT_NE(output_of({"--charset", "klingon"}, kExitUsage).find("utf-8"), std::string::npos);
  std::filesystem::remove(path_);
  EXPECT_NE(output_of({}, kExitFailed).find("bowerbird_page_test.html"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
