#include "crawl/loop/single_fetch.h"

#include "base/ascii.h"
#include "crawl/config/request_fields.h"
#include "crawl/judge/robots_answer.h"
#include "crawl/loop/crawl_clock.h"
#include "crawl/loop/fetch_setup.h"
#include "crawl/state/state_setup.h"
#include "parse/http_head.h"
#include "parse/robots_text.h"
#include "url/url.h"

namespace bowerbird {

namespace {

// How often go_on() is called during a wait.
constexpr Duration kLookEvery = 100ms;

class SingleFetcher {
 public:
  SingleFetcher(const CrawlOptions& options, const std::function<bool()>& go_on)
      : options_(options), go_on_(go_on), hosts_(politeness_of(options)) {
    token_ = robots_token_of(options);
  }

  Result<SingleFetch> run(std::string url) {
    BB_TRY(filter_, NetFilter::parse(options_.network.allow_net));
    BB_TRY(fields_, RequestFields::make(request_fields_of(options_)));
    BB_TRY(const BodyTypes types, BodyTypes::make(std::vector<std::string>{"any"}));
    BB_TRY(fetcher_, make_network_fetcher(options_, filter_, types));
    SingleFetch single;
    for (;;) {
      BB_TRY_VOID(check_robots(url));
      BB_TRY(FetchOutcome fetch, get(url));
      const Outcome outcome = outcome_of(fetch);
      if (fetch.end != FetchEnd::kAnswered) return failure(url, fetch);
      Url base, next;
      const bool is_redirect = outcome == Outcome::kRedirect &&
                               parse_url(url, nullptr, base) == UrlFault::kNone &&
                               redirect_target(fetch.head, base, next);
      if (!is_redirect || single.redirects.size() >= options_.fetch.redirects) {
        single.url = std::move(url);
        single.fetch = std::move(fetch);
        return single;
      }
      single.redirects.push_back(std::move(url));
      url = next.text();
    }
  }

 private:
  static Error failure(const std::string& url, const FetchOutcome& fetch) {
    const std::string_view what = rule_of(outcome_of(fetch)).what;
    if (fetch.trouble.empty() || fetch.trouble == what) return error("{}: {}", url, what);
    return error("{}: {}: {}", url, what, fetch.trouble);
  }

  // Waits for the gates of the URL's host, address and domain, then fetches it.
  Result<FetchOutcome> get(const std::string& text) {
    Url url;
    CHECK(parse_url(text, nullptr, url) == UrlFault::kNone);
    const HostId id = hosts_.intern(url.host());
    Host& host = hosts_[id];
    for (Time now = clock_.now(); hosts_.earliest_start(host) > now; now = clock_.now()) {
      BB_TRY_VOID(wait(hosts_.earliest_start(host) - now));
    }
    FetchRequest request;
    request.url = text;
    request.fields = fields_.for_url(text);
    request.any_type = true;
    fetcher_->start(std::move(request));
    hosts_.started(host, clock_.now());
    while (done_.empty()) BB_TRY_VOID(wait(kLookEvery));
    FetchOutcome fetch = std::move(done_.front());
    done_.clear();
    hosts_.ended(host, fetch);
    if (fetch.address && options_.network.proxy.empty())
      hosts_.set_addresses(host, {*fetch.address}, kNever, filter_.named(*fetch.address));
    return fetch;
  }

  Status wait(Duration time) {
    if (go_on_ && !go_on_()) return error("stopped");
    fetcher_->poll(done_, static_cast<int>(std::min(time, kLookEvery).count()));
    return {};
  }

  Status check_robots(const std::string& text) {
    Url url;
    if (parse_url(text, nullptr, url) != UrlFault::kNone) return error("'{}' is not a URL to fetch", text);
    const HostId id = hosts_.intern(url.host());
    OriginRules& origin = hosts_[id].origins[url.https()];
    if (origin.rules == nullptr) {
      std::string robots = url.origin() + "/robots.txt";
      for (unsigned hops = 0;; ++hops) {
        BB_TRY(const FetchOutcome fetch, get(robots));
        RobotsAnswer answer = robots_answer(fetch, robots, hops, token_);
        if (answer.kind == RobotsAnswer::Kind::kRedirected) {
          robots = std::move(answer.target);
          continue;
        }
        if (answer.kind == RobotsAnswer::Kind::kUnreachable) {
          if (fetch.end != FetchEnd::kAnswered) return failure(robots, fetch);
          return error("{}: HTTP {}, so nothing may be fetched from this host for now", robots, fetch.status);
        }
        origin.rules = std::make_shared<RobotsRules>(std::move(answer.rules));
        if (origin.rules->crawl_delay()) hosts_.back_off(id, clock_.now() + hosts_.delay(hosts_[id]));
        break;
      }
    }
    if (!origin.rules->allows(url.target())) return error("{}: robots.txt forbids it", text);
    return {};
  }

  const CrawlOptions& options_;
  const std::function<bool()>& go_on_;
  HostTable hosts_;
  CrawlClock clock_{nullptr};
  NetFilter filter_;
  RequestFields fields_;
  std::string token_;
  std::unique_ptr<Fetcher> fetcher_;
  std::vector<FetchOutcome> done_;
};

}  // namespace

Result<SingleFetch> fetch_single(const CrawlOptions& options, const std::string& url,
                                 const std::function<bool()>& go_on) {
  return SingleFetcher(options, go_on).run(url);
}

}  // namespace bowerbird
