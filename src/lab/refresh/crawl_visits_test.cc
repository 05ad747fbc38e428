#include "lab/refresh/crawl_visits.h"

#include <gtest/gtest.h>

#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

StoredFetch visit_of(PageId page, int day, std::uint16_t status, std::string body) {
  StoredFetch fetch;
  fetch.page = page;
  fetch.url = page == 0 ? "http://a.example/" : "http://a.example/b";
  fetch.time_us = day * 86'400'000'000;
  fetch.status = status;
  fetch.response_head = "HTTP/1.1 " + std::to_string(status) + " X\r\n\r\n";
  fetch.body = std::move(body);
  return fetch;
}

TEST(CrawlVisits, AreStoredResponsesComparedWithTheOneBefore) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  auto store = CrawlStore::open(folder.path(), options).value();
  store->add_url("http://a.example/");
  store->add_url("http://a.example/b");
  store->add_fetch(visit_of(0, 1, 200, "one"));
  store->add_fetch(visit_of(1, 1, 200, "one"));
  store->add_fetch(visit_of(0, 2, 200, "two"));
  store->add_fetch(visit_of(0, 3, 500, "broken"));
  store->add_fetch(visit_of(0, 4, 304, ""));
  store->add_fetch(visit_of(0, 6, 200, "two"));
  store->add_fetch(visit_of(0, 8, 200, "one"));
  ASSERT_TRUE(store->close("").ok());

  const auto visits = crawl_visits(folder.path());
  ASSERT_TRUE(visits.ok()) << visits.error().text;
  const std::vector<PageVisit> expected = {{0, 1, false}, {1, 1, false}, {0, 2, true},
                                           {0, 4, false}, {0, 6, false}, {0, 8, true}};
  ASSERT_EQ(visits->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*visits)[i].page, expected[i].page) << i;
    EXPECT_EQ((*visits)[i].day, expected[i].day) << i;
    EXPECT_EQ((*visits)[i].changed, expected[i].changed) << i;
  }
  const auto rates = choose_rates(RateSpec::parse("visits").value(), 2, {}, 1, *visits);
  ASSERT_TRUE(rates.ok());
  EXPECT_GT((*rates)[0], 0.2);
}

TEST(CrawlVisits, OneOfEachPageTeachesNothing) {
  const std::vector<PageVisit> visits = {{0, 1, false}, {1, 2, false}};
  EXPECT_FALSE(choose_rates(RateSpec::parse("visits").value(), 2, {}, 1, visits).ok());
}

}  // namespace
}  // namespace bowerbird
