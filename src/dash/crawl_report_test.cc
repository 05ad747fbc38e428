#include "dash/crawl_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "crawl/config/kept_options.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/crawl_status.h"
#include "crawl/state/state_setup.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr char kHostile[] = "http://h.test/</script><script>alert(1)</script><!--\"'&\xff";

// Three pages, the last one with a hostile name and given up.
std::string small_crawl(const TemporaryFolder& folder, std::uint64_t pages = 2) {
  StoreOptions options;
  options.durable = false;
  CrawlOptions crawl;
  crawl.order.policy = "bfs";
  options.about = fixed_options(crawl);
  const std::string path = folder / "crawl";
  auto store = std::move(CrawlStore::open(path, options)).value();
  auto state = std::move(CrawlState::make(state_options_of(crawl), *store)).value();
  state->record_to(store.get());
  state->intern("http://h.test/");
  state->intern("http://h.test/a");
  const PageId odd = state->intern("http://h.test/%3C/script%3E");
  const SeedEntry seed = {0, 1, false};
  state->add_seeds({seed});
  EXPECT_EQ(*state->next(Time(1ms)), 0u);
  const StoredLink links[] = {{1, 0}, {odd, 0}};
  state->complete({0, links});
  EXPECT_EQ(*state->next(Time(1ms)), 1u);
  state->complete({1, {}});
  store->add_log(R"({"url":"http://h.test/","outcome":"fetched","ms":7,"bytes":100})");
  store->add_log(nlohmann::json({{"url", "http://evil<script>.test/"}, {"outcome", "not-found"}}).dump());
  store->add_log(R"({"url":"http://h.test/a","outcome":"no outcome of ours"})");
  store->add_log(R"({"url":17,"outcome":{}})");
  CrawlCounts counts;
  counts.pages = pages;
  counts.completed = 2;
  counts.run_ms = 1500;
  counts.outcomes[static_cast<std::size_t>(Outcome::kFetched)] = 1;
  counts.outcomes[static_cast<std::size_t>(Outcome::kNotFound)] = 1;
  CrawlMoment moment{.queued = 2, .memory = {}, .guaranteed = 0.5};
  moment.memory.resident = 1 << 20;
  EXPECT_TRUE(store->close(counts_to_state(counts, CrawlEnd::kStopped, moment)).ok());
  return path;
}

TEST(CrawlReport, TellsWhatTheFolderHolds) {
  const TemporaryFolder folder;
  CrawlReportOptions options;
  options.folder = small_crawl(folder);
  options.origin = {"bowerbird crawl <b>", "1.2.3", "today"};
  const auto data = crawl_report_data(options);
  ASSERT_TRUE(data.ok()) << data.error().text;
  const auto json = nlohmann::json::parse(*data);
  EXPECT_EQ(json["end"], "stopped");
  EXPECT_EQ(json["pages"], 2);
  EXPECT_EQ(json["seconds"], 1.5);
  EXPECT_EQ(json["curves"]["frontier"].back(), 2);
  EXPECT_EQ(json["curves"]["covered"].back(), 0.5);
  EXPECT_EQ(json["order"]["pages"], 2);
  EXPECT_EQ(json["best"][0]["url"], "http://h.test/a");
  ASSERT_EQ(json["hosts"].size(), 2u);
  EXPECT_EQ(json["hosts"][0]["answer_ms"], 7);
  EXPECT_EQ(json["hosts"][1]["trouble"], "not-found");
}

TEST(CrawlReport, OfAnEmptyCrawlClaimsNoOrder) {
  const TemporaryFolder folder;
  CrawlReportOptions options;
  options.folder = small_crawl(folder, 0);
  const auto json = nlohmann::json::parse(crawl_report_data(options).value());
  EXPECT_TRUE(json["order"].is_null());
  EXPECT_EQ(json["no_order"], "fewer than two pages");
}

TEST(CrawlReport, OfALargeCrawlLeavesTheOrderOut) {
  const TemporaryFolder folder;
  CrawlReportOptions options;
  options.folder = small_crawl(folder);
  options.most_pages = 1;
  const auto json = nlohmann::json::parse(crawl_report_data(options).value());
  EXPECT_TRUE(json["order"].is_null());
  EXPECT_NE(json["no_order"].get<std::string>().find("bowerbird report"), std::string::npos);
}

// Whatever the names: the page has only the shared scripts.
TEST(CrawlReport, HostileNamesStayText) {
  const TemporaryFolder folder;
  CrawlReportOptions options;
  options.folder = small_crawl(folder);
  options.origin = {kHostile, "1.2.3", "today"};
  const std::string page = crawl_page(crawl_report_data(options).value());
  std::size_t scripts = 0;
  for (std::size_t at = page.find("<script"); at != page.npos; at = page.find("<script", at + 1)) ++scripts;
  const std::string kit = crawl_page(crawl_report_data({options.folder, {}, {}, 0, 1}).value());
  std::size_t own = 0;
  for (std::size_t at = kit.find("<script"); at != kit.npos; at = kit.find("<script", at + 1)) ++own;
  EXPECT_EQ(scripts, own);
  EXPECT_EQ(page.find("evil<script>"), page.npos);
  EXPECT_NE(page.find("evil&lt;script&gt;.test"), page.npos) << "for those without scripts";
}

TEST(CrawlReport, OfNothingIsAnError) {
  const TemporaryFolder folder;
  CrawlReportOptions options;
  options.folder = folder / "none";
  EXPECT_FALSE(write_crawl_report(options).ok());
}

}  // namespace
}  // namespace bowerbird
