#include "cmd/option_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/option_row_testing.h"
#include "cmd/command_testing.h"
#include "cmd/help.h"
#include "crawl/config/option_table.h"
#include "lab/lab_options.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

template <typename Options>
void expect_flags(std::span<const OptionRow<Options>> table,
                  const std::map<std::string, std::string>& values) {
  for (const OptionRow<Options>& row : table) {
    const std::string value = other_value(row, values);
    CLI::App app;
    OptionFlags flags;
    for (const OptionRow<Options>& one : table) flags.add(app, one);
    if (row.is_switch()) {
      app.parse(fmt::format("--{}{}", value == "true" ? "" : "no-", row.name));
    } else {
      app.parse(fmt::format("--{}={}", row.name, value));
    }
    EXPECT_TRUE(flags.is_given(row.name));
    Options given;
    flags.apply(table, given);
    Options expected;
    ASSERT_TRUE(row.set(expected, value).ok()) << row.name;
    EXPECT_EQ(row.texts(given), row.texts(expected)) << row.name;
    // --archive is a name for several options.
    if (row.name == "archive") continue;
    EXPECT_NE(row.texts(given), row.texts(Options())) << row.name;
  }
}

TEST(OptionFlags, EveryRowCanBeGivenOnTheCommandLine) {
  expect_flags(crawl_option_table(), {{"contact", "me@example.org"},
                                      {"policy", "bfs"},
                                      {"strategy", "sydney@4"},
                                      {"types", "html,pdf"},
                                      {"refresh", "uniform"},
                                      {"refresh-rate", "5/day"},
                                      {"refresh-rate-per-host", "5/day"}});
  expect_flags(lab_option_table(), {{"policies", "bfs,fpr@100"},
                                    {"strategies", "sydney@4"},
                                    {"seeds", "random:3"},
                                    {"importance", "backlink"},
                                    {"weights", "location=2"},
                                    {"threshold", "0.5"},
                                    {"buffer", "5%,100"},
                                    {"procs", "2,4"},
                                    {"mode", "firewall"},
                                    {"partition", "url-hash"}});
}

TEST(OptionFlags, WrongValuesAreReportedAllAtOnce) {
  const std::string text =
      output_of_command({"crawl", "http://a.test/", "--pages", "many", "--delay", "soon"}, kExitUsage);
  EXPECT_THAT(text, HasSubstr("--pages: 'many'"));
  EXPECT_THAT(text, HasSubstr("--delay: 'soon'"));
}

TEST(Help, ShowsCommonOptionsInGroupsWithTheirDefaults) {
  const std::string common = output_of_command({"crawl", "--help"});
  EXPECT_THAT(common, HasSubstr("\nPOLITENESS\n    --delay TIME\n"));
  EXPECT_THAT(common, HasSubstr("(default 1s)"));
  EXPECT_THAT(common, HasSubstr("--help-all"));
  EXPECT_THAT(common, Not(HasSubstr("--patience")));
  const std::string all = output_of_command({"crawl", "--help-all"});
  // Its entry: a separate line, with or without a unit.
  const auto shows = [](const std::string& help, std::string_view name) {
    return help.find(fmt::format("\n    --{} ", name)) != help.npos ||
           help.find(fmt::format("\n    --{}\n", name)) != help.npos ||
           help.find(fmt::format("\n    --{},", name)) != help.npos;
  };
  for (const CrawlOptionRow& row : crawl_option_table()) {
    EXPECT_TRUE(shows(all, row.name)) << row.name;
    EXPECT_EQ(shows(common, row.name), row.is(kCommon)) << row.name;
  }
}

TEST(Help, ManualAndCompletionsHaveEveryOption) {
  const std::string manual = output_of_command({"man"});
  std::vector<std::string> texts = {output_of_command({"completion", "bash"}),
                                    output_of_command({"completion", "zsh"}),
                                    output_of_command({"completion", "fish"})};
  const auto expect_row = [&](const OptionColumns& row) {
    std::string in_roff = "\\-\\-";
    for (const char c : row.name) in_roff += c == '-' ? std::string("\\-") : std::string(1, c);
    EXPECT_THAT(manual, HasSubstr(in_roff));
    for (const std::string& text : texts) EXPECT_THAT(text, HasSubstr(std::string(row.name)));
  };
  for (const CrawlOptionRow& row : crawl_option_table()) expect_row(row);
  for (const LabOptionRow& row : lab_option_table()) expect_row(row);
  for (const std::string& text : texts) EXPECT_THAT(text, HasSubstr("any domain host prefix"));
}

TEST(Help, TheOptionsPageIsCurrent) {
  std::stringstream page;
  page << std::ifstream(BOWERBIRD_SOURCE_DIR "/docs/options.md").rdbuf();
  EXPECT_EQ(page.str(), options_page()) << "run: bowerbird man --options > docs/options.md";
}

TEST(DryRun, ShowsOriginsAndHidesSecrets) {
  const TemporaryFolder folder;
  const std::string config = folder / "crawl.toml";
  std::ofstream(config) << "pages = 7\ncookie = [\"a.test=id=secret\"]\n";
  const std::string out = folder / "crawl";
  std::vector<const char*> command = {"crawl",    "http://a.test/",     "--contact", "me@example.org",
                                      "--out",    out.c_str(),          "--config",  config.c_str(),
                                      "--auth",   "a.test=me:secret",   "--header",  "X-Key: secret",
                                      "--proxy",  "http://u:secret@p/", "--delay",   "2s",
                                      "--dry-run"};
  const std::string text = output_of_command(command);
  EXPECT_THAT(text, Not(HasSubstr("secret")));
  EXPECT_THAT(text, HasSubstr("  pages                 7  (" + config + ")\n"));
  EXPECT_THAT(text, HasSubstr("  delay                 2s  (command line)\n"));
  EXPECT_THAT(text, HasSubstr("  depth                 none  (default)\n"));
  EXPECT_THAT(text, HasSubstr("  auth                  a.test=...  (command line)\n"));
  command.push_back("--json");
  const std::string json = output_of_command(command);
  EXPECT_THAT(json, Not(HasSubstr("secret")));
  EXPECT_THAT(json, HasSubstr("\"delay\":\"command line\""));
}

}  // namespace
}  // namespace bowerbird
