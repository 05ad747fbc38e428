#include "urlfrontier/crawl_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sys/temporary_folder_testing.h"
#include "urlfrontier/put_urls.h"

namespace bowerbird {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ServedCrawls : public testing::Test {
 protected:
  void open() {
    crawls_.reset();
    auto opened = CrawlFolders::open(options_, Time{});
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    crawls_ = std::move(*opened);
  }
  std::string failure_to_open() {
    crawls_.reset();
    const auto opened = CrawlFolders::open(options_, Time{});
    return opened.ok() ? "" : opened.error().text;
  }
  std::vector<PutAnswer> put(const std::vector<UrlPut>& puts) {
    return apply_puts(*crawls_, puts, Time(1s), failure_);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& crawl : crawls_->all()) list.push_back(crawl->name);
    return list;
  }
  UrlFrontierStats stats_of(std::string_view name) {
    const auto crawl = crawls_->find(name);
    if (crawl == nullptr) return {};
    const MutexLock lock(crawl->mutex);
    return crawl->frontier->stats();
  }
  std::string in(const std::string& name) const { return options_.folder + "/" + name; }

  TemporaryFolder folder_;
  CrawlFoldersOptions options_{.folder = folder_ / "data", .policy = "backlink"};
  std::unique_ptr<CrawlFolders> crawls_;
  std::string failure_;
};

TEST_F(ServedCrawls, AreReopenedUnderAnyName) {
  open();
  const std::vector<std::string> ids = {"", "../../etc", "DEFAULT", "a b/c\n", "\xc3\xa9", "%41"};
  for (const std::string& id : ids) {
    EXPECT_THAT(put({{.crawl = id, .url = "http://a/"}}), ElementsAre(PutAnswer::kDone)) << id;
  }
  open();  // without close(), as after a kill
  EXPECT_THAT(names(), testing::UnorderedElementsAreArray(ids));
  for (const std::string& id : ids) EXPECT_EQ(stats_of(id).urls, 1u) << id;
  EXPECT_TRUE(std::filesystem::exists(in("crawl-%2E%2E%2F%2E%2E%2Fetc")));
}

TEST_F(ServedCrawls, KeepTheSettingsOfTheService) {
  open();
  put({{.crawl = "old", .url = "http://a/"}});
  ASSERT_TRUE(crawls_->set_active(false, Time{}).ok());
  ASSERT_TRUE(crawls_->set_delay(7ms, Time{}).ok());
  put({{.crawl = "new", .url = "http://a/"}});
  open();
  EXPECT_FALSE(crawls_->active());
  for (const char* name : {"old", "new"}) {
    const auto crawl = crawls_->find(name);
    ASSERT_NE(crawl, nullptr);
    const MutexLock lock(crawl->mutex);
    EXPECT_FALSE(crawl->frontier->active()) << name;
    EXPECT_EQ(crawl->frontier->default_delay(), 7ms) << name;
  }
}

// A kill between the two steps of a change: the settings are written, but one crawl has the old ones.
TEST_F(ServedCrawls, GetTheSettingsWhenTheFolderIsOpened) {
  open();
  put({{.crawl = "c", .url = "http://a/"}});
  crawls_.reset();
  std::ofstream(in("settings.json")) << R"({"active":false,"delay_ms":9})";
  open();
  const auto crawl = crawls_->find("c");
  const MutexLock lock(crawl->mutex);
  EXPECT_FALSE(crawl->frontier->active());
  EXPECT_EQ(crawl->frontier->default_delay(), 9ms);
}

TEST_F(ServedCrawls, AreRemovedEvenIfAKillInterruptsIt) {
  open();
  put({{.crawl = "c", .url = "http://a/"}, {.crawl = "c", .url = "http://b/"}});
  const auto held = crawls_->find("c");
  EXPECT_EQ(crawls_->remove("c").value(), 2u);
  EXPECT_EQ(crawls_->remove("c").value(), 0u);
  {
    const MutexLock lock(held->mutex);
    EXPECT_EQ(held->frontier, nullptr) << "a call that was under way sees that it is gone";
  }
  put({{.crawl = "d", .url = "http://a/"}});
  crawls_.reset();
  std::filesystem::rename(in("crawl-d"), in("deleted-0"));
  open();
  EXPECT_THAT(names(), ElementsAre());
  EXPECT_FALSE(std::filesystem::exists(in("deleted-0")));
}

TEST_F(ServedCrawls, KeepTheirOrderingWhenTheOptionChanges) {
  open();
  put({{.crawl = "c", .url = "http://a/"}});
  options_.policy = "bfs";
  open();
  const auto crawl = crawls_->find("c");
  const MutexLock lock(crawl->mutex);
  EXPECT_EQ(crawl->frontier->policy(), "backlink");
}

TEST_F(ServedCrawls, AreLimitedInNumberAndName) {
  options_.most_crawls = 2;
  open();
  EXPECT_THAT(put({{.crawl = "1", .url = "http://a/"},
                   {.crawl = "2", .url = "http://a/"},
                   {.crawl = "3", .url = "http://a/"},
                   {.crawl = "1", .url = "http://b/"}}),
              ElementsAre(PutAnswer::kDone, PutAnswer::kDone, PutAnswer::kFailed, PutAnswer::kDone));
  EXPECT_THAT(failure_, HasSubstr("--max-crawls"));
  EXPECT_THAT(put({{.crawl = std::string(300, 'x'), .url = "http://a/"}}), ElementsAre(PutAnswer::kRefused));
  EXPECT_THAT(crawls_->find_or_make(std::string(300, 'x'), Time{}).error().text, HasSubstr("too long"));
}

TEST_F(ServedCrawls, RefuseFoldersThatAreInUseOrDamaged) {
  open();
  EXPECT_FALSE(CrawlFolders::open(options_, Time{}).ok()) << "two services on one folder";
  crawls_.reset();
  for (const char* text : {"", "[]", "{\"active\":1,\"delay_ms\":2}", "{\"active\":true,\"delay_ms\":-2}"}) {
    std::ofstream(in("settings.json")) << text;
    EXPECT_THAT(failure_to_open(), HasSubstr("settings.json")) << text;
  }
  std::filesystem::remove(in("settings.json"));
  std::filesystem::create_directories(in("crawl-%4"));
  EXPECT_THAT(failure_to_open(), HasSubstr("not the folder of a crawl"));
}

}  // namespace
}  // namespace bowerbird
