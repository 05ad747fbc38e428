#include "crawl/loop/parser_pool.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

namespace bowerbird {
namespace {

FetchedPage html_page(PageId page, std::size_t size) {
  FetchedPage fetched;
  fetched.page = page;
  fetched.url = "http://a.test/";
  fetched.fetch.end = FetchEnd::kAnswered;
  fetched.fetch.status = 200;
  fetched.fetch.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  fetched.fetch.body.assign(size, ' ');
  return fetched;
}

// Counts the calls of `wake`.
class WakeCounter {
 public:
  void wake() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_ = 0;
};

TEST(ParserPool, ParsesAtOnceWithoutThreads) {
  const ParserSettings settings;
  ParserPool pool(0, settings, [] {});
  pool.add(html_page(7, 10));
  std::vector<ParsedPage> done;
  pool.take(done);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done.front().page.page, 7u);
}

TEST(ParserPool, WaitsWhileResultsPileUp) {
  const ParserSettings settings;
  WakeCounter counter;
  ParserPool pool(
      1, settings, [&] { counter.wake(); }, 1);
  for (PageId page = 0; page < 8; ++page) pool.add(html_page(page, 300 << 10));
  pool.flush();
  for (PageId page = 0; page < 8; ++page) {
    counter.wait_for(page + 1);
    std::vector<ParsedPage> done;
    pool.take(done);
    ASSERT_EQ(done.size(), 1u) << "the thread waits for the page before to be taken";
    EXPECT_EQ(done.front().page.page, page);
  }
}

}  // namespace
}  // namespace bowerbird
