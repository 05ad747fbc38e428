#include "fleet/fleet_setup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "crawl/config/option_words.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(FleetSetup, ComesBackFromItsFile) {
  TemporaryFolder folder;
  EXPECT_FALSE(holds_fleet(folder / ""));
  EXPECT_FALSE(FleetSetup::load(folder / "").ok());
  FleetSetup setup;
  setup.procs = 7;
  setup.fleet = "x";
  setup.words = {"--policy", "bfs", "http://a.test/ \"quoted\""};
  ASSERT_TRUE(setup.save(folder / "").ok());
  EXPECT_TRUE(holds_fleet(folder / ""));
  const auto again = FleetSetup::load(folder / "");
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->procs, 7u);
  EXPECT_EQ(again->words, setup.words);
  EXPECT_TRUE(again->exchanges());
}

TEST(FleetSetup, ADamagedFileIsRefused) {
  for (const char* const text :
       {"", "[]", "{}", R"({"procs":0,"mode":"exchange","url":"","fleet":"x","words":[]})",
        R"({"procs":70000,"mode":"exchange","url":"","fleet":"x","words":[]})",
        R"({"procs":1,"mode":"exchange","url":"","fleet":"x","words":[1]})"}) {
    TemporaryFolder folder;
    std::ofstream(folder / "fleet.json") << text;
    EXPECT_FALSE(FleetSetup::load(folder / "").ok()) << text;
  }
}

TEST(FleetUrl, IsTheOneGivenOrThatOfTheServerThatRuns) {
  TemporaryFolder folder;
  FleetSetup setup;
  const auto none = fleet_url(folder / "", setup);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().text.find("fleet resume"), std::string::npos);
  std::ofstream(folder / "server") << "nats://127.0.0.1:4711";
  EXPECT_EQ(fleet_url(folder / "", setup).value(), "nats://127.0.0.1:4711");
  setup.url = "nats://other:4222";
  EXPECT_EQ(fleet_url(folder / "", setup).value(), "nats://other:4222");
  setup.mode = Mode::kFirewall;
  EXPECT_FALSE(fleet_url(folder / "", setup).ok());
}

TEST(FleetSetup, AServerHasNoFolder) {
  const FleetSetup setup = FleetSetup::of("nats://host:4222", "mine").value();
  EXPECT_EQ(setup.url, "nats://host:4222");
  EXPECT_EQ(setup.fleet, "mine");
  EXPECT_FALSE(FleetSetup::of("/no/such/folder", "mine").ok());
}

TEST(FleetSetup, ANewOneLeavesTheOptionsOfTheLauncherOut) {
  CrawlOptions options;
  options.parallel.procs = 3;
  options.parallel.mode = Mode::kFirewall;
  const std::vector<std::string> words = {"http://a.test/", "--procs=3", "--mode=firewall", "--out=x",
                                          "--pages=9"};
  const FleetSetup setup = FleetSetup::make(options, words, 8);
  EXPECT_EQ(setup.procs, 3u);
  EXPECT_FALSE(setup.exchanges());
  EXPECT_EQ(setup.words, (std::vector<std::string>{"http://a.test/", "--pages=9"}));
  EXPECT_EQ(FleetSetup::make(options, words, 3).words.back(), "--parsers=0") << "processes share cores";
  EXPECT_EQ(FleetSetup::make(options, {"--parsers=1", "--network-threads=1"}, 3).words,
            (std::vector<std::string>{"--parsers=1", "--network-threads=1"}));
  EXPECT_EQ(FleetSetup::make({}, {}, 100).procs, 4u);
}

TEST(FleetSetup, GivenWordsReplaceThoseOfTheSameOptions) {
  FleetSetup setup;
  setup.words = {"http://a.test/", "--pages=9", "--no-traps", "--delay=1s"};
  setup.change({"--traps", "--pages=10"});
  EXPECT_EQ(setup.words, (std::vector<std::string>{"http://a.test/", "--delay=1s", "--traps", "--pages=10"}));
}

TEST(FleetSetup, ABudgetOfAllProcessesIsUsedUpTogether) {
  FleetSetup setup;
  setup.words = {"--pages=10", "--bytes=1MiB"};
  CrawlCounts counts;
  counts.pages = 9;
  EXPECT_EQ(setup.used_up(counts), "");
  counts.bytes = 1 << 20;
  EXPECT_NE(setup.used_up(counts).find("--bytes"), std::string::npos);
  counts.pages = 10;
  EXPECT_NE(setup.used_up(counts).find("--pages"), std::string::npos);
  setup.mode = Mode::kFirewall;
  EXPECT_EQ(setup.used_up(counts), "") << "each process has its own";
}

TEST(FleetSetup, SecretsArePassedInFilesThatTheirOwnerCanRead) {
  TemporaryFolder folder;
  const std::vector<std::string> given = {"http://a.test/", "--auth=a.test=me:word", "--pages=7",
                                          "--auth=@/a/file"};
  const auto words = words_without_secrets(given, folder / "secrets").value();
  EXPECT_EQ(words[0], given[0]);
  EXPECT_EQ(words[1], "--auth=@" + (folder / "secrets/1"));
  EXPECT_EQ(words[2], given[2]);
  EXPECT_EQ(words[3], given[3]);
  CrawlOptions options;
  ASSERT_TRUE(read_words({words[1]}, options).ok());
  EXPECT_EQ(options.network.auth, std::vector<std::string>{"a.test=me:word"});
  EXPECT_EQ(std::filesystem::status(folder / "secrets/1").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(FleetFolders, AreThoseThatHoldACrawl) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "p0");
  std::filesystem::create_directory(folder / "nats");
  std::ofstream(folder / "p0.log") << "x";
  EXPECT_TRUE(fleet_folders(folder / "").empty());
  EXPECT_TRUE(fleet_folders(folder / "missing").empty());
}

}  // namespace
}  // namespace bowerbird
