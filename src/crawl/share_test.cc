// A crawl's share: two brains that exchange links, batches, marks, and partitions that move.
#include "crawl/share.h"

#include <gtest/gtest.h>

#include "crawl/brain.h"
#include "crawl/inbox.h"
#include "crawl/sharing.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

struct Side {
  TemporaryFolder folder;
  HostTable hosts{PolitenessOptions()};
  std::unique_ptr<CrawlStore> store;
  std::unique_ptr<Brain> brain;
  Inbox inbox;

  explicit Side(const std::string& member, std::uint32_t batch = 1, const std::string& policy = "opic",
                std::uint64_t replicate = 0) {
    BrainOptions options;
    options.policy = policy;
    options.share.mode = "exchange";
    options.share.partitioning = Partitioning::kHostHash;
    options.share.partitions = 2;
    options.share.member = member;
    options.share.batch = batch;
    options.share.replicate = replicate;
    StoreOptions store_options;
    store_options.durable = false;
    store = std::move(CrawlStore::open(folder / member, store_options)).value();
    brain = std::move(Brain::make(options, hosts, *store)).value();
    brain->record_to(store.get());
  }
  Share& share() { return *brain->share(); }
  // Everything that has come is taken, as far as its turn has come.
  std::vector<ParcelId> take(const std::vector<Parcel>& parcels) {
    std::vector<ParcelId> receipts;
    for (const Parcel& parcel : parcels) inbox.add(parcel);
    while (auto turn = inbox.next(share())) {
      receipts.insert(receipts.end(), turn->repeats.begin(), turn->repeats.end());
      for (const Parcel& links : turn->links) {
        brain->receive(links);
        receipts.push_back(links.id);
      }
      if (!turn->pieces.empty()) {
        EXPECT_TRUE(brain->adopt(turn->pieces));
      }
      for (const Parcel& piece : turn->pieces) receipts.push_back(piece.id);
    }
    return receipts;
  }
  void hold(std::uint32_t partition) {
    MoveParcel empty;
    empty.tenure = 1;
    empty.first = empty.last = true;
    take({{{"+origin", partition, 1}, std::make_shared<const std::string>(pack(empty))}});
  }
  PageId seed(const std::string& url) {
    const PageId page = brain->intern(url);
    const BrainSeed one{page, 1, false};
    brain->seed({&one, 1});
    return page;
  }
  void crawl(PageId page, const std::vector<std::string>& urls) {
    const auto job = brain->next(0);
    ASSERT_TRUE(job.has_value());
    ASSERT_EQ(*job, page);
    std::vector<StoredLink> links;
    for (const std::string& url : urls) links.push_back({brain->intern(url), kLinkOtherHost});
    brain->complete(page, links);
  }
  double cash() const {
    double sum = 0;
    for (PageId page = 0; page < brain->pages(); ++page) sum += brain->frontier().score(page).value_or(0);
    return sum;
  }
  double account(std::string_view name) const {
    for (const Account& one : brain->frontier().policy().accounts()) {
      if (one.name == name) return one.value;
    }
    return -1;
  }
  std::string save() const {
    std::string bytes;
    ByteWriter out(bytes);
    brain->save(out);
    return bytes;
  }
};

// A host of each of the two partitions.
std::string host_in(std::uint32_t partition) {
  for (int i = 0;; ++i) {
    const std::string host = "h" + std::to_string(i) + ".test";
    if (partition_of(host, 2) == partition) return host;
  }
}
const std::string kHost0 = "http://" + host_in(0) + "/";
const std::string kHost1 = "http://" + host_in(1) + "/";

TEST(Share, LinksGoToTheirOwnerOnceEach) {
  Side a("a"), b("b");
  a.hold(0);
  b.hold(1);
  const PageId home = a.seed(kHost0);
  a.crawl(home, {kHost0 + "x", kHost1 + "y", kHost1 + "z"});
  const auto parcels = a.share().take_new();
  ASSERT_EQ(parcels.size(), 1u);
  EXPECT_EQ(parcels[0].id.partition, 1u);
  EXPECT_EQ(parcels[0].id.number, 1u);
  EXPECT_EQ(b.take(parcels).size(), 1u);
  EXPECT_EQ(b.brain->frontier().counts().discovered, 2u);
  const double cash = b.cash();
  EXPECT_EQ(b.take(parcels).size(), 1u) << "a repeat is confirmed and not taken";
  EXPECT_EQ(b.cash(), cash);
  EXPECT_DOUBLE_EQ(a.account("sent"), b.account("received"));
  EXPECT_FALSE(a.share().nothing_to_send());
  a.brain->confirm(parcels[0].id);
  EXPECT_TRUE(a.share().nothing_to_send());
}

TEST(Share, ParcelsWaitForTheirTurn) {
  Side a("a"), b("b");
  a.hold(0);
  b.hold(1);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  a.crawl(a.brain->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "z"});
  const auto parcels = a.share().take_new();
  ASSERT_EQ(parcels.size(), 2u);
  EXPECT_TRUE(b.take({parcels[1]}).empty());
  EXPECT_EQ(b.brain->frontier().counts().discovered, 0u);
  EXPECT_EQ(b.take({parcels[0]}).size(), 2u);
  EXPECT_EQ(b.brain->frontier().counts().discovered, 2u);
}

TEST(Share, ABatchHoldsEveryUrlOnce) {
  Side a("a", 100), b("b");
  a.hold(0);
  b.hold(1);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  a.crawl(a.brain->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "y"});
  EXPECT_TRUE(a.share().take_new().empty());
  a.brain->cut();
  const auto parcels = a.share().take_new();
  ASSERT_EQ(parcels.size(), 1u);
  const auto content = std::get<LinkParcel>(unpack(*parcels[0].content).value());
  EXPECT_EQ(content.urls.size(), 1u);
  EXPECT_EQ(content.groups.size(), 2u);
  b.take(parcels);
  EXPECT_DOUBLE_EQ(a.account("sent"), b.account("received"));
}

// A partition moves with its pages, scores and marks; what was sent to its former holder is not taken twice.
TEST(Share, APartitionMovesWithAllThatIsKnown) {
  Side a("a"), b("b"), c("c");
  a.hold(0);
  b.hold(1);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y", kHost1 + "z"});
  const auto links = a.share().take_new();
  b.take(links);
  const PageId y = b.brain->find(KnownUrls::fingerprint(kHost1 + "y"));
  b.crawl(y, {kHost1 + "w"});
  const double cash = b.cash();
  const std::uint32_t one = 1;
  b.brain->give({&one, 1});
  EXPECT_EQ(b.cash(), 0);
  EXPECT_FALSE(b.share().holds(1));
  const auto moved = b.share().take_new();
  c.take(links);  // early: the sender was never told
  EXPECT_EQ(c.brain->frontier().counts().discovered, 0u);
  EXPECT_EQ(c.take(moved).size(), moved.size() + links.size());
  EXPECT_TRUE(c.share().holds(1));
  EXPECT_NEAR(c.cash(), cash, 1e-12);
  EXPECT_EQ(c.brain->frontier().state(c.brain->find(KnownUrls::fingerprint(kHost1 + "y"))), PageState::kDone);
  // And back: an old copy of the first move is not taken for the new one.
  c.brain->give({&one, 1});
  EXPECT_EQ(c.take(moved).size(), moved.size());
  EXPECT_FALSE(c.share().holds(1));
  b.take(c.share().take_new());
  EXPECT_TRUE(b.share().holds(1));
  EXPECT_NEAR(b.cash(), cash, 1e-12);
  EXPECT_EQ(b.share().tenure(1), 3u);
}

// What a process sent to a partition before that came to it must not be lost when it gives it away at once.
TEST(Share, OwnLinksThatHaveNotComeBackGoWithThePartition) {
  for (const std::uint32_t batch : {1u, 100u}) {
    Side a("a", batch), b("b");
    a.hold(0);
    a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
    a.hold(1);
    const std::uint32_t one = 1;
    a.brain->give({&one, 1});
    const auto all = a.share().take_new();
    EXPECT_EQ(b.take(all).size(), all.size());
    EXPECT_DOUBLE_EQ(a.account("sent"), a.account("received"));
    EXPECT_NE(b.brain->find(KnownUrls::fingerprint(kHost1 + "y")), kNoPage);
    EXPECT_NEAR(a.cash() + b.cash() + a.account("sink"), a.account("issued"), 1e-12);
  }
}

// What has been sent once and is among the most linked is not sent again; no cash is lost by that.
TEST(Share, PopularUrlsAreSentOnce) {
  Side a("a", 1, "opic", 1), again("a", 1, "opic", 1);
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  EXPECT_EQ(a.share().take_new().size(), 1u);
  a.brain->cut();
  const auto crawl = [](Side& side) {
    side.crawl(side.brain->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "y", kHost1 + "z"});
    const auto parcels = side.share().take_new();
    ASSERT_EQ(parcels.size(), 1u);
    const auto content = std::get<LinkParcel>(unpack(*parcels[0].content).value());
    ASSERT_EQ(content.urls.size(), 1u);
    EXPECT_EQ(content.urls[0].url, kHost1 + "z");
    EXPECT_NEAR(side.cash() + side.account("sink") + side.account("sent"), side.account("issued"), 1e-12);
  };
  // The same from a snapshot.
  const std::string saved = a.save();
  for (PageId page = 0; page < a.brain->pages(); ++page) again.brain->intern(a.brain->url(page));
  ByteReader in(saved);
  ASSERT_TRUE(again.brain->load(in).ok());
  EXPECT_EQ(again.save(), saved);
  crawl(a);
  crawl(again);
}

TEST(Share, WhatNobodyTookComesBack) {
  Side a("a");
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost0 + "x"});
  const std::uint32_t zero = 0;
  a.brain->give({&zero, 1});
  const auto moved = a.share().take_new();
  EXPECT_EQ(a.take(moved).size(), moved.size());
  EXPECT_TRUE(a.share().holds(0));
  EXPECT_GT(a.cash(), 0);
  // But not after it is known to be with another.
  a.brain->give({&zero, 1});
  const auto again = a.share().take_new();
  a.inbox.expect({a.share().tenure(0) + 1, 0});
  EXPECT_EQ(a.take(again).size(), again.size());
  EXPECT_FALSE(a.share().holds(0));
}

// Whoever took it is no more and the sender was never told: the next owner is sent both moves, in any order.
TEST(Share, AMoveThatALostProcessHadTakenIsConfirmedAndNotTakenAgain) {
  Side a("a"), b("b"), c("c");
  a.hold(1);
  a.seed(kHost1);
  const std::uint32_t one = 1;
  a.brain->give({&one, 1});
  const auto first = a.share().take_new();
  b.take(first);
  b.crawl(b.brain->find(KnownUrls::fingerprint(kHost1)), {kHost1 + "x"});
  b.brain->give({&one, 1});
  const auto second = b.share().take_new();
  c.inbox.expect({0, b.share().tenure(1)});
  EXPECT_EQ(c.take(first).size(), first.size()) << "or it would be sent for ever";
  EXPECT_FALSE(c.share().holds(1));
  c.take(second);
  EXPECT_TRUE(c.share().holds(1));
  EXPECT_EQ(c.brain->frontier().state(c.brain->find(KnownUrls::fingerprint(kHost1))), PageState::kDone);
  EXPECT_EQ(c.take(first).size(), first.size());
  EXPECT_EQ(c.share().tenure(1), 3u);
}

TEST(Share, StateComesBackFromASnapshot) {
  Side a("a", 100), again("a", 100);
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  a.brain->cut();
  a.crawl(a.brain->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "z"});
  for (PageId page = 0; page < a.brain->pages(); ++page) again.brain->intern(a.brain->url(page));
  const std::string saved = a.save();
  ByteReader in(saved);
  ASSERT_TRUE(again.brain->load(in).ok());
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(again.share().outbox().size(), 1u);
  a.brain->cut();
  again.brain->cut();
  EXPECT_EQ(*again.share().outbox().back().content, *a.share().outbox().back().content);
  EXPECT_EQ(again.save(), a.save());
}

TEST(Share, FirewallAndCrossOverHoldTheirPartitionsForEver) {
  BrainOptions options;
  options.share.mode = "firewall";
  options.share.procs = 2;
  options.share.process = 1;
  options.share.partitioning = Partitioning::kHostHash;
  options.share.partitions = 2;
  HostTable hosts{PolitenessOptions()};
  TemporaryFolder folder;
  const auto store = std::move(CrawlStore::open(folder / "c", {})).value();
  const auto brain = std::move(Brain::make(options, hosts, *store)).value();
  brain->record_to(store.get());
  EXPECT_EQ(brain->place(brain->intern(kHost1)), Place::kHere);
  EXPECT_EQ(brain->place(brain->intern(kHost0)), Place::kNowhere);
}

TEST(Parcel, HostileBytesAreRefused) {
  LinkParcel parcel;
  parcel.urls.push_back({"http://a.test/", 1, 0, 0, false});
  LinkParcel::Group group;
  group.visit.links = 1;
  group.links.push_back({0, false});
  parcel.groups.push_back(group);
  const std::string good = pack(parcel);
  ASSERT_TRUE(unpack(good).ok());
  EXPECT_FALSE(unpack("").ok());
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(unpack(good.substr(0, size)).ok());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    static_cast<void>(unpack(bad).ok());  // no crash
  }
  parcel.groups[0].links[0].url = 7;
  EXPECT_FALSE(unpack(pack(parcel)).ok());
}

// A fleet that says what it is told to say.
struct ScriptedExchange final : Exchange {
  explicit ScriptedExchange(FleetNews& next) : news(next) {}
  void live() override {}
  void begin(std::function<void()>) override {}
  void take(FleetNews& to) override { to = std::exchange(news, {}); }
  bool may_work() const override { return true; }
  void send(std::vector<Parcel>) override {}
  void received(const std::vector<ParcelId>&) override {}
  void absorbed(const std::string&) override {}
  void report(MemberReport) override {}
  Time slot(const std::vector<SharedGate>&, Time now) override { return now; }
  void finish() override {}
  FleetNews& news;
};

// Its queue may still lead here when we are started again, with the parcel in which it goes.
TEST(Sharing, APartitionThatWasGivenAwayIsNotTakenBackBeforeThePlanIsKnown) {
  for (const bool to_be_ours : {false, true}) {
    Side a("a");
    a.hold(0);
    a.hold(1);
    a.seed(kHost1);
    const std::vector<std::uint32_t> goes = {1};
    a.brain->give(goes);
    FleetNews news;
    news.parcels = a.share().outbox();
    ASSERT_FALSE(news.parcels.empty());
    Sharing sharing(*a.brain, std::make_unique<ScriptedExchange>(news), {}, [] {});
    sharing.step(0);
    EXPECT_FALSE(a.share().holds(1));
    news.plan = PlannedPart{{true, to_be_ours}, {0, 0}};
    sharing.step(1);
    EXPECT_EQ(a.share().holds(1), to_be_ours);
  }
}

}  // namespace
}  // namespace bowerbird
