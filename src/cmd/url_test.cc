#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cmd/command_testing.h"

namespace bowerbird {
namespace {

TEST(UrlCommand, ShowsTheCanonicalFormAndEveryChange) {
  const std::string out = output_of_command({"url", "HTTP://www.BBC.co.uk/a/../b?utm_source=x#top"});
  for (const char* part :
       {"http://www.bbc.co.uk/b\n", "bbc.co.uk\n", "scheme made lower case", "host made lower case",
        "'..' segments resolved", "tracking parameter removed", "fragment removed"}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
  }
}

TEST(UrlCommand, SaysWhyATextIsRejected) {
  EXPECT_NE(output_of_command({"url", "mailto:a@b.example"}).find("not http or https: 'mailto'"),
            std::string::npos);
}

TEST(UrlCommand, ResolvesAgainstABaseAndSpeaksJson) {
  const auto json = nlohmann::json::parse(
      output_of_command({"url", "../c.html?x", "--base", "http://example.org:81/a/b/", "--json"}));
  EXPECT_EQ(json["canonical"], "http://example.org:81/a/c.html?x");
  EXPECT_EQ(json["host"], "example.org:81");
  EXPECT_EQ(json["site"], "example.org");
  EXPECT_EQ(json["depth"], 2);
  EXPECT_EQ(json["changes"].size(), 2u);
}

TEST(UrlCommand, RulesCanBeSwitchedOff) {
  const std::string out =
      output_of_command({"url", "http://a/;jsessionid=1?gclid=2", "--keep-tracking", "--keep-sessions"});
  EXPECT_NE(out.find("http://a/;jsessionid=1?gclid=2"), std::string::npos);
  EXPECT_EQ(out.find("changes"), std::string::npos);
}

TEST(UrlCommand, ABadBaseIsAnErrorOfTheUser) {
  EXPECT_NE(output_of_command({"url", "x", "--base", "ftp://a/"}, kExitUsage).find("ftp://a/"),
            std::string::npos);
}

}  // namespace
}  // namespace bowerbird
