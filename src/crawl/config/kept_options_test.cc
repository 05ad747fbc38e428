#include "crawl/config/kept_options.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "crawl/config/policy_choice.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(KeptOptions, AreReadAsTheyWereWrittenAndMayHoldSecrets) {
  TemporaryFolder folder;
  CrawlOptions options, again;
  EXPECT_TRUE(recall_options(folder.path(), again).value().empty()) << "there is no file";
  options.out = folder.path();
  options.order.policy = "bfs";
  options.network.auth = {"a.example=me:secret"};
  ASSERT_TRUE(remember_options(options).ok());
  EXPECT_EQ(std::filesystem::status(folder / "options.toml").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_TRUE(recall_options(folder.path(), again).ok());
  EXPECT_EQ(again.order.policy, "bfs");
  EXPECT_EQ(again.network.auth, options.network.auth);
}

TEST(KeptOptions, ADamagedFileIsNamed) {
  TemporaryFolder folder;
  std::ofstream(folder / "options.toml") << "pages = \"many\"\n";
  CrawlOptions options;
  const auto read = recall_options(folder.path(), options);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().text.find("options.toml"), std::string::npos);
  EXPECT_NE(read.error().text.find("Fix or delete the file"), std::string::npos);
}

TEST(KeptOptions, WhatFollowsFromOthersMayChangeWithThem) {
  CrawlOptions then;
  then.out = "folder";
  then.order.policy = "fpr";
  then.budget.pages = 100;
  const std::string about = fixed_options(then);
  CrawlOptions now = then;
  now.budget.pages = 200;
  EXPECT_TRUE(check_unchanged(now, about).ok()) << "the expected pages go by the budget";
  now.order.policy = kAutoPolicy;
  EXPECT_TRUE(check_unchanged(now, about).ok()) << "nobody asked for another";
  now.budget.stop_at_importance = 0.5;
  const Status changed = check_unchanged(now, about);
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().text.find("--stop-at-importance needs --bound"), std::string::npos);
}

TEST(KeptOptions, AnInvalidRecordIsCorrupt) {
  CrawlOptions options;
  EXPECT_FALSE(check_unchanged(options, "[]").ok());
  EXPECT_FALSE(adopt_fixed("nonsense", options).ok());
  EXPECT_FALSE(adopt_fixed(R"({"partitions": "many"})", options).ok());
}

}  // namespace
}  // namespace bowerbird
