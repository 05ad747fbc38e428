#include "urlfrontier/url_frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/rng.h"
#include "policy/registry.h"
#include "sys/simulated_disk.h"
#include "sys/temporary_folder_testing.h"
#include "urlfrontier/naive_url_frontier.h"

namespace bowerbird {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::unique_ptr<UrlFrontier> make_frontier(UrlFrontierOptions options = {}) {
  if (options.policy.empty() && options.folder.empty()) options.policy = "backlink";
  auto made = UrlFrontier::open(options);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text);
  return std::move(*made);
}

std::vector<UrlInput> inputs(const std::vector<std::string>& urls) {
  std::vector<UrlInput> made;
  for (const std::string& url : urls) made.push_back({url});
  return made;
}

std::vector<std::string> take_urls(UrlFrontier& frontier, Time now, const TakeOptions& options = {}) {
  auto taken = frontier.take(now, options);
  EXPECT_TRUE(taken.ok()) << taken.error().text;
  std::vector<std::string> urls;
  for (const TakenUrl& one : *taken) urls.push_back(one.url);
  return urls;
}

void complete_url(UrlFrontier& frontier, const std::string& url, const std::vector<std::string>& links,
                  Time now, Time due = kForever) {
  const auto with = inputs(links);
  const auto done = frontier.complete(url, {with, due}, now);
  ASSERT_TRUE(done.ok()) << done.error().text;
}

TEST(UrlFrontier, HandsOutTheBestUrlFirst) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}), ElementsAre("http://a/"));
  complete_url(*frontier, "http://a/", {"http://a/1", "http://a/2", "http://b/"}, Time{});
  EXPECT_THAT(take_urls(*frontier, Time{}), ElementsAre("http://a/1"));
  complete_url(*frontier, "http://a/1", {"http://b/", "http://a/3"}, Time{});
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}),
              ElementsAre("http://b/", "http://a/2", "http://a/3"));
  EXPECT_THAT(take_urls(*frontier, Time{}), IsEmpty());
  EXPECT_EQ(frontier->next_opening(), std::nullopt);
}

TEST(UrlFrontier, KnowsAUrlUnderItsCanonicalForm) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"HTTP://A:80/x/../y?utm_source=z#f"}), Time{}).ok());
  EXPECT_EQ((*frontier->add(inputs({"http://a/y"}), Time{}))[0].outcome, PutOutcome::kKnown);
  EXPECT_THAT(take_urls(*frontier, Time{}), ElementsAre("http://a/y"));
}

TEST(UrlFrontier, KeepsUrlsAsGivenIfAsked) {
  auto frontier = make_frontier({.policy = "bfs", .identity = UrlIdentity::kAsGiven});
  ASSERT_TRUE(frontier->add(inputs({"HTTP://A/", "http://a/"}), Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 2}), ElementsAre("HTTP://A/", "http://a/"));
  EXPECT_EQ(frontier->find_queue("a")->urls, 2u);
}

TEST(UrlFrontier, RejectsTextsThatAreNotUrlsWithAReason) {
  auto frontier = make_frontier();
  const auto results = *frontier->add(inputs({"mailto:me@example.org", "http://a/"}), Time{});
  EXPECT_EQ(results[0].outcome, PutOutcome::kRejected);
  EXPECT_FALSE(results[0].reason.empty());
  EXPECT_EQ(results[1].outcome, PutOutcome::kNew);
  EXPECT_EQ(frontier->stats().rejected, 1u);
  EXPECT_FALSE(frontier->add(inputs({"http://b/"}), Time(-1ms)).ok());
  EXPECT_FALSE(frontier->add(std::array{UrlInput{.url = "http://b/", .weight = -1}}, Time{}).ok());
}

TEST(UrlFrontier, RefusesCallsInTheWrongOrder) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  EXPECT_THAT(frontier->complete("http://a/", {}, Time{}).error().text, HasSubstr("is queued"));
  EXPECT_THAT(frontier->complete("http://b/", {}, Time{}).error().text, HasSubstr("not known"));
  EXPECT_THAT(frontier->retry("http://a/", Time(5ms), Time{}).error().text, HasSubstr("is queued"));
  EXPECT_THAT(frontier->schedule("http://a/", Time(5ms), Time{}).error().text, HasSubstr("is queued"));
  take_urls(*frontier, Time{});
  complete_url(*frontier, "http://a/", {}, Time{});
  EXPECT_THAT(frontier->complete("http://a/", {}, Time{}).error().text, HasSubstr("is completed"));
}

TEST(UrlFrontier, RefusesNamesOfQueuesThatAreTooLong) {
  auto frontier = make_frontier();
  const std::string name(1025, 'q');
  EXPECT_THAT(frontier->set_delay(name, 5ms, Time{}).error().text, HasSubstr("at most 1024"));
  EXPECT_FALSE(frontier->block_until(name, Time(5ms), Time{}).ok());
  EXPECT_FALSE(frontier->set_limit(name, 5, Time{}).ok());
  EXPECT_EQ(frontier->find_queue(name), nullptr);
  EXPECT_TRUE(frontier->set_delay(name.substr(1), 5ms, Time{}).ok());
}

TEST(UrlFrontier, RefusesOrderingsThatItCannotRun) {
  for (const std::string policy : {"no-such-ordering", "omniscient", "similar", "fpr@x"}) {
    EXPECT_FALSE(UrlFrontier::open({.policy = policy}).ok()) << policy;
  }
}

TEST(UrlFrontier, KeepsPayloads) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(std::array{UrlInput{.url = "http://a/", .payload = "seed"}}, Time{}).ok());
  EXPECT_EQ((*frontier->take(Time{}))[0].payload, "seed");
  const std::array links{UrlInput{.url = "http://a/1", .payload = "one"}, UrlInput{.url = "http://a/2"}};
  ASSERT_TRUE(frontier->complete("http://a/", {.links = links, .due = Time(50ms)}, Time{}).ok());
  EXPECT_EQ((*frontier->status("http://a/"))->payload, "seed");
  // A link to a known URL does not change its payload; putting it does.
  ASSERT_TRUE(
      frontier->discover("", std::array{UrlInput{.url = "http://a/1", .payload = "other"}}, Time{}).ok());
  EXPECT_EQ((*frontier->take(Time{}))[0].payload, "one");
  ASSERT_TRUE(frontier->set_payload("http://a/2", "two", Time{}).ok());
  EXPECT_EQ((*frontier->take(Time{}))[0].payload, "two");
  EXPECT_EQ((*frontier->take(Time(50ms)))[0].payload, "seed");
}

TEST(UrlFrontier, WaitsForTheDelayOfAQueue) {
  auto frontier = make_frontier({.policy = "bfs", .delay = 1000ms});
  ASSERT_TRUE(frontier->add(inputs({"http://a/1", "http://a/2", "http://b/1"}), Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}), ElementsAre("http://a/1", "http://b/1"));
  EXPECT_THAT(take_urls(*frontier, Time(999ms)), IsEmpty());
  EXPECT_EQ(frontier->next_opening(), Time(1000ms));
  EXPECT_THAT(take_urls(*frontier, Time(1000ms)), ElementsAre("http://a/2"));
}

TEST(UrlFrontier, BlocksAndLimitsQueues) {
  auto frontier = make_frontier({.policy = "bfs"});
  ASSERT_TRUE(frontier->add(inputs({"http://a/1", "http://a/2", "http://b/1", "http://b/2"}), Time{}).ok());
  ASSERT_TRUE(frontier->block_until("a", Time(100ms), Time{}).ok());
  ASSERT_TRUE(frontier->set_limit("b", 1, Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}), ElementsAre("http://b/1"));
  EXPECT_THAT(take_urls(*frontier, Time(99ms)), IsEmpty());
  EXPECT_THAT(take_urls(*frontier, Time(100ms)), ElementsAre("http://a/1"));
  ASSERT_TRUE(frontier->set_limit("b", 0, Time(100ms)).ok());
  ASSERT_TRUE(frontier->set_active(false, Time(100ms)).ok());
  EXPECT_THAT(take_urls(*frontier, Time(100ms)), IsEmpty());
  ASSERT_TRUE(frontier->set_active(true, Time(100ms)).ok());
  EXPECT_THAT(take_urls(*frontier, Time(100ms), {.count = 9}), ElementsAre("http://a/2", "http://b/2"));
}

TEST(UrlFrontier, LimitsUrlsInProcessPerQueue) {
  auto frontier = make_frontier({.policy = "bfs"});
  ASSERT_TRUE(
      frontier->add(inputs({"http://a/1", "http://a/2", "http://a/3", "http://b/1", "http://c/1"}), Time{})
          .ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9, .queues = 2, .per_queue = 2}),
              ElementsAre("http://a/1", "http://a/2", "http://b/1"));
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9, .per_queue = 2}), ElementsAre("http://c/1"));
  complete_url(*frontier, "http://a/1", {}, Time{});
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9, .per_queue = 2}), ElementsAre("http://a/3"));
}

TEST(UrlFrontier, TakesFromOneQueueIfAsked) {
  auto frontier = make_frontier({.policy = "bfs"});
  ASSERT_TRUE(frontier->add(inputs({"http://a/1", "http://b/1", "http://b/2"}), Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9, .queue = "b"}),
              ElementsAre("http://b/1", "http://b/2"));
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9, .queue = "c"}), IsEmpty());
}

// The next URL of a queue may be behind those of all other queues.
TEST(UrlFrontier, FillsTheQueuesOfACallHoweverManyOthersThereAre) {
  constexpr std::size_t kQueues = 6000;
  auto frontier = make_frontier({.policy = "bfs"});
  std::vector<std::string> urls;
  for (std::size_t i = 0; i < 4 * kQueues; ++i)
    urls.push_back(fmt::format("http://h{}/{}", i % kQueues, i / kQueues));
  ASSERT_TRUE(frontier->add(inputs(urls), Time{}).ok());
  EXPECT_THAT(
      take_urls(*frontier, Time{}, {.count = 6, .queues = 2, .per_queue = 3}),
      ElementsAre("http://h0/0", "http://h1/0", "http://h0/1", "http://h1/1", "http://h0/2", "http://h1/2"));
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 4, .queues = 2, .per_queue = 3}),
              ElementsAre("http://h2/0", "http://h3/0", "http://h2/1", "http://h3/1"));
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9, .queue = "h5000"}),
              ElementsAre("http://h5000/0", "http://h5000/1", "http://h5000/2", "http://h5000/3"));
  for (const char* url : {"http://h0/0", "http://h0/1", "http://h0/2"})
    complete_url(*frontier, url, {}, Time{}, Time(5ms));
  // URLs that are due again have the scores that they had.
  EXPECT_THAT(take_urls(*frontier, Time(5ms), {.count = 9, .queue = "h0"}),
              ElementsAre("http://h0/0", "http://h0/1", "http://h0/2", "http://h0/3"));
}

TEST(UrlFrontier, UsesTheGateOfTheCaller) {
  auto frontier = make_frontier({.policy = "bfs"});
  ASSERT_TRUE(frontier->add(inputs({"http://a/1", "http://b/1"}), Time{}).ok());
  int asked = 0;
  const TakeOptions busy{.gate = [&](std::string_view queue) {
    ++asked;
    return queue == "a" ? kForever : Time{};
  }};
  EXPECT_THAT(take_urls(*frontier, Time{}, busy), ElementsAre("http://b/1"));
  EXPECT_EQ(asked, 2);
  EXPECT_THAT(take_urls(*frontier, Time{}, busy), IsEmpty());
  EXPECT_EQ(asked, 2);
  frontier->open_queue("a", Time{});
  EXPECT_THAT(take_urls(*frontier, Time{}), ElementsAre("http://a/1"));
}

TEST(UrlFrontier, HandsOutAUrlAgainWhenItsLeaseEnds) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.lease = 30ms}), ElementsAre("http://a/"));
  EXPECT_THAT(take_urls(*frontier, Time(29ms)), IsEmpty());
  EXPECT_EQ(frontier->next_opening(), Time(30ms));
  EXPECT_THAT(take_urls(*frontier, Time(30ms), {.lease = 30ms}), ElementsAre("http://a/"));
  EXPECT_EQ(frontier->stats().expired, 1u);
  ASSERT_TRUE(*frontier->extend_lease("http://a/", Time(100ms), Time(40ms)));
  EXPECT_THAT(take_urls(*frontier, Time(99ms)), IsEmpty());
  EXPECT_THAT(take_urls(*frontier, Time(100ms)), ElementsAre("http://a/"));
}

TEST(UrlFrontier, HandsOutDueUrlsAgain) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  take_urls(*frontier, Time{});
  complete_url(*frontier, "http://a/", {}, Time{}, Time(100ms));
  EXPECT_EQ((*frontier->status("http://a/"))->state, UrlState::kScheduled);
  EXPECT_EQ((*frontier->status("http://a/"))->due, Time(100ms));
  EXPECT_THAT(take_urls(*frontier, Time(99ms)), IsEmpty());
  const auto again = *frontier->take(Time(100ms));
  ASSERT_EQ(again.size(), 1u);
  EXPECT_TRUE(again[0].again);
  complete_url(*frontier, "http://a/", {"http://a/new"}, Time(100ms));
  EXPECT_EQ((*frontier->status("http://a/"))->state, UrlState::kCompleted);
  EXPECT_THAT(take_urls(*frontier, Time(100ms), {.count = 9}), ElementsAre("http://a/new"));
  ASSERT_TRUE(frontier->schedule("http://a/", Time(150ms), Time(100ms)).ok());
  EXPECT_THAT(take_urls(*frontier, Time(150ms)), ElementsAre("http://a/"));
}

TEST(UrlFrontier, CollectsLinksUntilTheirParentIsCompleted) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  ASSERT_TRUE(frontier->discover("http://a/", inputs({"http://a/1", "http://b/"}), Time{}).ok());
  EXPECT_EQ((*frontier->status("http://b/"))->state, UrlState::kCollected);
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}), ElementsAre("http://a/"));
  ASSERT_TRUE(frontier->put_completed({"http://a/"}, {}, Time{}).ok());
  EXPECT_EQ((*frontier->status("http://b/"))->score, 1.0);
  // Later ones are added, and finding a known URL again counts as a link.
  ASSERT_TRUE(frontier->discover("http://a/", inputs({"http://b/", "http://c/"}), Time{}).ok());
  EXPECT_EQ((*frontier->status("http://b/"))->score, 2.0);
  EXPECT_EQ((*frontier->status("http://c/"))->score, 1.0);
  ASSERT_TRUE(frontier->discover("http://nobody/", inputs({"http://d/"}), Time{}).ok());
  EXPECT_EQ((*frontier->status("http://d/"))->score, 0.0);
  EXPECT_EQ(frontier->stats().links, 5u);
  EXPECT_EQ(frontier->stats().links_without_parent, 1u);
}

// Its worth is divided by the links that it has by then, never by zero.
TEST(UrlFrontier, LinksOfAPageThatHadNoneShareItsWorth) {
  auto frontier = make_frontier({.policy = "fpr@100"});
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  take_urls(*frontier, Time{});
  complete_url(*frontier, "http://a/", {}, Time{});
  ASSERT_TRUE(frontier->discover("http://a/", inputs({"http://a/1", "http://b/"}), Time{}).ok());
  const double own = (*frontier->status("http://a/1"))->score.value();
  const double other = (*frontier->status("http://b/"))->score.value();
  EXPECT_TRUE(std::isfinite(own) && std::isfinite(other)) << own << " " << other;
  EXPECT_GT(other, own);
}

TEST(UrlFrontier, LosesNoLinkWhenTheParentIsDeleted) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  ASSERT_TRUE(frontier->discover("http://a/", inputs({"http://a/1"}), Time{}).ok());
  EXPECT_TRUE(*frontier->remove("http://a/", Time{}));
  EXPECT_FALSE(*frontier->remove("http://a/", Time{}));
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}), ElementsAre("http://a/1"));
}

TEST(UrlFrontier, DeletesQueuesAndKnowsTheirUrlsAsNewAfterwards) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/1", "http://a/2", "http://b/"}), Time{}).ok());
  take_urls(*frontier, Time{});
  complete_url(*frontier, "http://a/1", {}, Time{});
  EXPECT_EQ(*frontier->remove_queue("a", Time{}), 2u);
  EXPECT_EQ(*frontier->status("http://a/1"), std::nullopt);
  EXPECT_EQ(frontier->stats().urls, 1u);
  EXPECT_EQ((*frontier->add(inputs({"http://a/1", "http://a/2"}), Time{}))[0].outcome, PutOutcome::kNew);
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}),
              ElementsAre("http://b/", "http://a/2", "http://a/1"));
}

TEST(UrlFrontier, RanksByPriorityBeforeScore) {
  auto frontier = make_frontier();
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  take_urls(*frontier, Time{});
  const std::array links{UrlInput{.url = "http://a/low", .priority = -3},
                         UrlInput{.url = "http://a/0"},
                         UrlInput{.url = "http://a/high", .priority = 2},
                         UrlInput{.url = "http://a/high2", .priority = 2},
                         UrlInput{.url = "http://a/top", .priority = 1000000},
                         UrlInput{.url = "http://a/lowest", .priority = -4}};
  ASSERT_TRUE(frontier->complete("http://a/", {.links = links}, Time{}).ok());
  EXPECT_EQ((*frontier->status("http://a/low"))->score, 1.0);
  EXPECT_EQ((*frontier->status("http://a/low"))->priority, -3);
  EXPECT_THAT(take_urls(*frontier, Time{}), ElementsAre("http://a/top"));
  // The ordering decides among equal priorities, and counts links as if there were none.
  complete_url(*frontier, "http://a/top", {"http://a/high2", "http://a/lowest", "http://a/low"}, Time{});
  EXPECT_EQ((*frontier->status("http://a/high2"))->score, 2.0);
  ASSERT_TRUE(frontier->set_priority("http://a/0", 5, Time{}).ok());
  EXPECT_THAT(
      take_urls(*frontier, Time{}, {.count = 9}),
      ElementsAre("http://a/0", "http://a/high2", "http://a/high", "http://a/low", "http://a/lowest"));
}

TEST(UrlFrontier, CountsLinksThatAreNotFollowed) {
  auto frontier = make_frontier({.policy = "fpr"});
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  take_urls(*frontier, Time{});
  const std::array links{UrlInput{.url = "http://a/1"}, UrlInput{.url = "http://b/", .follow = false}};
  ASSERT_TRUE(frontier->complete("http://a/", {.links = links}, Time{}).ok());
  EXPECT_EQ(*frontier->status("http://b/"), std::nullopt);
  EXPECT_EQ(frontier->stats().urls, 2u);
  EXPECT_EQ(frontier->stats().queues, 1u);
  // Half of the page's importance went to the link that is not followed.
  auto other = make_frontier({.policy = "fpr"});
  ASSERT_TRUE(other->add(inputs({"http://a/"}), Time{}).ok());
  take_urls(*other, Time{});
  complete_url(*other, "http://a/", {"http://a/1", "http://b/"}, Time{});
  EXPECT_EQ((*frontier->status("http://a/1"))->score, (*other->status("http://a/1"))->score);
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}), ElementsAre("http://a/1"));
  ASSERT_TRUE(frontier->add(inputs({"http://b/"}), Time{}).ok());
  EXPECT_THAT(take_urls(*frontier, Time{}, {.count = 9}), ElementsAre("http://b/"));
}

TEST(UrlFrontier, RefusesASecondUserOfItsFolder) {
  const TemporaryFolder folder;
  auto frontier = make_frontier({.folder = folder / "f", .policy = "bfs"});
  EXPECT_THAT(UrlFrontier::open({.folder = folder / "f"}).error().text, HasSubstr("in use"));
  ASSERT_TRUE(frontier->close().ok());
  EXPECT_THAT(frontier->add(inputs({"http://a/"}), Time{}).error().text, HasSubstr("closed"));
  EXPECT_THAT(UrlFrontier::open({.folder = folder / "f", .policy = "dfs"}).error().text, HasSubstr("bfs"));
  EXPECT_TRUE(UrlFrontier::open({.folder = folder / "f"}).ok());
}

// Its scores are worth nothing from the second page on.
class FailingPolicy : public Policy {
 public:
  explicit FailingPolicy(bool fails) : fails_(fails) {}
  Score seed(const Seed&) override { return 1; }
  void give(const Visit& visit, std::span<OpenLink>) const override {
    if (fails_ && visit.crawled > 1) status_ = error("out of ideas");
  }
  Status status() const override { return status_; }

 private:
  bool fails_;
  mutable Status status_;
};

TEST(UrlFrontier, ReportsAnOrderingThatFailsAndKeepsTheFolderAsItWasBefore) {
  bool fails = true;
  AddedPolicy added;
  added.name = "failing";
  added.make = [&fails](const Spec&, const PolicyContext&) -> Result<std::unique_ptr<Policy>> {
    return std::unique_ptr<Policy>(std::make_unique<FailingPolicy>(fails));
  };
  ASSERT_TRUE(add_policy(std::move(added)).ok());
  TemporaryFolder folder;
  const UrlFrontierOptions options{.folder = folder / "f", .policy = "failing"};
  auto frontier = make_frontier(options);
  ASSERT_TRUE(frontier->add(inputs({"http://a/"}), Time{}).ok());
  take_urls(*frontier, Time{});
  complete_url(*frontier, "http://a/", {"http://b/"}, Time{});
  take_urls(*frontier, Time{});
  const std::vector<std::string> urls = {"http://c/"};
  const auto links = inputs(urls);
  EXPECT_THAT(frontier->complete("http://b/", {links}, Time{}).error().text, HasSubstr("out of ideas"));
  EXPECT_FALSE(frontier->take(Time(1ms)).ok());
  EXPECT_FALSE(frontier->close().ok());
  fails = false;
  const auto failed = std::move(frontier);  // it has given the folder back
  frontier = make_frontier(options);
  EXPECT_EQ(frontier->stats().urls, 2u);
  EXPECT_THAT(take_urls(*frontier, Time(1ms)), ElementsAre("http://b/"));
}

TEST(UrlFrontier, RemembersSettingsAndLeasesAfterAKill) {
  const TemporaryFolder folder;
  auto frontier = make_frontier({.folder = folder / "f", .policy = "bfs", .delay = 10ms});
  ASSERT_TRUE(frontier->add(inputs({"http://a/1", "http://a/2", "http://b/1", "http://c/1"}), Time{}).ok());
  ASSERT_TRUE(frontier->set_delay("a", 500ms, Time{}).ok());
  ASSERT_TRUE(frontier->block_until("b", Time(900ms), Time{}).ok());
  ASSERT_TRUE(frontier->set_limit("b", 7, Time{}).ok());
  take_urls(*frontier, Time(5ms), {.lease = 60ms});
  frontier.reset();  // like a kill: nothing is written at the end
  frontier = make_frontier({.folder = folder / "f"});
  EXPECT_EQ(frontier->default_delay(), 10ms);
  EXPECT_EQ(frontier->find_queue("a")->served, Time(5ms));
  EXPECT_EQ(frontier->find_queue("b")->limit, 7u);
  EXPECT_THAT(take_urls(*frontier, Time(10ms)), ElementsAre("http://c/1"));
  EXPECT_THAT(take_urls(*frontier, Time(504ms)), IsEmpty());
  EXPECT_THAT(take_urls(*frontier, Time(505ms), {.count = 9}), ElementsAre("http://a/1"));
  frontier.reset();
  // A lease without an end was that of the process that no longer exists.
  frontier = make_frontier({.folder = folder / "f"});
  EXPECT_EQ(frontier->stats().in_process, 0u);
}

// ---- Compared with the naive implementation

std::string random_url(Rng& rng) {
  return "http://h" + std::to_string(rng.below(5)) + "/" + std::to_string(rng.below(12));
}

std::vector<std::string> random_urls(Rng& rng, std::size_t most) {
  std::vector<std::string> urls;
  for (std::size_t i = rng.below(most + 1); i > 0; --i) urls.push_back(random_url(rng));
  std::vector<std::string> distinct;
  for (const std::string& url : urls) {
    if (std::find(distinct.begin(), distinct.end(), url) == distinct.end()) distinct.push_back(url);
  }
  return distinct;
}

// A random call on one frontier, or on one frontier and the naive implementation.
struct RandomCalls {
  explicit RandomCalls(std::uint64_t seed) : rng(seed) {}
  Rng rng;
  Time now{};

  Status call(UrlFrontier& frontier, NaiveUrlFrontier* naive) {
    now += Duration{rng.below(4) == 0 ? rng.below(40) : 0};
    if (naive != nullptr) naive->advance(now);
    switch (rng.below(12)) {
      case 0: {
        const auto urls = random_urls(rng, 3);
        BB_TRY_VOID(status_of(frontier.add(inputs(urls), now)));
        if (naive != nullptr) naive->add(urls);
        return {};
      }
      case 1: {
        const auto links = random_urls(rng, 4);
        const std::string parent = random_url(rng);
        BB_TRY_VOID(status_of(frontier.discover(parent, inputs(links), now)));
        if (naive != nullptr) naive->discover(parent, links);
        return {};
      }
      case 2:
      case 3:
      case 4:
      case 5:
        return take(frontier, naive);
      case 6:
      case 7:
      case 8: {
        const std::string url = random_url(rng);
        const auto links = random_urls(rng, 6);
        const Time due = rng.below(2) == 0 ? kForever : now + Duration{rng.below(60)};
        std::vector<UrlInput> with = inputs(links);
        // The naive implementation supports neither.
        for (UrlInput& link : with) {
          if (naive != nullptr) continue;
          link.follow = rng.below(5) != 0;
          link.priority = rng.below(4) == 0 ? static_cast<std::int32_t>(rng.below(7)) - 3 : 0;
        }
        BB_TRY_VOID(status_of(frontier.put_completed({url}, {with, due}, now)));
        if (naive != nullptr) naive->complete(naive->intern(url, NaiveUrlFrontier::host(url)), links, due);
        return {};
      }
      case 9: {
        const std::string url = random_url(rng);
        const Time due = now + Duration{rng.below(30)};
        BB_TRY(const bool leased, frontier.extend_lease(url, now + 100ms, now));
        if (naive != nullptr) {
          NaiveUrlFrontier::Page* const page = naive->find(url);
          EXPECT_EQ(leased, page != nullptr && page->state == UrlState::kLeased);
          if (leased) page->until = now + 100ms;
        }
        if (!leased || milliseconds_of(due) % 2 == 0) return {};
        BB_TRY_VOID(frontier.retry(url, due, now));
        if (naive != nullptr) naive->put_back(*naive->find(url), due);
        return {};
      }
      case 10: {
        const std::string url = random_url(rng);
        BB_TRY_VOID(status_of(frontier.remove(url, now)));
        if (naive != nullptr && naive->find(url) != nullptr) naive->remove(*naive->find(url));
        return {};
      }
      default:
        return set_queue(frontier, naive);
    }
  }

 private:
  template <typename T>
  static Status status_of(const Result<T>& result) {
    return result.ok() ? Status{} : Status(result.error());
  }
  Status take(UrlFrontier& frontier, NaiveUrlFrontier* naive) {
    TakeOptions options;
    options.count = 1 + rng.below(4);
    options.queues = rng.below(3);
    options.per_queue = rng.below(3);
    options.lease = Duration{1 + rng.below(50)};
    BB_TRY(const auto taken, frontier.take(now, options));
    if (naive == nullptr) return {};
    std::vector<std::string> urls;
    for (const TakenUrl& one : taken) urls.push_back(one.url);
    EXPECT_EQ(urls, naive->take(options.count, options.queues, options.per_queue, options.lease));
    return {};
  }
  Status set_queue(UrlFrontier& frontier, NaiveUrlFrontier* naive) {
    const std::string name = "h" + std::to_string(rng.below(5));
    const std::uint64_t number = rng.below(20);
    const Duration value{number};
    switch (rng.below(4)) {
      case 0:
        BB_TRY_VOID(frontier.set_delay(name, value - 1ms, now));
        if (naive != nullptr) naive->queue(name).delay = value - 1ms;
        return {};
      case 1:
        BB_TRY_VOID(frontier.block_until(name, now + value, now));
        if (naive != nullptr) naive->queue(name).blocked = now + value;
        return {};
      case 2:
        BB_TRY_VOID(frontier.set_limit(name, number, now));
        if (naive != nullptr) naive->queue(name).limit = number;
        return {};
      default:
        BB_TRY_VOID(frontier.set_delay("", value, now));
        if (naive != nullptr) naive->set_delay(value);
        return {};
    }
  }
};

void expect_same(UrlFrontier& frontier, NaiveUrlFrontier& naive) {
  std::size_t known = 0;
  for (auto& [url, page] : naive.pages()) {
    const auto status = *frontier.status(url);
    ASSERT_EQ(status.has_value(), page.known) << url;
    if (!page.known) continue;
    ++known;
    // A retry that is due only becomes queued in take().
    const auto state = [](UrlState one, bool completed) {
      return one == UrlState::kWaiting ? completed ? UrlState::kDue : UrlState::kQueued : one;
    };
    ASSERT_EQ(state_name(state(status->state, page.completed)), state_name(state(page.state, page.completed)))
        << url;
    ASSERT_EQ(status->completed, page.completed) << url;
    if (page.completed || page.state == UrlState::kCollected) continue;
    ASSERT_EQ(status->score, page.score) << url;
  }
  ASSERT_EQ(frontier.stats().urls, known);
}

TEST(UrlFrontier, AgreesWithTheNaiveImplementation) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    auto frontier = make_frontier();
    NaiveUrlFrontier naive;
    RandomCalls calls(seed);
    for (int i = 0; i < 250; ++i) {
      ASSERT_TRUE(calls.call(*frontier, &naive).ok());
      expect_same(*frontier, naive);
      if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", call " << i;
    }
  }
}

// ---- Kills and replays

std::string dump(UrlFrontier& frontier) {
  std::string text = fmt::format("active {} delay {}\n", frontier.active(), frontier.default_delay().count());
  const auto add_url = [&](const UrlStatus& one) {
    text +=
        fmt::format("{} {} {} {} {} {} {} {} {}\n", one.url, one.queue, one.payload, state_name(one.state),
                    one.completed, one.score.value_or(-1), milliseconds_of(one.due.value_or(Time(-1ms))),
                    milliseconds_of(one.leased_until.value_or(Time(-1ms))), milliseconds_of(one.queue_opens));
    return true;
  };
  const auto listed = frontier.for_each_url(0, "", add_url);
  EXPECT_TRUE(listed.ok()) << listed.error().text;
  frontier.for_each_queue([&](const UrlQueue& queue) {
    text += fmt::format("{} {} {} {} {} {} {} {}\n", queue.name, queue.delay.count(),
                        milliseconds_of(queue.blocked_until), milliseconds_of(queue.served), queue.limit,
                        queue.urls, queue.completed, queue.in_process);
    return true;
  });
  const UrlFrontierStats stats = frontier.stats();
  text += fmt::format("{} {} {} {} {} {} {}\n", stats.urls, stats.queues, stats.collected, stats.queued,
                      stats.links, stats.completed, stats.scheduled);
  return text;
}

// Runs the calls of a seed on a disk that fails at a step, then opens the folder: the state must be the
// one before or after the failed call.
void kill_at(const std::string& policy, std::uint64_t seed, std::uint64_t step, std::uint64_t memory,
             std::uint64_t& steps) {
  SimulatedDisk disk;
  disk.fail_at(step, SimulatedDisk::Fault::kPower);
  UrlFrontierOptions options{
      .folder = "f", .policy = policy, .memory = memory, .disk = &disk, .snapshot_bytes = 3000};
  auto reference = make_frontier({.policy = policy});
  RandomCalls calls(seed), same(seed);
  auto frontier = UrlFrontier::open(options);
  std::string before = dump(*reference);
  int done = 0;
  if (frontier.ok()) {
    for (; done < 150; ++done) {
      const Status status = calls.call(**frontier, nullptr);
      before = dump(*reference);
      ASSERT_TRUE(same.call(*reference, nullptr).ok());
      if (!status.ok()) break;
    }
  }
  steps = disk.steps();
  const std::unique_ptr<SimulatedDisk> left = disk.after_kill();
  options.disk = left.get();
  auto again = UrlFrontier::open(options);
  ASSERT_TRUE(again.ok()) << again.error().text;
  const std::string found = dump(**again);
  if (found == before) return;
  ASSERT_EQ(found, dump(*reference)) << "before:\n" << before;
}

TEST(UrlFrontier, SurvivesAKillAtAnyByte) {
  for (const std::string policy : {"backlink", "fpr@100", "opic"}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      std::uint64_t steps = 0, total = 0;
      kill_at(policy, seed, ~std::uint64_t{0}, 0, total);
      Rng rng(seed);
      for (int i = 0; i < 12; ++i) {
        const std::uint64_t step = rng.below(total);
        kill_at(policy, seed, step, seed % 2 == 0 ? UrlFrontierOptions::kLeastMemory : 0, steps);
        if (::testing::Test::HasFailure()) FAIL() << policy << ", seed " << seed << ", step " << step;
      }
    }
  }
}

TEST(UrlFrontier, ContinuesAfterAKillAsIfThereHadBeenNone) {
  for (const std::string policy : {"backlink", "fpr@100", "opic", "lipr", "batch-pagerank"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SimulatedDisk disk;
      UrlFrontierOptions options{.folder = "f", .policy = policy, .disk = &disk, .snapshot_bytes = 3000};
      auto reference = make_frontier({.policy = policy});
      RandomCalls calls(seed), same(seed);
      auto frontier = make_frontier(options);
      for (int i = 0; i < 400; ++i) {
        ASSERT_TRUE(calls.call(*frontier, nullptr).ok());
        ASSERT_TRUE(same.call(*reference, nullptr).ok());
        if (i % 25 != 24) continue;
        frontier.reset();
        frontier = make_frontier(options);
        ASSERT_EQ(dump(*frontier), dump(*reference)) << policy << ", seed " << seed << ", call " << i;
      }
    }
  }
}

}  // namespace
}  // namespace bowerbird
