#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cmd/commands.h"

namespace bowerbird {
namespace {

std::string output_of(std::vector<const char*> args, int expected_code = kExitOk) {
  App app;
  add_all_commands(app);
  args.insert(args.begin(), "bowerbird");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(app.run(static_cast<int>(args.size()), args.data()), expected_code);
  std::fflush(stdout);
  const std::string error = testing::internal::GetCapturedStderr();
  return testing::internal::GetCapturedStdout() + error;
}

TEST(UrlCommand, ShowsTheCanonicalFormAndEveryChange) {
  const std::string out = output_of({"url", "HTTP://www.BBC.co.uk/a/../b?utm_source=x#top"});
  for (const char* part :
       {"http://www.bbc.co.uk/b\n", "bbc.co.uk\n", "scheme made lower case", "host made lower case",
        "'..' segments resolved", "tracking parameter removed", "fragment dropped"}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
  }
}

TEST(UrlCommand, SaysWhyATextIsRejected) {
  EXPECT_NE(output_of({"url", "mailto:a@b.example"}).find("not http or https: 'mailto'"), std::string::npos);
}

TEST(UrlCommand, ResolvesAgainstABaseAndSpeaksJson) {
  const auto json = nlohmann::json::parse(
      output_of({"url", "../c.html?x", "--base", "http://example.org:81/a/b/", "--json"}));
  EXPECT_EQ(json["canonical"], "http://example.org:81/a/c.html?x");
  EXPECT_EQ(json["host"], "example.org:81");
  EXPECT_EQ(json["site"], "example.org");
  EXPECT_EQ(json["depth"], 2);
  EXPECT_EQ(json["changes"].size(), 2u);
}

TEST(UrlCommand, RulesCanBeSwitchedOff) {
  const std::string out =
      output_of({"url", "http://a/;jsessionid=1?gclid=2", "--keep-tracking", "--keep-sessions"});
  EXPECT_NE(out.find("http://a/;jsessionid=1?gclid=2"), std::string::npos);
  EXPECT_EQ(out.find("changes"), std::string::npos);
}

TEST(UrlCommand, ABadBaseIsAnErrorOfTheUser) {
  EXPECT_NE(output_of({"url", "x", "--base", "ftp://a/"}, kExitUsage).find("ftp://a/"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
