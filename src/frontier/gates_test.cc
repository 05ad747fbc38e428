// Host gates, retries and pages in flight: the frontier compared with a scan over all pages.
#include "frontier/gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "frontier/crawl_testing.h"

namespace bowerbird {
namespace {

using namespace testing_web;
using testing::UnorderedElementsAreArray;

// Knows the gates and when each page may be tried; takes scores and states from the frontier and scans all
// pages for the next one.
class Scan {
 public:
  Scan(const TestWeb& web, const Frontier& frontier) : web_(web), frontier_(frontier) {
    number_.assign(web.pages(), -1);
  }
  void discover(PageId page) {
    if (number_[page] < 0) move_to_end(page);
  }
  void move_to_end(PageId page) { number_[page] = next_number_++; }
  void block(HostId host, SharedGateId gate, Time until) {
    behind[host] = gate;
    shared_opens[gate] = until;
  }
  std::map<HostId, Time> opens;
  std::map<HostId, SharedGateId> behind;
  std::map<SharedGateId, Time> shared_opens;
  std::map<PageId, Time> due;

  std::optional<PageId> best(Time now, HostId of = kNoHost) const {
    std::optional<PageId> best;
    for (PageId page = 0; page < web_.pages(); ++page) {
      if (of != kNoHost && web_.host_of(page) != of) continue;
      if (time_of(page) > now || gate_of(page) > now || shared_gate_of(page) > now) continue;
      if (!best || better(page, *best)) best = page;
    }
    return best;
  }
  std::optional<Time> next_opening(Time now) const {
    Time earliest = kNever;
    for (PageId page = 0; page < web_.pages(); ++page) {
      if (time_of(page) == kNever) continue;
      const Time gates = std::max(gate_of(page), shared_gate_of(page));
      earliest = std::min(earliest, time_of(page) > now ? time_of(page) : gates);
    }
    return earliest == kNever ? std::nullopt : std::optional<Time>(earliest);
  }

 private:
  Time time_of(PageId page) const {
    const PageState state = frontier_.state(page);
    if (state == PageState::kWaiting) return due.at(page);
    return state == PageState::kQueued ? Time::min() : kNever;
  }
  Time gate_of(PageId page) const {
    const auto found = opens.find(web_.host_of(page));
    return found == opens.end() ? Time::min() : found->second;
  }
  Time shared_gate_of(PageId page) const {
    const auto found = behind.find(web_.host_of(page));
    return found == behind.end() ? Time::min() : shared_opens.at(found->second);
  }
  bool better(PageId a, PageId b) const {
    const Score x = *frontier_.score(a), y = *frontier_.score(b);
    return x > y || (x == y && number_[a] < number_[b]);
  }

  const TestWeb& web_;
  const Frontier& frontier_;
  std::vector<int> number_;
  int next_number_ = 0;
};

// Scores that jump up and down with every link.
class Wild final : public Policy {
 public:
  Score seed(const Seed& seed) override { return static_cast<double>(seed.page); }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) link.score = static_cast<double>(draw(visit.crawled, link.page) % 20);
  }
};

std::unique_ptr<Policy> policy_of(const std::string& spec) {
  if (spec == "wild") return std::make_unique<Wild>();
  auto policy = make_policy(spec, {.expected_pages = 150});
  EXPECT_TRUE(policy.ok()) << spec;
  return std::move(*policy);
}

constexpr std::size_t kNotGrouped = ~std::size_t{0};

// A crawl with several pages in flight, hosts that close for random times, alone or together with others, and
// pages that fail now and then. After `group_at` pages, the pages are grouped by host, and one is taken out
// and put back now and then.
void crawl_with_gates(const std::string& policy, std::uint64_t seed, std::size_t group_at = kNotGrouped) {
  const TestWeb web = random_web(seed, 150, 6);
  const std::vector<PageId> seeds = {0, 7, 3};
  const auto frontier = std::move(
      *Frontier::make({}, policy_of(policy), {}, [&web](PageId page) { return web.host_of(page); }));
  Scan scan(web, *frontier);
  for (const PageId page : seeds) scan.discover(page);
  give_seeds(*frontier, seeds);
  Rng rng(seed);
  std::vector<PageId> flying, order;
  Time now{};
  for (;;) {
    if (order.size() >= group_at) {
      frontier->group_by_host();
      for (HostId host = 0; host < 6; ++host) {
        const auto best = frontier->best_of(host, now);
        const auto expected = scan.best(now, host);
        ASSERT_EQ(best.has_value(), expected.has_value()) << policy << " at " << milliseconds_of(now);
        ASSERT_TRUE(!best || best->page() == *expected) << policy << " at " << milliseconds_of(now);
      }
      const auto page = static_cast<PageId>(rng.below(web.pages()));
      if (frontier->state(page) == PageState::kQueued) {
        const auto released = frontier->release(std::array{page});
        ASSERT_EQ(released.size(), 1u);
        ASSERT_EQ(frontier->state(page), PageState::kUndiscovered);
        frontier->adopt(page, false, released[0].score);
        scan.move_to_end(page);
      }
    }
    const std::optional<PageId> expected = scan.best(now);
    const auto job = frontier->best(now);
    ASSERT_EQ(job.has_value(), expected.has_value()) << policy << " at " << milliseconds_of(now);
    if (job) {
      ASSERT_EQ(job->page, *expected) << policy << " at " << milliseconds_of(now);
      if (rng.below(4) == 0 && group_at < kNotGrouped) {
        const HostId host = web.host_of(job->page);
        scan.opens[host] = now + Duration{1 + rng.below(10)};
        frontier->block(*job, scan.opens[host]);
        continue;
      }
      if (group_at == kNotGrouped && rng.below(4) == 0) {
        const auto gate = static_cast<SharedGateId>(1 + rng.below(2));
        scan.block(web.host_of(job->page), gate, now + Duration{1 + rng.below(10)});
        frontier->block(*job, scan.shared_opens[gate], gate);
        continue;
      }
      frontier->take(*job);
      scan.behind.erase(web.host_of(job->page));
      flying.push_back(job->page);
      if (rng.below(4) != 0) {
        const HostId host = web.host_of(job->page);
        scan.opens[host] = now + Duration{rng.below(30)};
        frontier->set_gate(host, scan.opens[host]);
      }
    } else {
      const auto opening = frontier->next_opening();
      // A page may be behind two gates, one after the other.
      const auto all_open = scan.next_opening(now);
      ASSERT_EQ(opening.has_value(), all_open.has_value()) << policy << " at " << milliseconds_of(now);
      ASSERT_TRUE(!opening || (*opening > now && *opening <= *all_open))
          << policy << " at " << milliseconds_of(now);
      if (!opening && flying.empty()) break;
      // Now and then a gate opens early.
      if (!scan.opens.empty() && rng.below(3) == 0) {
        auto& [host, opens] = *scan.opens.begin();
        opens = now;
        frontier->set_gate(host, now);
      }
    }
    now += Duration{rng.below(4)};
    while (!flying.empty() && (flying.size() > 3 || !job || rng.below(2) == 0)) {
      const std::size_t i = rng.below(flying.size());
      const PageId page = flying[i];
      flying.erase(flying.begin() + static_cast<std::ptrdiff_t>(i));
      if (rng.below(6) == 0) {
        scan.due[page] = now + Duration{rng.below(20)};
        frontier->retry(page, scan.due[page]);
        if (milliseconds_of(scan.due[page]) % 8 == 0) frontier->end_wait(page);
      } else {
        for (const PageId to : web.out[page]) scan.discover(to);
        frontier->complete(page, web.links(page));
        order.push_back(page);
      }
    }
  }
  EXPECT_THAT(order, UnorderedElementsAreArray(web.reachable(seeds))) << policy;
}

// Orderings whose scores rise, fall, are all recomputed, or stay.
TEST(Gates, TheBestPageOfTheHostsThatMayBeAskedIsNext) {
  for (const char* policy : {"backlink", "fpr@100", "ieca", "opic", "batch-pagerank:k=5", "bfs", "wild"}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) crawl_with_gates(policy, seed);
  }
}

TEST(Gates, TheBestPageOfEachHostIsKnownIfPagesAreGrouped) {
  for (const char* policy : {"backlink", "fpr@100", "ieca", "opic", "batch-pagerank:k=5", "bfs", "wild"}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) crawl_with_gates(policy, seed, seed % 3 * 20);
  }
}

TEST(Gates, OfOneHostOnlyTheBestPageReturnsWhenItOpens) {
  // 0 reveals 1 to 9, all on one host that closes.
  TestWeb web = {.out = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {}, {}, {}, {}, {}, {}, {}, {}, {}},
                 .host = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                 .location = {}};
  const auto frontier = make_frontier(web, {.policy = "bfs"}, {});
  give_seeds(*frontier, {0});
  frontier->complete(frontier->next(Time{})->page, web.links(0));
  Time now{};
  for (PageId page = 1; page < 10; ++page) {
    const auto job = frontier->next(now);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->page, page);
    frontier->set_gate(1, now + 10ms);
    EXPECT_FALSE(frontier->next(now + 9ms));
    frontier->complete(page, {});
    if (page < 9) {
      EXPECT_FALSE(frontier->next(now + 9ms));
      EXPECT_EQ(frontier->next_opening(), now + 10ms);
    }
    EXPECT_EQ(frontier->counts().primary, 9u - page);
    now += 10ms;
  }
  EXPECT_FALSE(frontier->next_opening());
}

TEST(Gates, OfTheHostsThatShareAGateOnlyTheBestPageReturnsWhenItOpens) {
  constexpr PageId kHosts = 100;
  TestWeb web = {.out = std::vector<std::vector<PageId>>(kHosts), .host = {}, .location = {}};
  std::vector<PageId> seeds;
  for (PageId page = 0; page < kHosts; ++page) {
    web.host.push_back(page);
    seeds.push_back(page);
  }
  const auto frontier = make_frontier(web, {.policy = "bfs"}, {});
  give_seeds(*frontier, seeds);
  constexpr SharedGateId kAddress = 7;
  std::uint64_t blocked = 0;
  Time now{}, address_opens{};
  std::vector<PageId> order;
  while (order.size() < kHosts) {
    const auto job = frontier->best(now);
    if (!job) {
      EXPECT_EQ(frontier->hosts_waiting(), kHosts - order.size());
      ASSERT_EQ(frontier->next_opening(), address_opens);
      now = address_opens;
    } else if (address_opens > now) {
      frontier->block(*job, address_opens, kAddress);
      ++blocked;
    } else {
      frontier->take(*job);
      address_opens = now + 10ms;
      order.push_back(job->page);
      frontier->complete(job->page, {});
    }
  }
  EXPECT_EQ(order, seeds) << "the best first";
  EXPECT_LE(blocked, 2 * kHosts) << "each host once, and one for each page";
}

TEST(Gates, AreForgottenWhenTheyHaveLongBeenOpen) {
  OffQueue off_queue;
  Gates gates(off_queue);
  for (HostId host = 0; host < 100'000; ++host) gates.set(host, Time{Duration{host}}, Time{Duration{host}});
  EXPECT_LT(gates.bytes(), 500'000u);
  EXPECT_FALSE(gates.closed(5, Time(100s)));
  EXPECT_TRUE(gates.closed(99'999, Time(99'998ms)));
}

TEST(Gates, SurviveASnapshot) {
  const TestWeb web = random_web(4, 150, 6);
  const auto first = make_frontier(web, {.policy = "fpr"}, {});
  give_seeds(*first, {0, 3});
  Time now{};
  std::vector<PageId> flying;
  for (int i = 0; i < 60; ++i) {
    const auto job = first->next(now);
    if (!job) {
      now = first->next_opening().value_or(now);
      continue;
    }
    first->set_gate(web.host_of(job->page), now + 7ms);
    if (i % 4 == 0) first->set_gate(web.host_of(job->page), now + 20ms, static_cast<SharedGateId>(1 + i % 3));
    if (i % 9 == 0) {
      first->retry(job->page, now + 40ms);
    } else if (i % 7 == 0) {
      flying.push_back(job->page);
    } else {
      first->complete(job->page, web.links(job->page));
    }
  }
  std::string bytes;
  ByteWriter writer(bytes);
  first->save(writer);
  const auto second = make_frontier(web, {.policy = "fpr"}, {});
  ByteReader reader(bytes);
  ASSERT_TRUE(second->load(reader).ok());
  EXPECT_EQ(first->in_flight(), second->in_flight());
  EXPECT_THAT(first->in_flight(), UnorderedElementsAreArray(flying));
  for (PageId page = 0; page < web.pages(); ++page) {
    ASSERT_EQ(first->state(page), second->state(page)) << page;
    ASSERT_EQ(first->score(page), second->score(page)) << page;
  }
  for (const PageId page : flying) {
    first->retry(page, now);
    second->retry(page, now);
  }
  for (int i = 0; i < 400; ++i) {
    const auto a = first->next(now), b = second->next(now);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) {
      ASSERT_EQ(a->page, b->page);
      for (Frontier* frontier : {first.get(), second.get()}) {
        frontier->set_gate(web.host_of(a->page), now + 5ms);
        frontier->complete(a->page, web.links(a->page));
      }
    } else {
      now = first->next_opening().value_or(now + 1ms);
    }
  }
  EXPECT_EQ(first->counts().crawled, web.reachable({0, 3}).size());
  EXPECT_EQ(second->counts().crawled, first->counts().crawled);
}

}  // namespace
}  // namespace bowerbird
