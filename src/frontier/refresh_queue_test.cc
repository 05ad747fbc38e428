#include "frontier/refresh_queue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/rng.h"
#include "frontier/naive_refresh.h"

namespace bowerbird {
namespace {

// A moment, given by the time since the start.
RefreshTime at(Duration since_start) {
  return RefreshTime{since_start};
}

RefreshOptions options_for(std::string_view policy, bool learn = true) {
  RefreshOptions options;
  options.rule = find_refresh_rule(policy).value();
  options.learn = learn;
  options.longest = 0ms;
  return options;
}

// Times that the queue counts without rounding.
RefreshTime whole_ticks(double day) {
  return RefreshTime{std::chrono::duration_cast<std::chrono::seconds>(Days(day))};
}
double day_of(RefreshTime time) {
  return Days(time.time_since_epoch()).count();
}

struct TwinCase {
  std::string policy;
  bool learn;
  HostId hosts;
  bool exact;  // the exact best page is required, as in a small collection
};

class RefreshTwin : public testing::TestWithParam<TwinCase> {
 protected:
  static constexpr PageId kPages = 300;

  HostOf hosts() const {
    const HostId count = GetParam().hosts;
    return [count](PageId page) { return page % count; };
  }
};

// Pages are discovered, fetched, change or not, fail, become more or less important; gates open and close.
TEST_P(RefreshTwin, EveryChoiceHasAtLeast95PercentOfTheLargestValue) {
  RefreshOptions options = options_for(GetParam().policy, GetParam().learn);
  if (!GetParam().exact) options.exact_pages = 0;
  RefreshQueue queue(options, hosts());
  NaiveRefresh twin;
  twin.rule = options.rule;
  twin.host_of = hosts();
  twin.learn = options.learn;
  twin.shortest = Days(options.shortest).count();
  Rng rng(5);
  const auto importance = [&] { return std::pow(0.001 + rng.unit(), 3); };
  const auto add = [&](PageId page, RefreshTime now, bool is_new) {
    const double w = importance();
    is_new ? queue.discovered(page, w, now) : queue.hold(page, w, now);
    twin.add(page, w, day_of(now), is_new);
    if (!options.learn) {
      const double rate = std::exp(3 * rng.unit() - 4);
      queue.set_rate(page, rate);
      twin.pages[page].rate = rate;
    }
  };
  std::vector<double> true_rates(kPages);
  for (double& rate : true_rates) rate = std::exp(4 * rng.unit() - 5);
  for (PageId page = 0; page < kPages / 2; ++page) add(page, at(0ms), false);
  PageId known = kPages / 2;
  double worst = 1;
  std::uint64_t chosen = 0;
  for (int step = 1; step <= 6000; ++step) {
    const RefreshTime now = whole_ticks(step * 0.01);
    const double day = day_of(now);
    if (rng.below(20) == 0 && known < kPages) add(known++, now, true);
    if (rng.below(3) == 0) {
      const auto host = static_cast<HostId>(rng.below(GetParam().hosts));
      const bool open = rng.below(3) > 0;
      queue.set_gate(host, open);
      if (open)
        twin.closed.erase(host);
      else
        twin.closed.insert(host);
    }
    if (rng.below(10) == 0) {
      const auto page = static_cast<PageId>(rng.below(known));
      const double w = importance();
      queue.set_importance(page, w);
      twin.pages[page].importance = w;
    }
    if (step % 1500 == 0) {
      const double scale = step % 3000 == 0 ? 1 : 0.001;
      for (auto& [id, page] : twin.pages) page.importance = scale * importance();
      for (HostId host = 0; host < GetParam().hosts; ++host) {
        queue.set_importance(host, [&](PageId page, double) { return twin.pages[page].importance; });
      }
    }
    const auto best = twin.best(day);
    const auto choice = queue.choose(now);
    ASSERT_EQ(choice.has_value(), best.has_value()) << step;
    if (!choice) continue;
    const NaiveRefresh::Page& page = twin.pages[choice->page];
    ASSERT_TRUE(twin.eligible(choice->page, page, day)) << step;
    ASSERT_EQ(choice->is_new, page.is_new);
    worst = std::min(worst, twin.value(page, day) / twin.value(twin.pages[*best], day));
    ++chosen;
    if (rng.below(50) == 0) {
      queue.visited(choice->page, {now, RefreshOutcome::kFailed});
      twin.pages[choice->page].since = day;
      continue;
    }
    const bool changed = rng.unit() < 1 - std::exp(-true_rates[choice->page] * (day - page.since));
    queue.visited(choice->page, {now, changed ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged});
    twin.visited(choice->page, day, changed);
  }
  EXPECT_GE(worst, GetParam().exact ? 0.998 : 0.95);             // times are rounded
  EXPECT_GT(chosen, GetParam().policy == "none" ? 50u : 3500u);  // a third of all gates is closed
}

std::vector<TwinCase> cases() {
  std::vector<TwinCase> all;
  for (const RefreshRule& rule : refresh_rules()) {
    for (const bool learn : {true, false}) {
      for (const HostId hosts : {1u, 7u}) {
        for (const bool exact : {true, false}) all.push_back({std::string(rule.name), learn, hosts, exact});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Policies, RefreshTwin, testing::ValuesIn(cases()), [](const auto& given) {
  std::string name = given.param.policy + (given.param.learn ? "_learned_" : "_known_") +
                     std::to_string(given.param.hosts) + (given.param.exact ? "_hosts_exact" : "_hosts");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// A queue with some history, of pages 0 ... n-1.
void live(RefreshQueue& queue, RefreshTime& now, int steps) {
  for (int i = 0; i < steps; ++i) {
    now += 10min;
    const auto choice = queue.choose(now);
    if (!choice) continue;
    const bool changed = draw(choice->page, static_cast<std::uint64_t>(milliseconds_of(now))) % 3 == 0;
    queue.visited(choice->page, {now, changed ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged});
  }
}

HostOf ten_hosts() {
  return [](PageId page) { return page / 20 % 10; };
}

TEST(RefreshQueue, GoesOnFromASnapshotAsIfNothingHadHappened) {
  for (const RefreshRule& rule : refresh_rules()) {
    RefreshOptions options = options_for(rule.name);
    options.longest = 3 * kDay;
    RefreshQueue queue(options, ten_hosts());
    RefreshTime now = at(1'700'000'000s);
    for (PageId page = 0; page < 150; ++page) queue.hold(page, 1.0 / (page + 1), now);
    for (PageId page = 150; page < 200; ++page) queue.discovered(page, 0.01, now);
    live(queue, now, 500);
    queue.set_gate(3, false);
    const auto flying = queue.choose(now + 1s);
    std::string bytes;
    ByteWriter out(bytes);
    queue.save(out);
    RefreshQueue other(options, ten_hosts());
    ByteReader in(bytes);
    ASSERT_TRUE(other.load(in).ok()) << rule.name;
    std::string again;
    ByteWriter out_again(again);
    other.save(out_again);
    EXPECT_EQ(bytes, again);
    for (int i = 0; i < 300; ++i) {
      now += 1000s;
      const auto a = queue.choose(now), b = other.choose(now);
      ASSERT_EQ(a.has_value(), b.has_value());
      if (i == 100 && flying) {
        queue.visited(flying->page, {now, RefreshOutcome::kChanged});
        other.visited(flying->page, {now, RefreshOutcome::kChanged});
      }
      if (!a) continue;
      ASSERT_EQ(a->page, b->page) << rule.name << " " << i;
      for (RefreshQueue* one : {&queue, &other}) one->visited(a->page, {now, RefreshOutcome::kChanged});
    }
  }
}

TEST(RefreshQueue, ADamagedSnapshotIsRefused) {
  RefreshQueue queue(options_for("index"), ten_hosts());
  RefreshTime now{};
  for (PageId page = 0; page < 50; ++page) queue.hold(page, 1, now);
  live(queue, now, 50);
  std::string bytes;
  ByteWriter out(bytes);
  queue.save(out);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 7) {
    RefreshQueue other(options_for("index"), ten_hosts());
    ByteReader in(std::string_view(bytes).substr(0, cut));
    EXPECT_FALSE(other.load(in).ok()) << cut;
  }
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 0xff);
    RefreshQueue other(options_for("index"), ten_hosts());
    ByteReader in(bad);
    if (!other.load(in).ok()) continue;
    RefreshTime later = now;
    live(other, later, 20);  // whatever it holds, it can be used
  }
}

TEST(RefreshQueue, TakesAtMost32BytesPerPage) {
  for (const HostId hosts : {50u, 330u}) {
    RefreshQueue queue(options_for("index-age"), [hosts](PageId page) { return page % hosts; });
    constexpr PageId kMany = 100'000;
    for (PageId page = 0; page < kMany; ++page) queue.hold(page, 1, at(0ms));
    EXPECT_LE(queue.bytes(), 32u * kMany) << hosts;
  }
}

TEST(RefreshQueue, NoPageIsFetchedAgainBeforeTheShortestInterval) {
  RefreshOptions options = options_for("uniform");
  options.shortest = kHour;
  RefreshQueue queue(options);
  queue.hold(0, 1, at(0ms));
  EXPECT_FALSE(queue.choose(at(kHour - 1s)));
  ASSERT_TRUE(queue.next_time());
  EXPECT_GE(*queue.next_time(), at(kHour - 5s));
  EXPECT_LE(*queue.next_time(), at(kHour + 5s));
  const auto choice = queue.choose(at(kHour + 5s));
  ASSERT_TRUE(choice);
  EXPECT_FALSE(queue.choose(at(2 * kHour))) << "it is in flight";
}

// In a large collection it is filed below the price at once, and is found again when no other page is left.
TEST(RefreshQueue, NorIfItIsTheOnlyPageLeft) {
  RefreshOptions options = options_for("uniform");
  options.exact_pages = 0;
  RefreshQueue queue(options, [](PageId page) { return HostId{page}; });
  const RefreshTime now{10 * kDay};
  for (const PageId page : {0u, 1u}) queue.hold(page, 1, RefreshTime{});
  for (int i = 0; i < 2; ++i) {
    const auto choice = queue.choose(now);
    ASSERT_TRUE(choice);
    queue.visited(choice->page, {now, RefreshOutcome::kUnchanged});
  }
  queue.set_gate(0, false);
  EXPECT_FALSE(queue.choose(now + kHour - 1s));
  ASSERT_TRUE(queue.next_time());
  EXPECT_NEAR(static_cast<double>(milliseconds_of(*queue.next_time())),
              static_cast<double>(milliseconds_of(now + kHour)), 5000);
  const auto choice = queue.choose(now + kHour + 5s);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->page, 1u);
}

TEST(RefreshQueue, APageWithoutValueIsNotChosenYet) {
  for (const std::string_view policy : {"uniform", "importance", "proportional", "index-age"}) {
    RefreshQueue queue(options_for(policy));
    queue.discovered(0, 1, at(kDay));
    EXPECT_FALSE(queue.choose(at(kDay))) << policy << ": it was discovered just now";
    EXPECT_TRUE(queue.choose(at(kDay + 1s))) << policy;
  }
}

TEST(RefreshQueue, PagesThatWaitedLongestTakeATenthOfTheChoices) {
  RefreshOptions options = options_for("importance", false);
  options.longest = 10 * kDay;
  RefreshQueue queue(options);
  for (PageId page = 0; page < 400; ++page) queue.hold(page, page == 0 ? 1.0 : 1e-9, at(0ms));
  RefreshTime now = at(20 * kDay);
  std::uint64_t overdue = 0;
  PageId last = 0;
  for (int i = 0; i < 1000; ++i) {
    now += 2 * kHour;
    const auto choice = queue.choose(now);
    ASSERT_TRUE(choice);
    if (choice->overdue) {
      ++overdue;
      EXPECT_GE(choice->page, last) << "oldest first";
      last = choice->page;
    }
    queue.visited(choice->page, {now, RefreshOutcome::kUnchanged});
  }
  EXPECT_NEAR(static_cast<double>(overdue), 100, 2);
  EXPECT_EQ(queue.counts().overdue_choices, overdue);
}

std::uint64_t new_of_100(double least, double most, double importance_of_new) {
  RefreshOptions options = options_for("index-age", false);
  options.least_new = least;
  options.most_new = most;
  RefreshQueue queue(options);
  for (PageId page = 0; page < 1000; ++page) {
    page < 500 ? queue.hold(page, 1, at(0ms)) : queue.discovered(page, importance_of_new, at(0ms));
    queue.set_rate(page, 0.1);
  }
  for (int i = 1; i <= 100; ++i) {
    const RefreshTime now = at(i * kDay);
    const auto choice = queue.choose(now);
    queue.visited(choice->page, {now, RefreshOutcome::kUnchanged});
  }
  return queue.counts().new_choices;
}

TEST(RefreshQueue, TheShareOfDiscoveryKeepsWithinItsBounds) {
  EXPECT_EQ(new_of_100(0, 1, 1e-6), 0u);
  EXPECT_NEAR(static_cast<double>(new_of_100(0.2, 1, 1e-6)), 20, 1);
  EXPECT_EQ(new_of_100(0, 1, 1e6), 100u);
  EXPECT_NEAR(static_cast<double>(new_of_100(0, 0.3, 1e6)), 30, 1);
}

TEST(RefreshQueue, AnnouncementsAreDueAtOnceUntilTheirHostHasLiedTooOften) {
  RefreshQueue queue(options_for("index-age"));
  for (PageId page = 0; page < 100; ++page) queue.hold(page, page < 50 ? 1 : 1e-6, at(0ms));
  RefreshTime now = at(kDay);
  live(queue, now, 200);
  for (PageId page = 60; page < 70; ++page) {
    now += kHour + 10s;
    ASSERT_TRUE(queue.announced(0, {{page}}, now));
    const auto choice = queue.choose(now);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->page, page);
    queue.visited(page, {now, page < 64 ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged});
  }
  EXPECT_FALSE(queue.announced(0, {{75}}, now));
}

TEST(RefreshQueue, ARoundOffersEachPageOnce) {
  RefreshOptions options = options_for("uniform");
  options.longest = 5 * kDay;
  RefreshQueue queue(options);
  for (PageId page = 0; page < 30; ++page) queue.hold(page, 1, at(page * kHour));
  options.round = at(20 * kDay);
  queue.set_options(options, options.round);
  std::set<PageId> seen;
  for (RefreshTime now = options.round; const auto choice = queue.choose(now); now += kDay) {
    EXPECT_TRUE(seen.insert(choice->page).second);
    queue.visited(choice->page, {now, RefreshOutcome::kUnchanged});
  }
  EXPECT_EQ(seen.size(), 30u);
  EXPECT_FALSE(queue.next_time());
  options.round = at(60 * kDay);
  queue.set_options(options, options.round);
  EXPECT_TRUE(queue.choose(options.round));
}

TEST(RefreshQueue, CountsTimeForCenturies) {
  for (const std::uint64_t exact : {0u, 4096u}) {
    RefreshOptions options = options_for("index-age");
    options.exact_pages = exact;
    RefreshQueue queue(options, ten_hosts());
    for (PageId page = 0; page < 100; ++page) queue.hold(page, 1.0 / (page + 1), at(0ms));
    RefreshTime now = at(0ms);
    std::uint64_t choices = 0;
    for (const int years : {1, 3, 9, 18, 40, 80, 1}) {
      now += years * 365 * kDay;
      std::set<PageId> seen;
      for (int visits = 0; visits < 99; now += 30s) {
        const auto choice = queue.choose(now);
        ASSERT_TRUE(choice) << years << " " << visits;
        ++choices;
        EXPECT_TRUE(seen.insert(choice->page).second) << "it has just been fetched, or is postponed";
        EXPECT_GT(choice->value, 0);
        if (choice->page == 99) {
          queue.postpone(99, now + kDay);
          continue;
        }
        queue.visited(choice->page, {now, RefreshOutcome::kChanged});
        EXPECT_EQ(queue.facts(choice->page).since, now);
        ++visits;
      }
    }
    EXPECT_EQ(queue.counts().choices, choices);
    std::string saved;
    ByteWriter out(saved);
    queue.save(out);
    RefreshQueue other(options, ten_hosts());
    ByteReader in(saved);
    ASSERT_TRUE(other.load(in).ok());
    now += kDay;
    const auto choice = queue.choose(now), again = other.choose(now);
    ASSERT_TRUE(choice && again);
    EXPECT_EQ(choice->page, again->page);
  }
}

TEST(RefreshQueue, APostponedPageWaits) {
  for (const Duration longest : {Duration{}, kDay}) {
    RefreshOptions options = options_for("uniform");
    options.longest = longest;
    RefreshQueue queue(options);
    queue.hold(0, 1, at(0ms));
    queue.discovered(1, 1, at(0ms));
    for (int i = 0; i < 2; ++i) {
      const auto choice = queue.choose(at(3 * kDay));
      ASSERT_TRUE(choice);
      queue.postpone(choice->page, at(4 * kDay));
    }
    EXPECT_FALSE(queue.choose(at(4 * kDay - kHour))) << longest.count();
    EXPECT_TRUE(queue.choose(at(4 * kDay + kHour)));
    EXPECT_TRUE(queue.choose(at(4 * kDay + kHour)));
  }
}

TEST(RefreshQueue, GatesMayBeClosedForNewPagesOrHeldOnesAlone) {
  RefreshQueue queue(options_for("uniform"));
  queue.hold(0, 1, at(0ms));
  queue.discovered(1, 1, at(0ms));
  queue.set_gate(0, false, RefreshWant::kNew);
  EXPECT_EQ(queue.best(at(kDay))->page, 0u);
  queue.set_gate(0, true);
  queue.set_gate(0, false, RefreshWant::kHeld);
  EXPECT_EQ(queue.best(at(kDay))->page, 1u);
  queue.set_gate(0, false);
  EXPECT_FALSE(queue.best(at(kDay)));
}

TEST(RefreshQueue, LookingForTheBestChangesNothing) {
  RefreshQueue one(options_for("index-age"), ten_hosts()), other(options_for("index-age"), ten_hosts());
  for (PageId page = 0; page < 100; ++page) {
    for (RefreshQueue* queue : {&one, &other}) queue->hold(page, 1.0 / (page + 1), at(0ms));
  }
  for (int i = 1; i <= 300; ++i) {
    const RefreshTime now = at(i * kHour);
    one.best(now);
    const auto best = one.best(now);
    const auto choice = other.choose(now);
    ASSERT_EQ(best.has_value(), choice.has_value());
    if (!best) continue;
    ASSERT_EQ(best->page, choice->page);
    one.take(*best);
    for (RefreshQueue* queue : {&one, &other}) {
      queue->visited(choice->page, {now, i % 3 == 0 ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged});
    }
  }
}

TEST(RefreshQueue, APageThatIsGoneIsForgotten) {
  RefreshQueue queue(options_for("uniform"));
  for (PageId page = 0; page < 30; ++page) queue.hold(page, 1, at(page * 1ms));
  for (PageId page = 0; page < 20; ++page) {
    const auto choice = queue.choose(at(2 * kHour + page * 1s));
    ASSERT_TRUE(choice);
    queue.visited(choice->page, {at(2 * kHour + page * 1s), RefreshOutcome::kGone});
    EXPECT_FALSE(queue.knows(choice->page));
  }
  queue.remove(29);
  EXPECT_EQ(queue.counts().held, 9u);
  std::set<PageId> left;
  while (const auto choice = queue.choose(at(3 * kHour))) left.insert(choice->page);
  EXPECT_EQ(left.size(), 9u);
}

TEST(RefreshQueue, ACredibleDateTeachesWhenThePageChanged) {
  RefreshQueue queue(options_for("index-age"));
  queue.hold(0, 1, at(0ms));
  queue.hold(1, 1, at(0ms));
  queue.visited(0, {at(10 * kDay), RefreshOutcome::kChanged, at(9 * kDay), at(10 * kDay)});
  queue.visited(1, {at(10 * kDay), RefreshOutcome::kChanged, at(10 * kDay), at(10 * kDay)});
  EXPECT_EQ(queue.facts(0).history.dated, 1);
  EXPECT_NEAR(queue.facts(0).history.days, 1, 1e-6);
  EXPECT_EQ(queue.facts(1).history.changes, 1) << "a date of the moment is no date";
}

TEST(RefreshQueue, PagesMoveWithAllThatIsKnownOfThem) {
  RefreshQueue one(options_for("index")), other(options_for("index"));
  one.hold(0, 0.5, at(kDay));
  one.visited(0, {at(3 * kDay), RefreshOutcome::kChanged});
  const RefreshFacts facts = one.facts(0);
  other.adopt(7, facts);
  one.remove(0);
  EXPECT_FALSE(one.knows(0));
  EXPECT_EQ(other.facts(7).since, at(3 * kDay));
  EXPECT_EQ(other.facts(7).history.changes, 1);
  EXPECT_EQ(other.facts(7).rate, facts.rate);
}

TEST(RefreshQueue, AnAdoptedPageWithoutVisitsChangesLikeThoseAdoptedAfterIt) {
  RefreshQueue queue(options_for("index-age"));
  queue.adopt(0, {1, 0, at(0ms), false, {}});
  const double before = queue.rate(0);
  for (PageId page = 1; page < 200; ++page) queue.adopt(page, {1, 0, at(0ms), false, {5, 0, 9, 10}});
  EXPECT_GT(queue.rate(0), 5 * before);
  EXPECT_NEAR(queue.rate(0), queue.host_rate(0), 0.11 * queue.host_rate(0));
}

TEST(RefreshQueue, SaysWhenAPageIsDue) {
  RefreshOptions options = options_for("uniform", false);
  options.longest = 5 * kDay;
  RefreshQueue queue(options);
  for (PageId page = 0; page < 10; ++page) queue.hold(page, 1, at(page * kHour));
  const auto choice = queue.choose(at(2 * kDay));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->page, 0u);
  ASSERT_TRUE(queue.due(1));
  EXPECT_GE(*queue.due(1), at(2 * kDay + kHour - 1s));
  EXPECT_LE(*queue.due(1), at(2 * kDay + kHour + 1s));
}

TEST(ShortSpan, IsMonotoneAndExactToAThousandth) {
  std::uint64_t last = 0;
  for (std::uint32_t ticks = 1; ticks < 4'000'000'000u; ticks += 1 + ticks / 1000) {
    const std::uint64_t kept = ShortSpan::at_least(ticks).ticks();
    ASSERT_GE(kept, ticks);
    ASSERT_LE(static_cast<double>(kept), static_cast<double>(ticks) * (1 + 1.0 / 2048));
    ASSERT_GE(kept, last);
    ASSERT_LE(ShortSpan::at_most(ticks).ticks(), ticks);
    last = kept;
  }
}

TEST(Float24, KeepsFiveDigits) {
  for (double value = 1e-30; value < 1e30; value *= 1.37) {
    EXPECT_NEAR(static_cast<double>(Float24(value)), value, 1e-5 * value);
  }
  EXPECT_EQ(static_cast<double>(Float24(0)), 0);
}

TEST(RefreshRecord, HalvesItsHistoryBeforeItOverflows) {
  RefreshRecord page;
  for (int i = 0; i < 1000; ++i) {
    ChangeHistory history = page.history();
    history.add_change(2);
    page.set_history(history);
  }
  EXPECT_GE(page.history().changes, 128);
  EXPECT_NEAR(page.history().change_days / page.history().changes, 2, 0.05);
}

// However long ago it was fetched: rests are rounded by the time since then.
TEST(RefreshQueue, APostponedPageWaitsAsLongAsItWasTold) {
  RefreshQueue queue(options_for("index-age"));
  queue.hold(0, 1, at(0ms));
  queue.hold(1, 1, at(0ms));
  const RefreshTime now = at(300 * kDay);
  const auto choice = queue.choose(now);
  ASSERT_TRUE(choice);
  queue.postpone(choice->page, now + 10s);
  queue.set_importance(choice->page, 100);
  queue.set_importance(0, [](PageId, double) { return 50.0; });
  std::string bytes;
  ByteWriter out(bytes);
  queue.save(out);
  RefreshQueue again(options_for("index-age"));
  ByteReader in(bytes);
  ASSERT_TRUE(again.load(in).ok());
  for (RefreshQueue* const one : {&queue, &again}) {
    const auto other = one->choose(now + 1s);
    ASSERT_TRUE(other);
    EXPECT_NE(other->page, choice->page);
    EXPECT_FALSE(one->choose(now + 9s));
    EXPECT_LE(one->next_time(), now + 11s);
    const auto later = one->choose(now + 11s);
    ASSERT_TRUE(later);
    EXPECT_EQ(later->page, choice->page);
  }
}

}  // namespace
}  // namespace bowerbird
