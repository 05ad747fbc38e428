// Large partitions move in pieces that each fit into a message and into a frame of the journal.
#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"
#include "crawl/state/restored_crawl.h"
#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// A process that owns both partitions of a fleet, with `count` seeds on `hosts` hosts. The URLs do not
// compress.
class LargeProcess {
 public:
  LargeProcess(const std::string& folder, const std::string& member) {
    CrawlOptions options = stopped_crawl_options(folder, member);
    crawl_ = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    EXPECT_TRUE(crawl_->restore().ok());
    state().record_to(&crawl_->store());
  }
  CrawlState& state() { return crawl_->state(); }

  void begin(std::size_t count, std::size_t hosts, std::size_t length) {
    PartitionTransfer empty;
    empty.epoch = 1;
    empty.first = empty.last = true;
    for (const std::uint32_t p : {0u, 1u}) {
      ASSERT_TRUE(
          state().adopt({{{"+origin", p, 1}, std::make_shared<const std::string>(pack(empty))}}).ok());
    }
    Rng random(7);
    std::vector<SeedEntry> seeds;
    for (std::size_t i = 0; i < count; ++i) {
      std::string url = fmt::format("http://h{}.test/", i % hosts);
      while (url.size() < length) url += static_cast<char>('a' + random.below(26));
      seeds.push_back({state().intern(url), 1, false});
    }
    state().add_seeds(seeds);
  }
  std::size_t queued() {
    std::size_t sum = 0;
    for (PageId page = 0; page < state().pages(); ++page) {
      sum += state().frontier().state(page) == PageState::kQueued ? 1 : 0;
    }
    return sum;
  }
  Status commit() {
    crawl_->store().commit(counts_to_state(CrawlCounts(), CrawlEnd::kNotYet));
    return crawl_->store().wait_for_commits();
  }

 private:
  std::unique_ptr<RestoredCrawl> crawl_;
};

// Moves both partitions from a to b; then b is restored from its journal.
void move_all(std::size_t count, std::size_t hosts, std::size_t length) {
  TemporaryFolder folder;
  std::map<std::uint32_t, std::vector<Message>> pieces;
  {
    LargeProcess a(folder / "a", "a");
    a.begin(count, hosts, length);
    ASSERT_EQ(a.queued(), count);
    a.state().give({0, 1});
    for (const Message& message : a.state().fleet()->outbox()) {
      EXPECT_LT(message.content->size(), 2 * kMessageBytes);
      pieces[message.id.partition].push_back(message);
    }
  }
  EXPECT_GT(pieces[0].size(), 1u);
  {
    LargeProcess b(folder / "b", "b");
    std::vector<Message> partial = pieces[0];
    partial.erase(partial.begin());
    EXPECT_FALSE(b.state().adopt(partial).ok()) << "the first piece is missing";
    for (const auto& [p, messages] : pieces) {
      const Status adopted = b.state().adopt(messages);
      ASSERT_TRUE(adopted.ok()) << adopted.error().text;
    }
    EXPECT_EQ(b.queued(), count);
    ASSERT_TRUE(b.commit().ok());
  }
  LargeProcess again(folder / "b", "b");
  EXPECT_EQ(again.queued(), count);
  EXPECT_EQ(again.state().fleet()->held().size(), 2u);
}

TEST(LargePartitions, MoveInPieces) {
  move_all(5000, 4000, 150);
}

// The process that had it may have sent requests after its last commit.
TEST(AdoptedPartitions, EachHostWaitsForOneDelay) {
  TemporaryFolder folder;
  std::vector<Message> pieces;
  {
    LargeProcess a(folder / "a", "a");
    a.begin(20, 10, 30);
    a.state().give({0});
    for (const Message& message : a.state().fleet()->outbox()) pieces.push_back(message);
  }
  LargeProcess b(folder / "b", "b");
  const HostId known = b.state().hosts().intern("elsewhere.test");
  ASSERT_TRUE(b.state().adopt(pieces).ok());
  b.state().delay_adopted_hosts(Time(1000s));
  std::size_t adopted = 0;
  for (HostId id = 0; id < b.state().hosts().size(); ++id) {
    const Host& host = b.state().hosts()[id];
    const Duration delay = b.state().hosts().delay(host);
    ASSERT_GT(delay, 0ms);
    adopted += host.opens == Time(1000s) + delay ? 1 : 0;
  }
  EXPECT_GT(adopted, 0u);
  EXPECT_LT(adopted, 10u) << "the others are in the other partition";
  EXPECT_EQ(b.state().hosts()[known].opens, Time{});
}

// More bytes than a frame of the journal holds.
TEST(LargePartitions, MayBeLargerThanAFrameOfTheJournalFull) {
  move_all(200'000, 100, 1000);
}

}  // namespace
}  // namespace bowerbird
