#include "crawl/config/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/option_row_testing.h"
#include "crawl/config/kept_options.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

std::string other_text(const CrawlOptionRow& row) {
  return other_value(row, {{"contact", "me@example.org"},
                           {"policy", "bfs"},
                           {"strategy", "sydney@4"},
                           {"types", "html,pdf"},
                           {"refresh", "uniform"},
                           {"refresh-rate", "5/day"},
                           {"refresh-rate-per-host", "5/day"}});
}

TEST(OptionTable, HasEachNameOnceWithHelpAndGroup) {
  std::set<std::string_view> names;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.group.empty()) << row.name;
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_FALSE(row.help.ends_with('.')) << row.name;
  }
}

TEST(OptionTable, EveryDefaultIsAValueThatCanBeGiven) {
  for (const CrawlOptionRow& row : crawl_option_table()) {
    CrawlOptions options;
    const Status set = row.set(options, row.texts(CrawlOptions()));
    EXPECT_TRUE(set.ok()) << row.name << ": " << set.error().text;
    EXPECT_EQ(row.texts(options), row.texts(CrawlOptions())) << row.name;
  }
}

TEST(OptionTable, EveryRowIsWrittenToTomlAndReadAgain) {
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.name == "archive") continue;  // a name for several options
    CrawlOptions options;
    ASSERT_TRUE(row.set(options, other_text(row)).ok()) << row.name << " " << other_text(row);
    ASSERT_NE(row.texts(options), row.texts(CrawlOptions())) << row.name;
    const std::string toml = write_crawl_options(options);
    CrawlOptions again;
    const auto keys = read_crawl_options(toml, "options.toml", again);
    ASSERT_TRUE(keys.ok()) << keys.error().text << "\n" << toml;
    if (row.is(kStartOnly)) {
      EXPECT_TRUE(keys->empty()) << row.name;
      continue;
    }
    EXPECT_EQ(row.texts(again), row.texts(options)) << row.name;
    EXPECT_EQ(*keys, std::vector<std::string>{std::string(row.name)});
  }
}

TEST(OptionTable, ArchiveSetsSeveralOptions) {
  const CrawlOptionRow* const row = find_row(crawl_option_table(), "archive");
  ASSERT_NE(row, nullptr);
  CrawlOptions options;
  options.storage.errors = options.storage.robots = false;
  options.storage.warc = Compression::kZstd;
  ASSERT_TRUE(row->set(options, "true").ok());
  EXPECT_TRUE(options.selection.requisites && options.storage.errors && options.storage.robots);
  EXPECT_EQ(options.storage.warc, Compression::kGzip);
}

TEST(OptionTable, AChangedFixedOptionIsRefusedAtAResume) {
  for (const CrawlOptionRow& row : crawl_option_table()) {
    CrawlOptions changed;
    changed.out = "folder";
    const std::string kept = fixed_options(changed);
    EXPECT_TRUE(check_unchanged(changed, kept).ok());
    ASSERT_TRUE(row.set(changed, other_text(row)).ok()) << row.name;
    const Status status = check_unchanged(changed, kept);
    const bool implies_fixed = row.name == "stop-at-importance";  // it turns on --bound
    EXPECT_EQ(status.ok(), !row.is(kFixed) && !implies_fixed) << row.name;
    if (!row.is(kFixed)) continue;
    EXPECT_THAT(status.error().text, HasSubstr(fmt::format("--{} cannot change from '", row.name)));
    EXPECT_THAT(status.error().text, HasSubstr("start a new crawl in another folder"));
    CrawlOptions resumed;
    ASSERT_TRUE(adopt_fixed(fixed_options(changed), resumed).ok());
    EXPECT_EQ(row.texts(resumed), row.texts(changed)) << row.name;
  }
}

TEST(OptionTable, SecretsAreNotShown) {
  CrawlOptions options;
  const std::map<std::string, std::vector<std::string>> given = {
      {"auth", {"a.example=me:secret"}},
      {"cookie", {"http://a.example=id=secret"}},
      {"header",
       {"a.example=X-Key: secret", "X-Key:secret=1", "X-Key: secret", "X-Key: https://secret.example/",
        "a.example=X-Key: https://secret.example/?a=b@c", "X-Key://secret@example"}},
      {"proxy", {"http://me:secret@proxy.example:3128"}},
      {"fleet", {"nats://me:secret@nats.example:4222"}}};
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const auto found = given.find(std::string(row.name));
    EXPECT_EQ(found != given.end(), row.is(kSecret)) << row.name;
    if (found == given.end()) continue;
    ASSERT_TRUE(row.set(options, found->second).ok());
    for (const std::string& text : row.shown(options)) EXPECT_EQ(text.find("secret"), text.npos) << text;
  }
  EXPECT_EQ(without_secret("nats://me:secret@nats.example:4222"), "nats://...@nats.example:4222");
  EXPECT_EQ(without_secret("nats://nats.example:4222"), "nats://nats.example:4222");
  EXPECT_EQ(without_secret("a.example=me:secret"), "a.example=...");
}

}  // namespace
}  // namespace bowerbird
