// A crawl that keeps a test Web fresh, judged by the true changes of that Web: what the lab predicts is what
// the crawler achieves, rates are learned, and the index policies are better than the others. A day takes a
// second.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "crawl/state/restored_crawl.h"
#include "graph/io/open.h"
#include "lab/refresh/truth.h"
#include "process.h"
#include "sys/clock.h"
#include "web/site/site_service.h"
#include "web/site/truth.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

constexpr double kScale = 86'400;

struct FreshOptions {
  std::string graph = "synthetic:pages=1000";
  double newcomers = 0;
  int days = 90, warm_up = 30;
  std::string rate = "100";
};

// One policy on a Web of its own.
class FreshCrawl {
 public:
  FreshCrawl(const FreshOptions& options, std::string policy)
      : options_(options),
        policy_(std::move(policy)),
        web_(std::move(open_web(options.graph)).value()),
        sink_([this](std::string_view lines) { requests_ += lines; }) {
    SiteOptions site;
    site.changes_per_day = 0.14;
    site.newcomers = options.newcomers;
    site.newcomer_days = options.days;
    site.words = 40;
    site.start_us = clock_.now_us();
    began_us_ = MonotonicClock().now_us();
    site_ = make_site(web_, site);
    ServerOptions server;
    server.port = 0;
    server.addresses = {"127.0.0.1"};
    server.log = &sink_;
    server.clock = &clock_;
    server_ = std::move(serve_site(*site_, server)).value();
  }

  // first: once, as fast as possible, before the pages are kept fresh.
  void crawl(const std::vector<std::string>& more, bool first) {
    PageUrl url;
    site_->addresses().url_of(0, url);
    const std::vector<std::string> common = {"crawl",        std::string(url.text),
                                             "--out",        out(),
                                             "--scope",      "any",
                                             "--delay",      "0",
                                             "--connect-to", server_->addresses().front(),
                                             "--contact",    "tests@bowerbird.example",
                                             "--allow-net",  "127.0.0.0/8",
                                             "--memory",     "256MiB",
                                             "--no-durable", "--no-traps",
                                             "--no-report"};
    const auto with = [&](std::vector<std::string> words) {
      std::vector<std::string> command = common;
      command.insert(command.end(), more.begin(), more.end());
      command.insert(command.end(), words.begin(), words.end());
      return command;
    };
    if (first) {
      const Finished begun = run_bowerbird(with({}));
      EXPECT_EQ(begun.code, 0) << begun.err;
    }
    const Finished finished =
        run_bowerbird(with({"--forever", "--refresh", policy_, "--refresh-rate", options_.rate + "/day",
                            "--time-scale", "86400", "--time", std::to_string(options_.days + 1) + "s"}));
    EXPECT_EQ(finished.code, 0) << finished.err;
    server_->stop();
    ASSERT_TRUE(write_truth(*site_, options_.days + 20, {kScale, began_us_}, truth()).ok());
    write_text(folder_ / "requests", requests_);
  }

  // By the truth: "crawl" is what the crawl achieved; what the lab predicts has the names of the policies.
  // discovery: the lab begins with the seeds alone, as the crawl did; otherwise when all pages are held.
  std::map<std::string, nlohmann::json> judged(bool discovery) const {
    std::vector<std::string> command = {"lab",
                                        "refresh",
                                        options_.graph,
                                        "--rates",
                                        "truth:" + truth(),
                                        "--requests",
                                        folder_ / "requests",
                                        "--seeds",
                                        "ids:0",
                                        "--importance",
                                        "pagerank",
                                        "--budget",
                                        options_.rate,
                                        "--days",
                                        std::to_string(options_.days),
                                        "--warm-up",
                                        std::to_string(options_.warm_up),
                                        "--use-rates",
                                        "learned",
                                        "--dates",
                                        "--policies",
                                        policy_,
                                        "--json",
                                        "--quiet"};
    if (discovery) command.emplace_back("--discovery");
    const Finished judged = run_bowerbird(command);
    EXPECT_EQ(judged.code, 0) << judged.err;
    std::map<std::string, nlohmann::json> runs;
    const nlohmann::json report = json_of(judged);
    for (const nlohmann::json& run : report.at("runs")) runs[run.at("policy")] = run;
    return runs;
  }

  std::string truth() const { return folder_ / "truth"; }
  std::string out() const { return folder_ / "crawl"; }
  const Site& site() const { return *site_; }

 private:
  FreshOptions options_;
  std::string policy_;
  Web web_;
  const ScaledClock clock_{kScale};
  std::int64_t began_us_ = 0;
  std::unique_ptr<Site> site_;
  std::string requests_;
  AccessSink sink_;
  std::unique_ptr<Server> server_;
  TemporaryFolder folder_;
};

// Mean of |ln(learned / true)| over the pages that change.
double rate_error(const FreshCrawl& crawl) {
  const auto restored = std::move(RestoredCrawl::open_to_read(crawl.out())).value();
  EXPECT_TRUE(restored->restore().ok());
  const CrawlState& state = restored->state();
  std::map<std::string, double> rates;
  for (PageId page = 0; page < crawl.site().pages(); ++page) {
    PageUrl url;
    crawl.site().addresses().url_of(page, url);
    rates[std::string(url.text)] = crawl.site().changes().rate_per_day(page);
  }
  double sum = 0, pages = 0;
  state.refresh().queue()->for_each([&](PageId page, const RefreshFacts& facts) {
    const auto found = rates.find(state.url(page));
    if (facts.is_new || found == rates.end() || found->second <= 0) return;
    sum += std::abs(std::log(facts.rate / found->second));
    ++pages;
  });
  EXPECT_GT(pages, 200);
  return sum / pages;
}

void run_together(std::map<std::string, std::unique_ptr<FreshCrawl>>& crawls,
                  const std::vector<std::string>& more, bool first) {
  std::vector<std::thread> threads;
  for (auto& [policy, crawl] : crawls)
    threads.emplace_back([&more, first, one = crawl.get()] { one->crawl(more, first); });
  for (std::thread& thread : threads) thread.join();
}

TEST(CrawlRefreshTruth, ALiveCrawlIsAsFreshAsTheLabPredictsFull) {
  std::map<std::string, std::unique_ptr<FreshCrawl>> crawls;
  for (const char* policy : {"index-age", "index"})
    crawls[policy] = std::make_unique<FreshCrawl>(FreshOptions(), policy);
  run_together(crawls, {}, true);
  for (const auto& [policy, crawl] : crawls) {
    auto runs = crawl->judged(false);
    const auto& live = runs.at("crawl");
    const auto& lab = runs.at(policy);
    std::printf("%-10s live: freshness %.4f, age %.4f, %g fetches; lab: %.4f, %.4f, %g\n", policy.c_str(),
                live.at("freshness").get<double>(), live.at("age").get<double>(),
                live.at("fetches").get<double>(), lab.at("freshness").get<double>(),
                lab.at("age").get<double>(), lab.at("fetches").get<double>());
    EXPECT_NEAR(live.at("freshness"), lab.at("freshness").get<double>(), 0.02) << policy;
    EXPECT_NEAR(live.at("fetches"), lab.at("fetches").get<double>(), 0.05 * lab.at("fetches").get<double>());
    EXPECT_NEAR(live.at("age"), lab.at("age").get<double>(), 0.1 * lab.at("age").get<double>());
    const double error = rate_error(*crawl);
    std::printf("%-10s rates learned: mean |ln(learned/true)| %.3f; lab %.3f\n", policy.c_str(), error,
                lab.at("rate_error").get<double>());
    EXPECT_LT(error, lab.at("rate_error").get<double>() + 0.1) << policy;
  }
}

// The Web grows by a quarter. Importance is the PageRank of the whole Web; the crawler has its own estimate.
// The first hundred days are not counted: policies that learn rates gain their lead by then, and the lead of
// a run that is measured earlier is close to what is required.
TEST(CrawlRefreshTruth, TheIndexPoliciesKeepAGrowingWebFresherThanTheOthersFull) {
  FreshOptions options;
  options.newcomers = 0.2;
  options.days = 180;
  options.warm_up = 100;
  std::map<std::string, std::unique_ptr<FreshCrawl>> crawls;
  for (const char* policy : {"uniform", "proportional", "importance", "index", "index-age"})
    crawls[policy] = std::make_unique<FreshCrawl>(options, policy);
  run_together(crawls, {}, false);
  std::map<std::string, double> freshness, age;
  for (const auto& [policy, crawl] : crawls) {
    const nlohmann::json live = crawl->judged(true).at("crawl");
    freshness[policy] = live.at("freshness");
    age[policy] = live.at("age");
    std::printf("%-13s freshness %.4f, age %.4f, held %.4f, %g fetches\n", policy.c_str(), freshness[policy],
                age[policy], live.at("held").get<double>(), live.at("fetches").get<double>());
  }
  for (const char* other : {"uniform", "proportional", "importance"}) {
    EXPECT_GE(freshness["index"], freshness[other] + 0.03) << other;
    EXPECT_LE(age["index-age"], 0.7 * age[other]) << other;
  }
}

}  // namespace
}  // namespace bowerbird
