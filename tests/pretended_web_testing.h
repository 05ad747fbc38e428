// A simulated Web with a clock that stands still while there is work, so that crawls of it take no time
// and are deterministic.
//
// Every host exists, at 127.0.0.1, and has no robots.txt, unless `names` and `robots` say otherwise.
// Requests are answered in order, after `latency_us`, unless they hang: then they end when they are
// cancelled, or never. If nothing has ended, poll() advances the clock, at most by its waiting time. Use
// it with parsers = 0. Threads: one.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fetch/fetcher.h"
#include "sys/clock.h"
#include "url/url.h"

namespace bowerbird {

class PretendedWeb final : public Fetcher {
 public:
  struct Page {
    std::string body;
    bool hangs = false;
  };
  struct Name {
    std::vector<NetAddress> addresses = {NetAddress::ipv4(0x7f000001)};
    bool hangs = false;
  };
  struct Robots {
    std::string text = {};      // empty: there is none
    std::string location = {};  // not empty: redirects there
    bool hangs = false;
  };
  struct Request {
    std::string url;
    std::int64_t us = 0;
    std::vector<NetAddress> addresses;
  };
  // The requests, for checks after the crawl.
  struct Record {
    std::vector<std::string> pages;  // requests for pages, in order
    std::vector<Request> requests;   // for pages and robots.txt
    std::size_t cancelled = 0;
    std::size_t most_hanging = 0;
  };

  PretendedWeb(ManualClock& clock, std::function<Page(const std::string& url)> page, Record& record)
      : clock_(clock), page_(std::move(page)), record_(record) {}

  std::function<Name(const std::string& host)> names;
  std::function<Robots(const std::string& host)> robots;
  std::int64_t latency_us = 0;
  // From now on no name is resolved, and no DNS answer arrives.
  void silence_dns() {
    names = [](const std::string&) { return Name{{}, true}; };
  }

  void start(FetchRequest request) override {
    FetchOutcome outcome;
    outcome.id = request.id;
    outcome.started_us = clock_.now_us();
    Url url;
    if (parse_url(request.url, nullptr, url) != UrlFault::kNone) std::abort();
    const std::string host(url.host());
    if (request.resolve_only) {
      take_lookup(host, std::move(outcome));
      return;
    }
    record_.requests.push_back({request.url, clock_.now_us(), request.addresses});
    outcome.end = FetchEnd::kAnswered;
    outcome.address = request.addresses.empty() ? NetAddress::ipv4(0x7f000001) : request.addresses.front();
    if (url.target() == "/robots.txt") {
      take_robots(host, std::move(outcome));
    } else {
      take_page(request.url, std::move(outcome));
    }
  }
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override {
    const std::int64_t wait = std::int64_t{1000} * std::max(wait_ms, 1);
    const std::int64_t now = clock_.now_us();
    if (ended_.empty() || ended_.begin()->first > now) {
      clock_.advance(ended_.empty() ? wait : std::min(wait, ended_.begin()->first - now));
    }
    while (!ended_.empty() && ended_.begin()->first <= clock_.now_us()) {
      done.push_back(std::move(ended_.begin()->second));
      ended_.erase(ended_.begin());
    }
  }
  std::size_t active() const override { return ended_.size() + hanging_.size(); }
  void cancel(std::uint64_t id) override {
    const auto found = hanging_.find(id);
    if (found == hanging_.end()) return;
    FetchOutcome outcome;
    outcome.id = id;
    outcome.end = found->second;
    outcome.started_us = clock_.now_us();
    hanging_.erase(found);
    ++record_.cancelled;
    end(std::move(outcome), 0);
  }
  void cancel_all() override {
    record_.cancelled += active();
    ended_.clear();
    hanging_.clear();
  }
  void wake() override {}
  std::string request_text(const FetchRequest& request) const override {
    return "GET " + request.url + " HTTP/1.1\r\n\r\n";
  }

 private:
  void take_lookup(const std::string& host, FetchOutcome outcome) {
    const Name name = names ? names(host) : Name();
    if (name.hangs) return hang(outcome.id, FetchEnd::kDnsFailed);
    outcome.end = FetchEnd::kResolved;
    outcome.address = name.addresses.front();
    outcome.other_addresses.assign(name.addresses.begin() + 1, name.addresses.end());
    end(std::move(outcome), latency_us);
  }
  void take_robots(const std::string& host, FetchOutcome outcome) {
    Robots file = robots ? robots(host) : Robots();
    if (file.hangs) return hang(outcome.id, FetchEnd::kTimedOut);
    outcome.status = !file.location.empty() ? 301 : file.text.empty() ? 404 : 200;
    outcome.head = "HTTP/1.1 " + std::to_string(outcome.status) + " X\r\n";
    if (!file.location.empty()) outcome.head += "Location: " + file.location + "\r\n";
    outcome.head += "\r\n";
    outcome.body = std::move(file.text);
    end(std::move(outcome), latency_us);
  }
  void take_page(const std::string& url, FetchOutcome outcome) {
    record_.pages.push_back(url);
    Page page = page_(url);
    if (page.hangs) return hang(outcome.id, FetchEnd::kTimedOut);
    outcome.status = 200;
    outcome.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    outcome.body = std::move(page.body);
    end(std::move(outcome), latency_us);
  }
  void hang(std::uint64_t id, FetchEnd end) {
    hanging_.emplace(id, end);
    record_.most_hanging = std::max(record_.most_hanging, hanging_.size());
  }
  void end(FetchOutcome outcome, std::int64_t after_us) {
    outcome.first_byte_us = outcome.ended_us = clock_.now_us() + after_us;
    ended_.emplace(outcome.ended_us, std::move(outcome));
  }

  ManualClock& clock_;
  std::function<Page(const std::string&)> page_;
  Record& record_;
  std::multimap<std::int64_t, FetchOutcome> ended_;  // by time
  std::map<std::uint64_t, FetchEnd> hanging_;        // with their outcome if they are cancelled
};

}  // namespace bowerbird
