#include "frontier/refresh_tournament.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

RefreshOffer random_offer(Rng& rng) {
  RefreshOffer offer;
  const auto level = static_cast<std::uint16_t>(rng.below(6));
  offer.wake = rng.below(4) == 0 ? RefreshOffer::kNever : static_cast<std::uint32_t>(rng.below(50));
  offer.oldest = static_cast<std::uint32_t>(rng.below(50));
  offer.rank = RefreshOffer::rank_of(level, level > 0 ? offer.wake : RefreshOffer::kNever);
  return offer;
}

RefreshOffer sum_of(const std::vector<RefreshOffer>& offers) {
  RefreshOffer sum;
  for (const RefreshOffer& offer : offers) sum.join(offer);
  return sum;
}

// The numbers of all entries that fit, found step by step.
template <typename Fits>
std::multiset<std::uint32_t> by_steps(const RefreshTournament& tournament, const Fits& fits) {
  std::multiset<std::uint32_t> found;
  if (tournament.size() == 0) return found;
  std::vector<RefreshTournament::Node> nodes = {tournament.top()};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const RefreshTournament::Node node = nodes[i];
    tournament.prefetch(node);
    tournament.step(node, fits, [&](std::uint32_t at) {
      if (node.level == 0) {
        found.insert(at);
      } else {
        nodes.push_back({node.level - 1, at});
      }
    });
  }
  return found;
}

TEST(RefreshOffer, TheLargestLevelIsTheBestAndThenTheFirstToLeaveIt) {
  const auto offer = [](std::uint16_t level, std::uint32_t rises) {
    RefreshOffer made;
    made.rank = RefreshOffer::rank_of(level, rises);
    return made;
  };
  RefreshOffer sum = offer(3, 10);
  sum.join(offer(4, 90));
  sum.join(offer(4, 80));
  sum.join(offer(2, 1));
  EXPECT_EQ(sum.level(), 4);
  EXPECT_EQ(sum.rises(), 80u);
  EXPECT_EQ(RefreshOffer().level(), 0);
}

TEST(RefreshTournament, IsWhatAListOfItsEntriesWouldBe) {
  Rng rng(3);
  RefreshTournament tournament;
  std::vector<RefreshOffer> twin;
  for (int step = 0; step < 6000; ++step) {
    const std::uint64_t what = rng.below(10);
    // It grows to some hundred entries, and shrinks to none.
    if (what < (step < 3000 ? 4 : 1) || twin.empty()) {
      twin.push_back(random_offer(rng));
      tournament.push(twin.back());
    } else if (what < (step < 3000 ? 5 : 7)) {
      twin.pop_back();
      tournament.pop();
    } else if (what < 9) {
      const auto at = static_cast<std::size_t>(rng.below(twin.size()));
      twin[at] = random_offer(rng);
      tournament.set(at, twin[at]);
    } else {
      const auto limit = static_cast<std::uint32_t>(rng.below(20));
      const auto fits = [limit](const RefreshOffer& offer) { return offer.wake <= limit; };
      std::multiset<std::uint32_t> wanted, visited;
      for (std::uint32_t i = 0; i < twin.size(); ++i) {
        if (fits(twin[i])) wanted.insert(i);
      }
      EXPECT_EQ(by_steps(tournament, fits), wanted);
      tournament.each(fits, [&](std::uint32_t at) { visited.insert(at); });
      EXPECT_EQ(visited, wanted);
      tournament.update(fits, [&](std::uint32_t at) { return twin[at] = random_offer(rng); });
    }
    ASSERT_EQ(tournament.size(), twin.size());
    const RefreshOffer sum = sum_of(twin);
    ASSERT_EQ(tournament.root(), sum) << step;
    if (twin.empty()) continue;
    const auto some = static_cast<std::size_t>(rng.below(twin.size()));
    ASSERT_EQ(tournament[some], twin[some]);
    ASSERT_EQ(twin[tournament.best()].rank, sum.rank);
    ASSERT_EQ(twin[tournament.oldest()].oldest, sum.oldest);
  }
  for (RefreshOffer& offer : twin) offer = random_offer(rng);
  tournament.set_all([&](std::size_t at) { return twin[at]; });
  EXPECT_EQ(tournament.root(), sum_of(twin));
}

TEST(RefreshTournament, TakesLittleMoreThanItsEntries) {
  RefreshTournament tournament;
  for (int i = 0; i < 10'000; ++i) tournament.push({});
  EXPECT_LE(tournament.bytes(), 16u * 10'000 * 8 / 7 * 17 / 16 + 512);
}

}  // namespace
}  // namespace bowerbird
