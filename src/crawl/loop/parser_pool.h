// Threads that read pages, between the crawl's thread and itself.
//
// Pages go in and come out in batches, so that a thread is woken once for many of them. With no threads,
// pages are read at once where they are handed in. The order in which pages come out is theirs alone to know.
// Lifetime: the settings outlive the pool; `wake` is called from its threads when results are there and none
// were. Threads: add(), flush() and take() from one.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "crawl/judge/page_parser.h"

namespace bowerbird {

class ParserPool {
 public:
  ParserPool(unsigned threads, const ParserSettings& settings, std::function<void()> wake);
  ~ParserPool();
  ParserPool(const ParserPool&) = delete;
  ParserPool& operator=(const ParserPool&) = delete;

  void add(FetchedPage page);
  // Hands over what was added.
  void flush();
  // Adds what has been read to `done`.
  void take(std::vector<ParsedPage>& done);

 private:
  void work();

  const ParserSettings& settings_;
  std::function<void()> wake_;
  std::vector<FetchedPage> added_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<FetchedPage> waiting_;
  std::vector<ParsedPage> done_;
  bool finished_ = false;
  std::vector<std::thread> threads_;
  PageParser own_;  // where there are no threads
};

}  // namespace bowerbird
