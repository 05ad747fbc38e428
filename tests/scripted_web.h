// A simulated Web: URLs with scripted responses, and a crawl of them in this process.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "crawl/loop/crawler.h"
#include "crawl_options_testing.h"
#include "process.h"
#include "stored_urls.h"

namespace bowerbird {

struct ScriptedAnswer {
  int status = 200;    // 0: no response
  std::string fields;  // "Name: value\r\n" ...
  std::string body;
  FetchEnd end = FetchEnd::kAnswered;  // how the fetch ends, if there is a response
  bool filtered = false;               // its type is not in --types, so the body is skipped unless asked for
};

struct ScriptedWeb {
  // Each request consumes the next response of its URL; the last one is repeated. Other URLs answer 404.
  std::map<std::string, std::vector<ScriptedAnswer>> answers;
  std::vector<FetchRequest> requests;  // in order, without lookups

  void add(const std::string& url, ScriptedAnswer answer) { answers[url].push_back(std::move(answer)); }
  // A page of HTML.
  void add_page(const std::string& url, std::string body, std::string fields = {}) {
    add(url, {200, "Content-Type: text/html\r\n" + std::move(fields), std::move(body)});
  }
  std::multiset<std::string> requested() const {
    std::multiset<std::string> urls;
    for (const FetchRequest& request : requests) urls.insert(request.url);
    return urls;
  }
  const FetchRequest& request_of(const std::string& url) const {
    for (const FetchRequest& request : requests) {
      if (request.url == url) return request;
    }
    ADD_FAILURE() << url << " was not requested";
    return requests.front();
  }
};

// Responds at once, from 127.0.0.1.
class ScriptedFetcher final : public Fetcher {
 public:
  explicit ScriptedFetcher(ScriptedWeb& web) : web_(web) {}

  void start(FetchRequest request) override {
    FetchOutcome& outcome = ready_.emplace_back();
    outcome.id = request.id;
    outcome.end = request.resolve_only ? FetchEnd::kResolved : FetchEnd::kAnswered;
    outcome.address = NetAddress::parse("127.0.0.1");
    if (request.resolve_only) return;
    ScriptedAnswer answer{404, "", ""};
    if (const auto found = web_.answers.find(request.url); found != web_.answers.end()) {
      answer = found->second.front();
      if (found->second.size() > 1) found->second.erase(found->second.begin());
    }
    outcome.end = answer.status == 0 ? FetchEnd::kNoConnection : answer.end;
    outcome.status = answer.status;
    outcome.head = "HTTP/1.1 " + std::to_string(answer.status) + " X\r\n" + answer.fields + "\r\n";
    outcome.unwanted = answer.filtered && !request.any_type;
    if (!outcome.unwanted) outcome.body = std::move(answer.body);
    web_.requests.push_back(std::move(request));
  }
  void poll(std::vector<FetchOutcome>& done, int) override {
    if (ready_.empty()) std::this_thread::yield();
    for (FetchOutcome& outcome : ready_) done.push_back(std::move(outcome));
    ready_.clear();
  }
  std::size_t active() const override { return ready_.size(); }
  void cancel(std::uint64_t) override {}  // every request has ended
  void cancel_all() override { ready_.clear(); }
  void wake() override {}
  std::string request_text(const FetchRequest& request) const override {
    return "GET " + request.url + " HTTP/1.1\r\n" + request.fields + "\r\n";
  }

 private:
  ScriptedWeb& web_;
  std::vector<FetchOutcome> ready_;
};

class ScriptedCrawl {
 public:
  ScriptedCrawl() {
    options = quick_crawl_options(folder / "crawl");
    options.politeness.patience = 0.0001;
  }
  // Opens, runs and closes.
  void run() {
    auto opened = Crawler::open(options, std::make_unique<ScriptedFetcher>(web));
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    const auto end = (*opened)->run();
    ASSERT_TRUE(end.ok()) << end.error().text;
    last = (*opened)->status();
    const Status closed = (*opened)->close();
    ASSERT_TRUE(closed.ok()) << closed.error().text;
  }
  std::uint64_t outcome(Outcome kind) const { return last.counts.outcomes[static_cast<std::size_t>(kind)]; }
  std::multiset<std::string> stored() const { return stored_urls(options.out); }

  ScriptedWeb web;
  TemporaryFolder folder;
  CrawlOptions options;
  CrawlStatus last;
};

}  // namespace bowerbird
