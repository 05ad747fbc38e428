#include "urlfrontier/put_urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

class PutUrls : public testing::Test {
 protected:
  void SetUp() override {
    auto opened =
        CrawlFolders::open({.folder = folder_ / "data", .policy = "backlink", .delay = 0ms}, Time{});
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    crawls_ = std::move(*opened);
  }
  std::vector<PutAnswer> put(const std::vector<UrlPut>& puts) {
    auto answers = apply_puts(*crawls_, puts, Time(1s), failure_);
    EXPECT_EQ(failure_, "");
    return answers;
  }
  std::optional<UrlStatus> status(std::string_view url) {
    const auto crawl = crawls_->find("c");
    const MutexLock lock(crawl->mutex);
    return crawl->frontier->status(url).value();
  }

  TemporaryFolder folder_;
  std::unique_ptr<CrawlFolders> crawls_;
  std::string failure_;
};

TEST_F(PutUrls, AnswersEachPutInOrder) {
  EXPECT_THAT(put({{.crawl = "c", .url = "http://a/"},
                   {.crawl = "c", .url = "no URL"},
                   {.crawl = "c", .url = "http://a/"},
                   {.crawl = "other", .url = "http://a/"},
                   {.crawl = "c", .url = "http://b/", .fetched = true},
                   {.crawl = "c", .url = "http://b/"},
                   {.crawl = "c", .url = ""}}),
              ElementsAre(PutAnswer::kDone, PutAnswer::kRefused, PutAnswer::kKnown, PutAnswer::kDone,
                          PutAnswer::kDone, PutAnswer::kKnown, PutAnswer::kRefused));
}

TEST_F(PutUrls, AKnownUrlStillCountsAsALink) {
  put({{.crawl = "c", .url = "http://a/"},
       {.crawl = "c", .url = "http://x/"},
       {.crawl = "c", .url = "http://y/"}});
  EXPECT_THAT(put({{.crawl = "c", .url = "http://y/", .parent = "http://a/"},
                   {.crawl = "c", .url = "http://a/", .fetched = true}}),
              ElementsAre(PutAnswer::kKnown, PutAnswer::kDone));
  EXPECT_GT(status("http://y/")->score, status("http://x/")->score);
}

// Links that arrive before their parent is put as fetched, and links that arrive later.
TEST_F(PutUrls, LinksAreAppliedWithTheirParentAndLaterOnesAdded) {
  put({{.crawl = "c", .url = "http://a/"}});
  put({{.crawl = "c", .url = "http://early/", .parent = "http://a/"}});
  EXPECT_EQ(status("http://early/")->state, UrlState::kCollected);
  put({{.crawl = "c", .url = "http://a/", .fetched = true}});
  EXPECT_EQ(status("http://early/")->state, UrlState::kQueued);
  put({{.crawl = "c", .url = "http://late/", .parent = "http://a/"}});
  EXPECT_EQ(status("http://late/")->state, UrlState::kQueued);
}

TEST_F(PutUrls, KeepsKeyPayloadAndDate) {
  put({{.crawl = "c", .url = "http://a:8080/x", .payload = "one"},
       {.crawl = "c", .url = "http://b/x", .key = "mine", .payload = "two"},
       {.crawl = "c", .url = "http://d/x", .payload = "three", .fetched = true, .due = Time(5s)}});
  EXPECT_EQ(status("http://a:8080/x")->queue, "a");
  EXPECT_EQ(status("http://a:8080/x")->payload, "one");
  EXPECT_EQ(status("http://b/x")->queue, "mine");
  EXPECT_EQ(status("http://d/x")->due, Time(5s));
  EXPECT_EQ(status("http://d/x")->payload, "three");
}

TEST_F(PutUrls, UrlsThatAreTooLongAreRefused) {
  const std::string url = "http://a/" + std::string(9000, 'x'), key(300, 'k');
  const std::string payload(kLargestPayload + 1, 'p'), crawl(300, 'c');
  EXPECT_THAT(put({{.crawl = "c", .url = url},
                   {.crawl = "c", .url = "http://a/", .key = key},
                   {.crawl = "c", .url = "http://a/", .payload = payload},
                   {.crawl = crawl, .url = "http://a/"},
                   {.crawl = crawl, .url = "http://a/", .fetched = true}}),
              Each(PutAnswer::kRefused));
}

TEST_F(PutUrls, AFetchedUrlKeepsItsPayloadIfTheNewOneIsTooLarge) {
  put({{.crawl = "c", .url = "http://a/", .payload = "old"}});
  EXPECT_THAT(put({{.crawl = "c",
                    .url = "http://a/",
                    .payload = std::string(kLargestPayload + 1, 'p'),
                    .fetched = true}}),
              ElementsAre(PutAnswer::kDone));
  EXPECT_EQ(status("http://a/")->state, UrlState::kCompleted);
  EXPECT_EQ(status("http://a/")->payload, "old");
}

TEST_F(PutUrls, ManyLargePayloadsAreSeveralCalls) {
  std::vector<std::string> urls;
  for (int i = 0; i < 30; ++i) urls.push_back(fmt::format("http://a/{}", i));
  std::vector<UrlPut> puts;
  for (const std::string& url : urls)
    puts.push_back({.crawl = "c", .url = url, .payload = std::string(kLargestPayload, 'p')});
  EXPECT_THAT(put(puts), Each(PutAnswer::kDone));
}

TEST_F(PutUrls, ManyLinksOfOneParentAreSeveralCalls) {
  std::vector<std::string> urls;
  for (int i = 0; i < 2500; ++i) urls.push_back(fmt::format("http://a/{}", i));
  std::vector<UrlPut> puts;
  for (const std::string& url : urls) puts.push_back({.crawl = "c", .url = url, .parent = "http://p/"});
  EXPECT_THAT(put(puts), Each(PutAnswer::kDone));
  EXPECT_THAT(put(puts), Each(PutAnswer::kKnown));
}

TEST_F(PutUrls, TheKeyIsTheHostName) {
  EXPECT_EQ(default_key("HTTP://User@WWW.Example.COM:81/x"), "www.example.com");
  EXPECT_EQ(default_key("http://[::1]/"), "[::1]");
  EXPECT_EQ(default_key("mailto:x@y"), "");
}

}  // namespace
}  // namespace bowerbird
