#include "crawl/loop/parser_pool.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr std::size_t kBatch = 16;

}  // namespace

ParserPool::ParserPool(unsigned threads, const ParserSettings& settings, std::function<void()> wake)
    : settings_(settings), wake_(std::move(wake)), own_(settings) {
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
}

void ParserPool::work() {
  PageParser parser(settings_);
  std::vector<FetchedPage> pages;
  std::vector<ParsedPage> results;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return finished_ || !waiting_.empty(); });
    if (finished_) return;
    const std::size_t count = std::min(kBatch, waiting_.size());
    std::move(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count),
              std::back_inserter(pages));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    lock.unlock();
    for (FetchedPage& page : pages) results.push_back(parser.parse(std::move(page)));
    pages.clear();
    lock.lock();
    const bool first = done_.empty();
    for (ParsedPage& result : results) done_.push_back(std::move(result));
    results.clear();
    if (first) {
      lock.unlock();
      wake_();
      lock.lock();
    }
  }
}

}  // namespace bowerbird
