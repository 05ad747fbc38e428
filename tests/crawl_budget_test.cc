// Budgets are met exactly, even if requests hang and many are in flight.
#include <gtest/gtest.h>

#include "crawl/loop/crawler.h"
#include "crawl_options_testing.h"
#include "pretended_web_testing.h"
#include "scripted_web.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr unsigned kPages = 1000;

std::string url_of(unsigned page) {
  return fmt::format("http://host-{}.test/{}", page % 50, page);
}

unsigned page_of(const std::string& url) {
  return static_cast<unsigned>(std::stoul(url.substr(url.rfind('/') + 1)));
}

// A tree of kPages pages, each with three links, on 50 hosts.
std::string body_of(unsigned page, std::size_t size = 0) {
  std::string body = "<title>a page</title>";
  for (unsigned link = 3 * page + 1; link <= 3 * page + 3 && link < kPages; ++link)
    body += fmt::format("<a href=\"{}\">x</a>", url_of(link));
  if (body.size() < size) body += "<!--" + std::string(size - body.size() - 7, '-') + "-->";
  return body;
}

class CrawlBudget : public testing::Test {
 protected:
  CrawlBudget() {
    options = quick_crawl_options(folder / "crawl");
    options.start.seeds = {url_of(0)};
    options.selection.traps = false;
    options.politeness.connections = 64;
    options.politeness.connections_per_host = 4;
  }
  CrawlEnd crawl() {
    record = {};
    auto crawler =
        std::move(
            Crawler::open(options,
                          std::make_unique<PretendedWeb>(
                              clock, [this](const std::string& url) { return page(page_of(url)); }, record),
                          nullptr, &clock))
            .value();
    const CrawlEnd end = crawler->run().value();
    last = crawler->status();
    EXPECT_TRUE(crawler->close().ok());
    return end;
  }
  double seconds() const { return static_cast<double>(clock.now_us()) / 1e6; }

  TemporaryFolder folder;
  ManualClock clock;
  CrawlOptions options;
  std::function<PretendedWeb::Page(unsigned)> page = [](unsigned number) {
    return PretendedWeb::Page{body_of(number)};
  };
  PretendedWeb::Record record;
  CrawlStatus last;
};

TEST_F(CrawlBudget, OfPagesIsMetWhileRequestsHang) {
  const auto hangs = [](unsigned number) { return number >= 30 && number < 60; };
  page = [&](unsigned number) { return PretendedWeb::Page{body_of(number), hangs(number)}; };
  options.budget.pages = 100;
  options.politeness.connections = 128;  // hanging hosts hold no more than their share
  EXPECT_EQ(crawl(), CrawlEnd::kPages);
  EXPECT_EQ(last.counts.pages, 100u);
  EXPECT_EQ(last.counts.completed, 100u);
  EXPECT_EQ(record.cancelled, 30u) << "none of the others was asked for in vain";
  EXPECT_LT(seconds(), options.fetch.timeout.count() / 10);
}

TEST_F(CrawlBudget, CancelledPagesAreQueuedAgain) {
  page = [](unsigned number) { return PretendedWeb::Page{body_of(number), number >= 20 && number < 40}; };
  options.budget.pages = 50;
  crawl();
  page = [](unsigned number) { return PretendedWeb::Page{body_of(number)}; };
  options.budget.pages = 0;
  EXPECT_EQ(crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(last.counts.pages, kPages);
  EXPECT_EQ(record.pages.size(), kPages - 50);
}

// A cancelled page does not count for its host.
TEST_F(CrawlBudget, OfAHostIsMetAfterCancelledRequests) {
  page = [](unsigned number) { return PretendedWeb::Page{body_of(number), number >= 10 && number < 40}; };
  options.budget.pages = 10;
  options.budget.pages_per_host = 3;
  crawl();
  page = [](unsigned number) { return PretendedWeb::Page{body_of(number)}; };
  options.budget.pages = 0;
  crawl();
  EXPECT_EQ(last.counts.pages, 150u);
}

TEST_F(CrawlBudget, OfBytesIsExceededByOneBodyAtMost) {
  constexpr std::size_t kBody = 30'000;
  page = [](unsigned number) { return PretendedWeb::Page{body_of(number, kBody)}; };
  options.budget.bytes = 1'000'000;
  EXPECT_EQ(crawl(), CrawlEnd::kBytes);
  EXPECT_GE(last.counts.bytes, options.budget.bytes);
  EXPECT_LT(last.counts.bytes, options.budget.bytes + kBody);
  EXPECT_EQ(last.counts.pages, 34u);
}

// The same crawl with one page less has a lower coverage.
TEST_F(CrawlBudget, OfImportanceIsMetToThePage) {
  options.budget.stop_at_importance = 0.5;
  EXPECT_EQ(crawl(), CrawlEnd::kImportance);
  EXPECT_GE(last.guaranteed, 0.5);
  const std::uint64_t pages = last.counts.pages;
  options.out = folder / "less";
  options.order.expected_pages = 0;
  options.budget.pages = pages - 1;
  EXPECT_EQ(crawl(), CrawlEnd::kPages);
  EXPECT_LT(last.guaranteed, 0.5);
}

TEST(CrawlBudgets, OfAHostIsMetWhenAPageFailsAtFirst) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.test/"};
  crawl.options.budget.pages_per_host = 2;
  crawl.web.add_page("http://a.test/", "<a href=1>x</a><a href=2>x</a><a href=3>x</a>");
  crawl.web.add("http://a.test/1", {500, "", ""});
  for (const char* url : {"http://a.test/1", "http://a.test/2", "http://a.test/3"})
    crawl.web.add_page(url, "");
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 2u);
}

}  // namespace
}  // namespace bowerbird
