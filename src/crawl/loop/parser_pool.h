// Threads that parse pages for the crawl's thread.
//
// Pages are passed in batches, so that one wake-up of a thread covers many of them. Batches of large
// pages are small. While results of more than `most_bytes` have not been taken, the threads wait: a
// parsed page may be many times larger than its body. Without threads, add() parses at once. Pages may
// come out in a different order than they went in.
// Ownership: the settings outlive the pool. `wake` is called by its threads when the first result is
// ready. Threads: add(), flush() and take() from one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "crawl/judge/page_parser.h"

namespace bowerbird {

class ParserPool {
 public:
  ParserPool(unsigned threads, const ParserSettings& settings, std::function<void()> wake,
             std::uint64_t most_bytes = ~std::uint64_t{0});
  ~ParserPool();
  ParserPool(const ParserPool&) = delete;
  ParserPool& operator=(const ParserPool&) = delete;

  void add(FetchedPage page);
  // Passes the added pages to the threads.
  void flush();
  // Appends all results to `done`.
  void take(std::vector<ParsedPage>& done);

 private:
  void work();
  void take_batch(std::vector<FetchedPage>& pages);

  const ParserSettings& settings_;
  std::function<void()> wake_;
  std::vector<FetchedPage> added_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<FetchedPage> waiting_;
  std::vector<ParsedPage> done_;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t most_bytes_;
  bool finished_ = false;
  std::vector<std::thread> threads_;
  PageParser own_;  // used if there are no threads
};

}  // namespace bowerbird
