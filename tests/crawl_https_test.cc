// Crawls over HTTPS: the same pages as over HTTP, and hosts with bad certificates.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "crawl_testing.h"

namespace bowerbird {
namespace {

SiteOptions secure(double bad_certificates = 0) {
  SiteOptions options;
  options.https = true;
  options.bad_certificates = bad_certificates;
  return options;
}

// Lines of crawl.jsonl about pages that were fetched.
std::vector<nlohmann::json> fetched_pages(const std::string& folder) {
  std::vector<nlohmann::json> found;
  const std::string log = read_text(folder + "/crawl.jsonl");
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at);
    nlohmann::json line = nlohmann::json::parse(log.substr(at, end - at));
    if (line.value("outcome", "") == "fetched") found.push_back(std::move(line));
    at = end + 1;
  }
  return found;
}

TEST(CrawlHttps, FetchesEveryPageOnceWithBothProtocols) {
  for (const bool http2 : {false, true}) {
    CrawlBench bench(random_web(200, 10, 4), secure());
    bench.options.network.http2 = http2;
    bench.options.politeness.connections_per_host = http2 ? 4 : 1;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_EQ(bench.last.counts.pages, 200u);
    std::map<std::string, int> requests;
    for (const AccessEntry& entry : bench.log()) {
      EXPECT_EQ(entry.protocol, http2 ? "h2s" : "h1s");
      ++requests[entry.host + entry.target];
    }
    EXPECT_EQ(requests.size(), 220u);
    for (const auto& [url, times] : requests) EXPECT_EQ(times, 1) << url;
  }
}

TEST(CrawlHttps, CertificateErrorsAreRefusedOrRecorded) {
  for (const CertificateErrors mode : {CertificateErrors::kRefuse, CertificateErrors::kRecord}) {
    CrawlBench bench(random_web(200, 5, 6), secure(0.5));
    bench.options.network.certificate_errors = mode;
    bench.options.start.seeds.clear();
    for (PageId page = 0; page < 200; page += 5) bench.options.start.seeds.push_back(bench.page_url(page));
    bench.crawl();
    std::size_t bad = 0;
    const std::vector<nlohmann::json> pages = fetched_pages(bench.options.out);
    for (const nlohmann::json& page : pages) bad += page.contains("certificate_error") ? 1 : 0;
    if (mode == CertificateErrors::kRefuse) {
      EXPECT_EQ(bad, 0u);
      EXPECT_LT(pages.size(), 200u);
    } else {
      EXPECT_EQ(pages.size(), 200u);
      EXPECT_GT(bad, 0u);
      EXPECT_LT(bad, 200u);
    }
  }
}

}  // namespace
}  // namespace bowerbird
