// A crawl of malicious servers and a good one: each request has the outcome in the table, and all pages of
// the good server are fetched.
#include <gtest/gtest.h>

#include "crawl/loop/crawler.h"
#include "hostile_server.h"

namespace bowerbird {
namespace {

TEST(HostileServers, HaveTheOutcomesOfTheTableAndDelayNoOtherHost) {
  const HostileServer server;
  const TemporaryFolder folder;
  CrawlOptions options = among_hostile_servers(folder / "crawl");
  for (int harm = kGood; harm < kHarms; ++harm) options.start.seeds.push_back(server.url(harm));
  const std::vector<RawReply>& raw = raw_replies();
  for (std::size_t i = 0; i < raw.size(); ++i)
    options.start.seeds.push_back(server.url(kRaw + static_cast<int>(i)));
  auto crawler = std::move(Crawler::open(options)).value();
  const auto end = crawler->run();
  ASSERT_TRUE(end.ok()) << end.error().text;
  EXPECT_EQ(*end, CrawlEnd::kNothingLeft);
  // of the million links, as many as are accepted from one page
  EXPECT_GE(crawler->status().known, 100'000u);
  ASSERT_TRUE(crawler->close().ok());

  const auto found = outcomes(options.out);
  const auto outcome = [&](const std::string& url) {
    const auto at = found.find(url);
    return at == found.end() ? std::string("none") : at->second;
  };
  const std::map<int, std::string> expected = {
      {kGood, "fetched"},
      {kEndlessHead, "headers-too-large"},
      {kDrip, "timed-out"},
      {kBomb, "unpacked-too-large"},
      {kTooShort, "truncated"},
      {kTooLong, "fetched"},
      {kToMetadata, "redirect"},
      {kMillionLinks, "fetched"},
      {kBadUtf8, "fetched"},
      {kHalfClosed, "connection-lost"},
      {kHalfBody, "truncated"},
      {kNotTls, "tls-error"},
      {kHalfHead, "connection-lost"},
      {kOnlyProvisional, "connection-lost"},
  };
  for (const auto& [harm, name] : expected) EXPECT_EQ(outcome(server.url(harm)), name) << "harm " << harm;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::string name = outcome(server.url(kRaw + static_cast<int>(i)));
    EXPECT_TRUE(raw[i].outcomes.contains(name)) << raw[i].what << ": " << name;
  }
  // Depending on its speed, it reaches the size limit or the timeout.
  EXPECT_TRUE(outcome(server.url(kEndlessBody)) == "fetched" ||
              outcome(server.url(kEndlessBody)) == "timed-out");
  EXPECT_TRUE(outcome(server.url(kReset)) == "connection-lost" || outcome(server.url(kReset)) == "truncated");
  EXPECT_EQ(outcome("http://169.254.169.254/latest/meta-data/"), "refused-address");
  EXPECT_NE(outcome(server.url(kLoop)), "none");
  for (int i = 0; i < kGoodPages; ++i)
    EXPECT_EQ(outcome(server.url(kGood, fmt::format("/{}", i))), "fetched");
}

}  // namespace
}  // namespace bowerbird
