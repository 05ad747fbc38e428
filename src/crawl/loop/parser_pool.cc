#include "crawl/loop/parser_pool.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kBatchBytes = 256 << 10;  // of bodies

}  // namespace

ParserPool::ParserPool(unsigned threads, const ParserSettings& settings, std::function<void()> wake,
                       std::uint64_t most_bytes)
    : settings_(settings), wake_(std::move(wake)), most_bytes_(most_bytes), own_(settings) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ParserPool::~ParserPool() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ParserPool::add(FetchedPage page) {
  if (threads_.empty()) {
    done_.push_back(own_.parse(std::move(page)));
  } else {
    added_.push_back(std::move(page));
  }
}

void ParserPool::flush() {
  if (added_.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    for (FetchedPage& page : added_) waiting_.push_back(std::move(page));
  }
  if (added_.size() > kBatch) {
    changed_.notify_all();
  } else {
    changed_.notify_one();
  }
  added_.clear();
}

void ParserPool::take(std::vector<ParsedPage>& done) {
  const std::lock_guard lock(mutex_);
  for (ParsedPage& page : done_) done.push_back(std::move(page));
  done_.clear();
  if (done_bytes_ >= most_bytes_) changed_.notify_all();
  done_bytes_ = 0;
}

void ParserPool::take_batch(std::vector<FetchedPage>& pages) {
  std::size_t bytes = 0;
  while (!waiting_.empty() && pages.size() < kBatch && bytes < kBatchBytes) {
    bytes += waiting_.front().fetch.body.size();
    pages.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
}

void ParserPool::work() {
  PageParser parser(settings_);
  std::vector<FetchedPage> pages;
  std::vector<ParsedPage> results;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return finished_ || (!waiting_.empty() && done_bytes_ < most_bytes_); });
    if (finished_) return;
    take_batch(pages);
    lock.unlock();
    for (FetchedPage& page : pages) results.push_back(parser.parse(std::move(page)));
    pages.clear();
    lock.lock();
    const bool first = done_.empty();
    for (ParsedPage& result : results) {
      done_bytes_ += result.bytes();
      done_.push_back(std::move(result));
    }
    results.clear();
    if (first) {
      lock.unlock();
      wake_();
      lock.lock();
    }
  }
}

}  // namespace bowerbird
