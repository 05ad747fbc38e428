#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cmd/command_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

class RobotsCommand : public testing::Test {
 protected:
  void SetUp() override {
    path_ = folder_ / "robots.txt";
    std::ofstream(path_)
        << "User-agent: *\nDisallow: /private # keep out\nAllow: /private/open\nCrawl-delay: 2\n\n"
           "User-agent: other\nDisallow: /\n\nSitemap: http://example.org/s.xml\nnonsense\n";
  }

  std::string output_of(std::vector<const char*> args, int expected_code = kExitOk) {
    args.insert(args.begin(), {"robots", path_.c_str()});
    return output_of_command(std::move(args), expected_code);
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(RobotsCommand, ShowsTheLineThatDecides) {
  const std::string out = output_of({"Bowerbird/1.0", "http://example.org/private/x", "/private/open", "/y"});
  for (const char* part : {"group        line 1: *", "crawl delay  2 s", "line 9: http://example.org/s.xml",
                           "line 10: not a record", "disallowed by line 2: Disallow: /private # keep out",
                           "allowed by line 3: Allow: /private/open", "allowed: no rule matches"}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
  }
}

TEST_F(RobotsCommand, SpeaksJson) {
  const auto json = nlohmann::json::parse(output_of({"OTHER", "/x", "mailto:a@b", "--json"}));
  EXPECT_EQ(json["group"][0]["line"], 6);
  EXPECT_EQ(json["decisions"][0]["allowed"], false);
  EXPECT_EQ(json["decisions"][0]["line"], 7);
  EXPECT_EQ(json["decisions"][1]["rejected"], "not http or https");
  EXPECT_FALSE(json.contains("crawl_delay"));
}

TEST_F(RobotsCommand, AUserAgentMustHaveAToken) {
  EXPECT_NE(output_of({"1.0", "/x"}, kExitUsage).find("product token"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
