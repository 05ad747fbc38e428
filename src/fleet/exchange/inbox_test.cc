#include "fleet/exchange/inbox.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

struct InboxRig {
  std::unique_ptr<FleetState> fleet;
  Inbox inbox;

  InboxRig() {
    ParallelOptions options;
    options.mode = Mode::kExchange;
    options.partitions = 4;
    options.member = "a";
    fleet =
        std::move(FleetState::make(
                      options, [](HostId) { return std::string(); }, [](PageId) { return std::string(); }))
            .value();
  }
  void hold(std::uint32_t p, std::uint64_t epoch = 1) {
    PartitionTransfer move;
    move.epoch = epoch;
    fleet->begin_hold({"+origin", p, 1}, move);
  }
  void links(const std::string& sender, std::uint32_t p, std::uint64_t number) {
    inbox.add({{sender, p, number}, std::make_shared<const std::string>(pack(LinkBatch()))});
  }
  void piece(const std::string& sender, std::uint32_t p, std::uint64_t number, std::uint64_t epoch,
             bool first, bool last) {
    PartitionTransfer transfer;
    transfer.epoch = epoch;
    transfer.first = first;
    transfer.last = last;
    inbox.add({{sender, p, number}, std::make_shared<const std::string>(pack(transfer))});
  }
  // The next number of links that is due; 0: none.
  std::uint64_t next_links() {
    while (const auto turn = inbox.next(*fleet)) {
      if (turn->links.empty()) continue;
      fleet->taken(turn->links[0].id, 1);
      return turn->links[0].id.number;
    }
    return 0;
  }
};

TEST(Inbox, LinksOfASenderAreTakenInOrderAndOnce) {
  InboxRig rig;
  rig.hold(1);
  rig.links("b", 1, 2);
  EXPECT_EQ(rig.next_links(), 0u) << "the first is missing";
  rig.links("b", 1, 1);
  rig.links("b", 1, 2);  // again
  EXPECT_EQ(rig.next_links(), 1u);
  EXPECT_EQ(rig.next_links(), 2u);
  EXPECT_TRUE(rig.inbox.empty());
  rig.links("b", 1, 2);
  const auto turn = rig.inbox.next(*rig.fleet);
  ASSERT_TRUE(turn);
  EXPECT_TRUE(turn->links.empty());
  EXPECT_EQ(turn->repeats.size(), 1u) << "only to be confirmed";
}

TEST(Inbox, LinksWaitUntilTheirPartitionIsHere) {
  InboxRig rig;
  rig.links("b", 1, 1);
  EXPECT_FALSE(rig.inbox.next(*rig.fleet));
  rig.hold(1);
  EXPECT_EQ(rig.next_links(), 1u);
}

TEST(Inbox, APartitionIsAdoptedWhenAllItsPiecesAreThere) {
  InboxRig rig;
  rig.piece("b", 2, 7, 3, true, false);
  rig.piece("b", 2, 9, 3, false, true);
  EXPECT_FALSE(rig.inbox.next(*rig.fleet));
  rig.piece("b", 2, 8, 3, false, false);
  const auto turn = rig.inbox.next(*rig.fleet);
  ASSERT_TRUE(turn);
  ASSERT_EQ(turn->pieces.size(), 3u);
  EXPECT_EQ(turn->pieces[0].id.number, 7u);
  EXPECT_EQ(turn->pieces[2].id.number, 9u);
}

TEST(Inbox, ATransferUnderAnEarlierEpochIsOnlyConfirmed) {
  InboxRig rig;
  rig.inbox.expect({0, 0, 5, 0});
  rig.piece("b", 2, 7, 4, true, true);
  const auto stale = rig.inbox.next(*rig.fleet);
  ASSERT_TRUE(stale);
  EXPECT_TRUE(stale->pieces.empty());
  EXPECT_EQ(stale->repeats.size(), 1u);
  rig.piece("c", 2, 1, 5, true, true);
  const auto fresh = rig.inbox.next(*rig.fleet);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->pieces.size(), 1u);
}

TEST(Inbox, ForgetsWhatIsForOtherPartitions) {
  InboxRig rig;
  rig.links("b", 1, 1);
  rig.links("b", 2, 1);
  rig.inbox.keep([](std::uint32_t p) { return p == 1; });
  rig.hold(1);
  rig.hold(2);
  EXPECT_EQ(rig.next_links(), 1u);
  EXPECT_EQ(rig.next_links(), 0u);
}

TEST(Inbox, AMessageFarAheadOfAllOthersIsAStray) {
  InboxRig rig;
  rig.hold(1);
  rig.links("b", 1, 1'000'000);
  rig.links("b", 1, 1);
  const auto turn = rig.inbox.next(*rig.fleet);
  ASSERT_TRUE(turn);
  ASSERT_EQ(turn->strays.size(), 1u);
  EXPECT_EQ(turn->strays[0].number, 1'000'000u);
  ASSERT_EQ(turn->links.size(), 1u) << "the others go on";
  EXPECT_TRUE(rig.inbox.empty());
}

}  // namespace
}  // namespace bowerbird
