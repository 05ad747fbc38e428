#include "fleet/batch/fleet_state.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

// Page i is on host i; the hosts of even pages are in partition 0 or 1 by their names.
struct FleetStateRig {
  std::unique_ptr<FleetState> fleet;

  explicit FleetStateRig(Mode mode = Mode::kExchange, std::uint32_t batch = 2) {
    ParallelOptions options;
    options.mode = mode;
    options.partitioning = Partitioning::kHostHash;
    options.partitions = 4;
    options.procs = 2;
    options.member = "a";
    options.batch = batch;
    fleet = std::move(FleetState::make(
                          options, [](HostId host) { return "h" + std::to_string(host) + ".test"; },
                          [](PageId page) { return "http://h" + std::to_string(page) + ".test/"; }))
                .value();
  }
  std::uint32_t partition(PageId page) { return fleet->partition(page, page); }
  void hold(std::uint32_t p, std::uint64_t epoch = 1) {
    PartitionTransfer move;
    move.epoch = epoch;
    move.last_sequences = {{"c", 5}};
    fleet->begin_hold({"b", p, 9}, move);
  }
  // A visit of a page that links to these.
  void pass_on(const std::vector<PageId>& pages) {
    Visit visit;
    visit.links = static_cast<std::uint32_t>(pages.size());
    visit.crawled = visit.known = 1;
    std::vector<Link> links;
    for (const PageId page : pages) links.push_back({page, true, fleet->route(page, page)});
    fleet->pass_on(
        visit, links,
        [](PageId page) {
          SentUrl url;
          url.url = "http://h" + std::to_string(page) + ".test/";
          return url;
        },
        [](PageId page) { return static_cast<HostId>(page); });
  }
  // The first page from `page` on that is in the partition.
  PageId page_in(std::uint32_t p, PageId page = 0) {
    while (partition(page) != p) ++page;
    return page;
  }
  std::string save() const {
    std::string bytes;
    ByteWriter out(bytes);
    fleet->save(out);
    return bytes;
  }
};

TEST(FleetState, APartitionIsHeldFromItsTransferUntilItIsGiven) {
  FleetStateRig rig;
  EXPECT_TRUE(rig.fleet->held().empty());
  rig.hold(2, 7);
  EXPECT_TRUE(rig.fleet->holds(2));
  EXPECT_EQ(rig.fleet->epochs(), (Epochs{{2, 7}}));
  EXPECT_EQ(rig.fleet->last_sequence(2, "b"), 9u) << "the transfer itself was the last of its sender";
  EXPECT_EQ(rig.fleet->last_sequence(2, "c"), 5u);
  EXPECT_EQ(rig.fleet->last_sequence(1, "c"), 0u);
  rig.fleet->taken({"c", 2, 6}, 3);
  const auto sequences = rig.fleet->end_hold(2);
  EXPECT_EQ(sequences, (std::vector<std::pair<std::string, std::uint64_t>>{{"b", 9}, {"c", 6}}));
  EXPECT_FALSE(rig.fleet->holds(2));
  EXPECT_EQ(rig.fleet->epoch(2), 8u);
}

TEST(FleetState, LinksOfOtherPartitionsGatherUntilABatchIsFull) {
  FleetStateRig rig;
  rig.hold(0);
  const PageId away = rig.page_in(1), next = rig.page_in(1, away + 1);
  EXPECT_EQ(rig.fleet->route(rig.page_in(0), rig.page_in(0)), LinkRoute::kLocal);
  EXPECT_EQ(rig.fleet->route(away, away), LinkRoute::kRemote);
  rig.pass_on({rig.page_in(0), away});
  rig.pass_on({away});
  EXPECT_TRUE(rig.fleet->filling());
  EXPECT_EQ(rig.fleet->outbox_size(), 0u) << "one URL, twice";
  rig.pass_on({next});
  EXPECT_FALSE(rig.fleet->filling());
  const auto messages = rig.fleet->take_new();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].id.sender, "a");
  EXPECT_EQ(messages[0].id.partition, 1u);
  EXPECT_EQ(messages[0].id.number, 1u);
  EXPECT_TRUE(rig.fleet->take_new().empty());
  EXPECT_EQ(rig.fleet->outbox_size(), 1u);
  rig.fleet->confirm({"a", 1, 1});
  EXPECT_TRUE(rig.fleet->nothing_to_send());
}

// A broker refuses messages above 1 MiB.
TEST(FleetState, APageWithManyLongLinksTakesSeveralMessages) {
  FleetStateRig rig(Mode::kExchange, 100);
  Visit visit;
  visit.links = 8000;
  visit.crawled = visit.known = 1;
  std::vector<Link> links;
  for (PageId page = 0; page < visit.links; ++page) links.push_back({page, true, LinkRoute::kRemote});
  rig.fleet->pass_on(
      visit, links,
      [](PageId page) {
        SentUrl url;
        url.url = "http://h" + std::to_string(page) + ".test/" + std::string(700, 'x');
        return url;
      },
      [](PageId page) { return static_cast<HostId>(page); });
  rig.fleet->flush();
  std::size_t sent = 0, most = 0;
  for (const Message& message : rig.fleet->take_new()) {
    const auto body = unpack(*message.content);
    ASSERT_TRUE(body.ok());
    const auto& batch = std::get<LinkBatch>(*body);
    most = std::max(most, batch.bytes());
    ASSERT_EQ(batch.groups.size(), 1u);
    EXPECT_EQ(batch.groups[0].visit.links, visit.links);
    sent += batch.groups[0].links.size();
  }
  EXPECT_EQ(sent, visit.links);
  EXPECT_LT(most, kMessageBytes + 1000);
}

TEST(FleetState, ConfirmingANumberConfirmsThoseBeforeIt) {
  FleetStateRig rig(Mode::kExchange, 1);
  const PageId away = rig.page_in(3);
  for (int i = 0; i < 3; ++i) {
    rig.pass_on({away});
    rig.fleet->flush();
  }
  EXPECT_EQ(rig.fleet->own_untaken(3).size(), 3u);
  rig.fleet->confirm({"b", 3, 9});
  EXPECT_EQ(rig.fleet->outbox_size(), 3u) << "another sender's";
  rig.fleet->confirm({"a", 3, 2});
  ASSERT_EQ(rig.fleet->outbox().size(), 1u);
  EXPECT_EQ(rig.fleet->outbox()[0].id.number, 3u);
}

TEST(FleetState, OtherModesHoldTheirPartitionsForEver) {
  FleetStateRig firewall(Mode::kFirewall);
  EXPECT_EQ(firewall.fleet->held(), (std::vector<std::uint32_t>{0, 2}));
  const PageId away = firewall.page_in(1);
  EXPECT_EQ(firewall.fleet->route(away, away), LinkRoute::kDropped);
  FleetStateRig cross(Mode::kCrossOver);
  EXPECT_FALSE(cross.fleet->has_foreign());
  cross.pass_on({away});
  ASSERT_TRUE(cross.fleet->has_foreign());
  EXPECT_EQ(cross.fleet->take_foreign().link.page, away);
  EXPECT_FALSE(cross.fleet->has_foreign());
}

TEST(FleetState, ComesBackFromItsBytesAndRefusesOthers) {
  FleetStateRig rig;
  rig.hold(0);
  rig.hold(3, 4);
  rig.pass_on({rig.page_in(1), rig.page_in(2)});
  rig.fleet->absorb({{"c", 1, 8}, std::make_shared<const std::string>("x")});
  rig.fleet->note_absorbed("c");
  const std::string bytes = rig.save();
  FleetStateRig again;
  ByteReader in(bytes);
  again.fleet->load(in, 0);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(again.save(), bytes);
  EXPECT_EQ(again.fleet->absorbed(), std::set<std::string>{"c"});
  for (std::size_t size = 0; size < bytes.size(); size += 3) {
    FleetStateRig other;
    const std::string cut = bytes.substr(0, size);
    ByteReader some(cut);
    other.fleet->load(some, 0);
    EXPECT_FALSE(some.ok()) << size;
  }
}

TEST(FleetState, PagesThatCrossOverMustBeKnown) {
  FleetStateRig rig(Mode::kCrossOver);
  const PageId away = rig.page_in(1);
  rig.pass_on({away});
  const std::string bytes = rig.save();
  for (const std::uint64_t pages : {away + 1, away}) {
    FleetStateRig again(Mode::kCrossOver);
    ByteReader in(bytes);
    again.fleet->load(in, pages);
    EXPECT_EQ(in.ok(), pages > away);
    if (in.ok()) {
      EXPECT_EQ(again.save(), bytes);
    }
  }
}

}  // namespace
}  // namespace bowerbird
