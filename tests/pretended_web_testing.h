// A pretended Web and a clock that stands still while there is work, so that a crawl of it takes no time and
// is the same every time.
//
// Every host exists and has no robots.txt, unless DNS is silent. A page answers at once, in the order of the
// requests, unless it hangs; a hanging one answers when it is cancelled, or never. poll() moves the clock on
// when nothing has ended, by as much as it was asked to wait. Use with parsers = 0. Threads: one.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fetch/fetcher.h"
#include "sys/clock.h"

namespace bowerbird {

class PretendedWeb final : public Fetcher {
 public:
  struct Page {
    std::string body;
    bool hangs = false;
  };
  // What was asked of it, for tests to look at after the crawl.
  struct Record {
    std::vector<std::string> pages;  // requests for pages, in order
    std::size_t cancelled = 0;
  };

  PretendedWeb(ManualClock& clock, std::function<Page(const std::string& url)> page, Record& record)
      : clock_(clock), page_(std::move(page)), record_(record) {}

  // From here on no name is resolved, nor is it said that there is none.
  void silence_dns() { dns_is_silent_ = true; }

  void start(FetchRequest request) override {
    FetchOutcome outcome;
    outcome.id = request.id;
    outcome.started_us = outcome.first_byte_us = outcome.ended_us = clock_.now_us();
    if (request.resolve_only && dns_is_silent_) {
      ++hanging_;
      return;
    }
    if (request.resolve_only) {
      outcome.end = FetchEnd::kResolved;
      outcome.address = NetAddress::parse("127.0.0.1");
    } else if (request.url.ends_with("/robots.txt")) {
      outcome.end = FetchEnd::kAnswered;
      outcome.status = 404;
      outcome.head = "HTTP/1.1 404 Not Found\r\n\r\n";
    } else {
      record_.pages.push_back(request.url);
      Page page = page_(request.url);
      if (page.hangs) {
        ++hanging_;
        return;
      }
      outcome.end = FetchEnd::kAnswered;
      outcome.status = 200;
      outcome.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
      outcome.body = std::move(page.body);
    }
    ended_.push_back(std::move(outcome));
  }
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override {
    if (ended_.empty()) clock_.advance(std::int64_t{1000} * std::max(wait_ms, 1));
    std::move(ended_.begin(), ended_.end(), std::back_inserter(done));
    ended_.clear();
  }
  std::size_t active() const override { return ended_.size() + hanging_; }
  void cancel_all() override {
    record_.cancelled += active();
    ended_.clear();
    hanging_ = 0;
  }
  void wake() override {}
  std::string request_text(const FetchRequest& request) const override {
    return "GET " + request.url + " HTTP/1.1\r\n\r\n";
  }

 private:
  ManualClock& clock_;
  std::function<Page(const std::string&)> page_;
  Record& record_;
  std::vector<FetchOutcome> ended_;
  std::size_t hanging_ = 0;
  bool dns_is_silent_ = false;
};

}  // namespace bowerbird
