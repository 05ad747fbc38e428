// Two states that exchange links, batches, last_sequences, and partitions that move; and the session of one.
#include "fleet/exchange/session.h"

#include <gtest/gtest.h>

#include "crawl/state/crawl_state.h"
#include "fleet/exchange/inbox.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

struct Side {
  TemporaryFolder folder;
  std::unique_ptr<CrawlStore> store;
  std::unique_ptr<CrawlState> state;
  Inbox inbox;

  explicit Side(const std::string& member, std::uint32_t batch = 1, const std::string& policy = "opic",
                std::uint64_t replicate = 0) {
    CrawlStateOptions options;
    options.policy = policy;
    options.parallel.mode = Mode::kExchange;
    options.parallel.partitioning = Partitioning::kHostHash;
    options.parallel.partitions = 2;
    options.parallel.member = member;
    options.parallel.batch = batch;
    options.parallel.replicate = replicate;
    StoreOptions store_options;
    store_options.durable = false;
    store = std::move(CrawlStore::open(folder / member, store_options)).value();
    state = std::move(CrawlState::make(options, *store)).value();
    state->record_to(store.get());
  }
  FleetState& fleet() { return *state->fleet(); }
  // Applies everything that has arrived, as far as its turn has come.
  std::vector<MessageId> take(const std::vector<Message>& messages) {
    std::vector<MessageId> receipts;
    for (const Message& message : messages) inbox.add(message);
    while (auto turn = inbox.next(fleet())) {
      receipts.insert(receipts.end(), turn->repeats.begin(), turn->repeats.end());
      for (const Message& links : turn->links) {
        state->receive(links);
        receipts.push_back(links.id);
      }
      if (!turn->pieces.empty()) {
        EXPECT_TRUE(state->adopt(turn->pieces).ok());
      }
      for (const Message& piece : turn->pieces) receipts.push_back(piece.id);
    }
    return receipts;
  }
  void hold(std::uint32_t partition) {
    PartitionTransfer empty;
    empty.epoch = 1;
    empty.first = empty.last = true;
    take({{{"+origin", partition, 1}, std::make_shared<const std::string>(pack(empty))}});
  }
  PageId seed(const std::string& url) {
    const PageId page = state->intern(url);
    const SeedEntry one{page, 1, false};
    state->add_seeds({one});
    return page;
  }
  void crawl(PageId page, const std::vector<std::string>& urls) {
    const auto job = state->next(Time{});
    ASSERT_TRUE(job.has_value());
    ASSERT_EQ(*job, page);
    std::vector<StoredLink> links;
    for (const std::string& url : urls) links.push_back({state->intern(url), kLinkOtherHost});
    state->complete({page, links});
  }
  double cash() const {
    double sum = 0;
    for (PageId page = 0; page < state->pages(); ++page) sum += state->frontier().score(page).value_or(0);
    return sum;
  }
  double account(std::string_view name) const {
    for (const Account& one : state->frontier().policy().accounts()) {
      if (one.name == name) return one.value;
    }
    return -1;
  }
  std::string save() const {
    std::string bytes;
    ByteWriter out(bytes);
    EXPECT_TRUE(state->save(out).ok());
    return bytes;
  }
};

// A host in each of the two partitions.
std::string host_in(std::uint32_t partition) {
  for (int i = 0;; ++i) {
    const std::string host = "h" + std::to_string(i) + ".test";
    if (partition_of(host, 2) == partition) return host;
  }
}
const std::string kHost0 = "http://" + host_in(0) + "/";
const std::string kHost1 = "http://" + host_in(1) + "/";

TEST(FleetExchange, LinksGoToTheirOwnerOnceEach) {
  Side a("a"), b("b");
  a.hold(0);
  b.hold(1);
  const PageId home = a.seed(kHost0);
  a.crawl(home, {kHost0 + "x", kHost1 + "y", kHost1 + "z"});
  const auto messages = a.fleet().take_new();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].id.partition, 1u);
  EXPECT_EQ(messages[0].id.number, 1u);
  EXPECT_EQ(b.take(messages).size(), 1u);
  EXPECT_EQ(b.state->frontier().counts().discovered, 2u);
  const double cash = b.cash();
  EXPECT_EQ(b.take(messages).size(), 1u) << "a repeat is confirmed and not taken";
  EXPECT_EQ(b.cash(), cash);
  EXPECT_DOUBLE_EQ(a.account("sent"), b.account("received"));
  EXPECT_FALSE(a.fleet().nothing_to_send());
  a.state->confirm(messages[0].id);
  EXPECT_TRUE(a.fleet().nothing_to_send());
}

TEST(FleetExchange, MessagesWaitForTheirTurn) {
  Side a("a"), b("b");
  a.hold(0);
  b.hold(1);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  a.crawl(a.state->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "z"});
  const auto messages = a.fleet().take_new();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(b.take({messages[1]}).empty());
  EXPECT_EQ(b.state->frontier().counts().discovered, 0u);
  EXPECT_EQ(b.take({messages[0]}).size(), 2u);
  EXPECT_EQ(b.state->frontier().counts().discovered, 2u);
}

TEST(FleetExchange, ABatchHoldsEveryUrlOnce) {
  Side a("a", 100), b("b");
  a.hold(0);
  b.hold(1);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  a.crawl(a.state->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "y"});
  EXPECT_TRUE(a.fleet().take_new().empty());
  a.state->flush_batches();
  const auto messages = a.fleet().take_new();
  ASSERT_EQ(messages.size(), 1u);
  const auto content = std::get<LinkBatch>(unpack(*messages[0].content).value());
  EXPECT_EQ(content.urls.size(), 1u);
  EXPECT_EQ(content.groups.size(), 2u);
  b.take(messages);
  EXPECT_DOUBLE_EQ(a.account("sent"), b.account("received"));
}

// A partition moves with its pages, scores and last_sequences; what was sent to its former owner is not
// applied twice.
TEST(FleetExchange, APartitionMovesWithAllThatIsKnown) {
  Side a("a"), b("b"), c("c");
  a.hold(0);
  b.hold(1);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y", kHost1 + "z"});
  const auto links = a.fleet().take_new();
  b.take(links);
  const PageId y = b.state->find(KnownUrls::fingerprint(kHost1 + "y"));
  b.crawl(y, {kHost1 + "w"});
  const double cash = b.cash();
  const std::uint32_t one = 1;
  b.state->give({one});
  EXPECT_EQ(b.cash(), 0);
  EXPECT_FALSE(b.fleet().holds(1));
  const auto moved = b.fleet().take_new();
  c.take(links);  // early: the sender does not know yet
  EXPECT_EQ(c.state->frontier().counts().discovered, 0u);
  EXPECT_EQ(c.take(moved).size(), moved.size() + links.size());
  EXPECT_TRUE(c.fleet().holds(1));
  EXPECT_NEAR(c.cash(), cash, 1e-12);
  EXPECT_EQ(c.state->frontier().state(c.state->find(KnownUrls::fingerprint(kHost1 + "y"))), PageState::kDone);
  // And back: an old copy of the first move is not mistaken for the new one.
  c.state->give({one});
  EXPECT_EQ(c.take(moved).size(), moved.size());
  EXPECT_FALSE(c.fleet().holds(1));
  b.take(c.fleet().take_new());
  EXPECT_TRUE(b.fleet().holds(1));
  EXPECT_NEAR(b.cash(), cash, 1e-12);
  EXPECT_EQ(b.fleet().epoch(1), 3u);
}

// Messages that a process sent to a partition before receiving it must not be lost when it gives it away at
// once.
TEST(FleetExchange, OwnLinksThatHaveNotComeBackGoWithThePartition) {
  for (const std::uint32_t batch : {1u, 100u}) {
    Side a("a", batch), b("b");
    a.hold(0);
    a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
    a.hold(1);
    const std::uint32_t one = 1;
    a.state->give({one});
    const auto all = a.fleet().take_new();
    EXPECT_EQ(b.take(all).size(), all.size());
    EXPECT_DOUBLE_EQ(a.account("sent"), a.account("received"));
    EXPECT_NE(b.state->find(KnownUrls::fingerprint(kHost1 + "y")), kNoPage);
    EXPECT_NEAR(a.cash() + b.cash() + a.account("sink"), a.account("issued"), 1e-12);
  }
}

// What has been sent once and is among the most linked is not sent again; no cash is lost by that.
TEST(FleetExchange, PopularUrlsAreSentOnce) {
  Side a("a", 1, "opic", 1), again("a", 1, "opic", 1);
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  EXPECT_EQ(a.fleet().take_new().size(), 1u);
  a.state->flush_batches();
  const auto crawl = [](Side& side) {
    side.crawl(side.state->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "y", kHost1 + "z"});
    const auto messages = side.fleet().take_new();
    ASSERT_EQ(messages.size(), 1u);
    const auto content = std::get<LinkBatch>(unpack(*messages[0].content).value());
    ASSERT_EQ(content.urls.size(), 1u);
    EXPECT_EQ(content.urls[0].url, kHost1 + "z");
    EXPECT_NEAR(side.cash() + side.account("sink") + side.account("sent"), side.account("issued"), 1e-12);
  };
  // The same from a snapshot.
  const std::string saved = a.save();
  for (PageId page = 0; page < a.state->pages(); ++page) again.state->intern(a.state->url(page));
  ByteReader in(saved);
  ASSERT_TRUE(again.state->load(in).ok());
  EXPECT_EQ(again.save(), saved);
  crawl(a);
  crawl(again);
}

TEST(FleetExchange, WhatNobodyTookComesBack) {
  Side a("a");
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost0 + "x"});
  const std::uint32_t zero = 0;
  a.state->give({zero});
  const auto moved = a.fleet().take_new();
  EXPECT_EQ(a.take(moved).size(), moved.size());
  EXPECT_TRUE(a.fleet().holds(0));
  EXPECT_GT(a.cash(), 0);
  // But not once another process owns it.
  a.state->give({zero});
  const auto again = a.fleet().take_new();
  a.inbox.expect({a.fleet().epoch(0) + 1, 0});
  EXPECT_EQ(a.take(again).size(), again.size());
  EXPECT_FALSE(a.fleet().holds(0));
}

// The receiver is lost and the sender does not know: the next owner gets both moves, in any order.
TEST(FleetExchange, AMoveThatALostProcessHadTakenIsConfirmedAndNotTakenAgain) {
  Side a("a"), b("b"), c("c");
  a.hold(1);
  a.seed(kHost1);
  const std::uint32_t one = 1;
  a.state->give({one});
  const auto first = a.fleet().take_new();
  b.take(first);
  b.crawl(b.state->find(KnownUrls::fingerprint(kHost1)), {kHost1 + "x"});
  b.state->give({one});
  const auto second = b.fleet().take_new();
  c.inbox.expect({0, b.fleet().epoch(1)});
  EXPECT_EQ(c.take(first).size(), first.size()) << "or it would be sent for ever";
  EXPECT_FALSE(c.fleet().holds(1));
  c.take(second);
  EXPECT_TRUE(c.fleet().holds(1));
  EXPECT_EQ(c.state->frontier().state(c.state->find(KnownUrls::fingerprint(kHost1))), PageState::kDone);
  EXPECT_EQ(c.take(first).size(), first.size());
  EXPECT_EQ(c.fleet().epoch(1), 3u);
}

TEST(FleetExchange, StateComesBackFromASnapshot) {
  Side a("a", 100), again("a", 100);
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost0 + "x", kHost1 + "y"});
  a.state->flush_batches();
  a.crawl(a.state->find(KnownUrls::fingerprint(kHost0 + "x")), {kHost1 + "z"});
  for (PageId page = 0; page < a.state->pages(); ++page) again.state->intern(a.state->url(page));
  const std::string saved = a.save();
  ByteReader in(saved);
  ASSERT_TRUE(again.state->load(in).ok());
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(again.fleet().outbox().size(), 1u);
  a.state->flush_batches();
  again.state->flush_batches();
  EXPECT_EQ(*again.fleet().outbox().back().content, *a.fleet().outbox().back().content);
  EXPECT_EQ(again.save(), a.save());
}

TEST(FleetExchange, FirewallAndCrossOverHoldTheirPartitionsForEver) {
  CrawlStateOptions options;
  options.parallel.mode = Mode::kFirewall;
  options.parallel.procs = 2;
  options.parallel.process = 1;
  options.parallel.partitioning = Partitioning::kHostHash;
  options.parallel.partitions = 2;
  TemporaryFolder folder;
  const auto store = std::move(CrawlStore::open(folder / "c", {})).value();
  const auto state = std::move(CrawlState::make(options, *store)).value();
  state->record_to(store.get());
  EXPECT_EQ(state->route(state->intern(kHost1)), LinkRoute::kLocal);
  EXPECT_EQ(state->route(state->intern(kHost0)), LinkRoute::kDropped);
}

// A scripted fleet that records what it receives.
struct ScriptedFleet {
  FleetNews news;
  std::vector<Message> sent;
  std::vector<MessageId> received;
  std::vector<std::string> absorbed;
  MemberReport report;
  std::uint64_t commit = 0;
  bool has_log = false;
  std::optional<std::uint64_t> logged;  // if it has a log
  std::vector<MessageId> dropped;
};

struct ScriptedExchange final : Exchange {
  explicit ScriptedExchange(ScriptedFleet& script) : fleet(script) {}
  void live() override {}
  void begin(std::function<void()>) override {}
  void take(FleetNews& to) override { to = std::exchange(fleet.news, {}); }
  bool may_work() const override { return true; }
  void send(std::vector<Message> messages) override {
    fleet.sent.insert(fleet.sent.end(), messages.begin(), messages.end());
  }
  void received(const std::vector<MessageId>& ids) override {
    fleet.received.insert(fleet.received.end(), ids.begin(), ids.end());
  }
  void dropped(const std::vector<MessageId>& ids) override {
    fleet.dropped.insert(fleet.dropped.end(), ids.begin(), ids.end());
  }
  void absorbed(const std::string& member) override { fleet.absorbed.push_back(member); }
  std::function<Status()> fence() const override { return {}; }
  void end_waiting() override {}
  void committing() override {}
  void committed(std::uint64_t number) override { fleet.commit = number; }
  std::optional<std::uint64_t> logged() const override {
    if (!fleet.has_log) return fleet.commit;
    return fleet.logged;
  }
  void wait_for_log() override { fleet.logged = fleet.commit; }
  void report(MemberReport report) override { fleet.report = std::move(report); }
  Time slot(const std::vector<SharedGate>&, Time now) override { return now; }
  void finish() override {}
  ScriptedFleet& fleet;
};

Message first_transfer(std::uint32_t partition) {
  PartitionTransfer empty;
  empty.epoch = 1;
  empty.first = empty.last = true;
  return {{"+origin", partition, 1}, std::make_shared<const std::string>(pack(empty))};
}

TEST(FleetSession, AMessageThatNobodySentDoesNotKeepTheFleetFromEnding) {
  Side a("a");
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  fleet.news.plan = PlannedPart{{true, true}, {0, 0}};
  const auto links = std::make_shared<const std::string>(pack(LinkBatch()));
  fleet.news.messages = {
      first_transfer(0), first_transfer(1), {{"b", 0, 7}, links}, {{"b", 0, 99'999}, links}};
  EXPECT_TRUE(session.step(Time{}));
  ASSERT_EQ(fleet.dropped.size(), 1u);
  EXPECT_EQ(fleet.dropped[0].number, 99'999u);
  session.commit_asked();
  session.durable(1);
  session.report({}, true);
  EXPECT_TRUE(fleet.report.quiet);
}

TEST(FleetSession, SeedsEnterWithTheirPartitionAndNothingLeavesBeforeItIsDurable) {
  Side a("a");
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {{kHost0, 1}, {kHost1, 1}},
                       [] {});
  fleet.news.plan = PlannedPart{{true, false}, {0, 0}};
  fleet.news.messages = {first_transfer(0), first_transfer(1)};
  EXPECT_TRUE(session.step(Time{}));
  EXPECT_TRUE(a.fleet().holds(0));
  EXPECT_FALSE(a.fleet().holds(1)) << "it is for another process";
  EXPECT_EQ(a.state->frontier().counts().primary, 1u);
  session.report({}, false);
  EXPECT_TRUE(fleet.report.held.empty()) << "nothing is committed yet";
  a.crawl(a.state->intern(kHost0), {kHost1 + "y"});
  session.before_commit(Time(10s), false);
  session.commit_asked();
  EXPECT_TRUE(fleet.sent.empty());
  EXPECT_TRUE(fleet.received.empty());
  session.durable(7);
  EXPECT_EQ(fleet.commit, 7u);
  EXPECT_EQ(fleet.sent.size(), 1u);
  EXPECT_EQ(fleet.received.size(), 1u);
  session.report({}, true);
  EXPECT_EQ(fleet.report.held, (Epochs{{0, 1}}));
  EXPECT_FALSE(fleet.report.quiet) << "a message is not confirmed";
  fleet.news.confirmed = {fleet.sent[0].id};
  session.step(Time(1ms));
  session.report({}, true);
  EXPECT_TRUE(fleet.report.quiet);
}

TEST(FleetSession, NothingLeavesBeforeTheLogHasIt) {
  Side a("a");
  a.hold(0);
  a.crawl(a.seed(kHost0), {kHost1 + "x"});
  ScriptedFleet fleet;
  fleet.has_log = true;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  fleet.news.plan = PlannedPart{{true, false}, {0, 0}};
  session.step(Time{});
  session.report({}, true);
  EXPECT_TRUE(fleet.sent.empty()) << "the log does not have the commit that we restored";
  EXPECT_TRUE(fleet.report.held.empty());
  fleet.logged = 0;
  session.step(Time{1ms});
  session.report({}, true);
  EXPECT_EQ(fleet.sent.size(), 1u);
  EXPECT_EQ(fleet.report.held, (Epochs{{0, 1}}));

  a.crawl(a.seed(kHost0 + "more"), {kHost1 + "y"});
  fleet.news.orphans = {{"b", {}}};
  fleet.news.messages = {{{"b", 0, 1}, std::make_shared<const std::string>(pack(LinkBatch()))}};
  session.step(Time{2ms});
  session.commit_asked();
  session.durable(7);
  EXPECT_EQ(fleet.commit, 7u);
  EXPECT_FALSE(session.log_is_behind());
  a.crawl(a.seed(kHost0 + "again"), {kHost1 + "z"});
  session.commit_asked();
  session.durable(8);
  EXPECT_TRUE(session.log_is_behind());
  session.step(Time{3ms});
  EXPECT_EQ(fleet.sent.size(), 1u);
  EXPECT_TRUE(fleet.received.empty());
  EXPECT_TRUE(fleet.absorbed.empty());
  fleet.news.confirmed = {fleet.sent[0].id};
  session.step(Time{4ms});
  session.report({}, true);
  EXPECT_FALSE(fleet.report.quiet);
  EXPECT_EQ(session.unlogged(), 2u);
  fleet.logged = 7;
  session.step(Time{5ms});
  EXPECT_EQ(fleet.sent.size(), 2u);
  EXPECT_EQ(fleet.received.size(), 1u);
  EXPECT_EQ(fleet.absorbed, std::vector<std::string>{"b"});
  EXPECT_FALSE(session.log_is_behind());
  session.finish();
  EXPECT_EQ(fleet.sent.size(), 3u) << "the log has everything at the end";
}

TEST(FleetSession, TheFleetDoesNotEndBeforeTheLogHasTheLastPage) {
  Side a("a");
  ScriptedFleet fleet;
  fleet.has_log = true;
  fleet.logged = 0;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  fleet.news.plan = PlannedPart{{true, true}, {0, 0}};
  a.hold(0);
  a.hold(1);
  a.crawl(a.seed(kHost0), {});
  session.step(Time{0ms});
  session.report({}, true);
  EXPECT_FALSE(fleet.report.quiet) << "not committed";
  session.commit_asked();
  session.durable(3);
  session.report({}, true);
  EXPECT_FALSE(fleet.report.quiet) << "not in the log";
  fleet.logged = 3;
  session.step(Time{1ms});
  session.report({}, true);
  EXPECT_TRUE(fleet.report.quiet);
}

// "a" has fetched a page of its own partition, and one of a partition that it gave to "b"; then its disk is
// lost. "c" gets the partition of "a". Both pages are fetched again, and their links and cash are not applied
// again.
TEST(FleetExchange, PagesWhoseBodiesAreLostAreFetchedAgainForTheirBodiesAlone) {
  for (const char* policy : {"opic", "bfs"}) {
    Side a("a", 1, policy), b("b", 1, policy), c("c", 1, policy);
    a.hold(0);
    a.hold(1);
    a.crawl(a.seed(kHost0), {kHost1 + "x", kHost0 + "y"});
    const PageId x = a.state->find(KnownUrls::fingerprint(kHost1 + "x"));
    auto job = a.state->next(Time{});
    while (job && *job != x) job = a.state->next(Time{});
    ASSERT_EQ(job, x);
    const StoredLink more{a.state->intern(kHost1 + "z"), 0};
    a.state->complete({x, {&more, 1}});
    a.state->give({1});
    b.take(a.fleet().take_new());
    EXPECT_EQ(b.state->frontier().counts().primary, 1u) << "z";
    const double issued = a.account("issued"), cash = b.cash();

    a.state->lose_archive({a.state->find(KnownUrls::fingerprint(kHost0)), x});
    a.state->give({0});
    const auto messages = a.fleet().take_new();
    std::vector<Message> to_b, to_c;
    for (const Message& one : messages) (one.id.partition == 1 ? to_b : to_c).push_back(one);
    ASSERT_FALSE(to_b.empty());
    EXPECT_EQ(b.take(to_b).size(), to_b.size());
    c.take(to_c);
    EXPECT_EQ(b.state->frontier().counts().primary, 2u) << "x is queued again";
    EXPECT_EQ(b.take(to_b).size(), to_b.size()) << "a repeat";
    EXPECT_EQ(b.state->frontier().counts().primary, 2u);
    if (std::string_view(policy) == "opic") {
      EXPECT_EQ(b.cash(), cash);
    }
    const double sent = c.account("sent") + b.account("sent");

    for (Side* side : {&b, &c}) {
      const std::uint64_t pages = side->state->frontier().counts().discovered;
      while (const auto next = side->state->next(Time{})) {
        const std::string url = side->state->url(*next);
        EXPECT_EQ(side->state->facts().is_again(*next), url == kHost0 || url == kHost1 + "x") << url;
        const bool again = side->state->facts().is_again(*next);
        const StoredLink link{side->state->intern(kHost0 + "other"), kLinkOtherHost};
        const StoredLink away{side->state->intern(side == &b ? kHost0 + "q" : kHost1 + "q"), kLinkOtherHost};
        const StoredLink both[] = {link, away};
        side->state->complete(
            {*next, again ? std::span<const StoredLink>(both) : std::span<const StoredLink>()});
      }
      EXPECT_EQ(side->state->frontier().counts().discovered, pages) << "no new pages";
    }
    EXPECT_EQ(c.account("sent") + b.account("sent"), sent) << "nor any that are sent";
    if (std::string_view(policy) == "opic") {
      const double sinks = a.account("sink") + b.account("sink") + c.account("sink");
      EXPECT_NEAR(sinks, issued, 1e-9);
    }
  }
}

TEST(FleetExchange, APageThatIsFetchedAgainMayMoveBeforeItIs) {
  Side a("a"), b("b"), c("c");
  a.hold(0);
  a.crawl(a.seed(kHost0), {});
  a.state->lose_archive({0});
  a.state->give({0});
  b.take(a.fleet().take_new());
  const std::string saved = b.save();
  b.state->give({0});
  c.take(b.fleet().take_new());
  const auto page = c.state->next(Time{});
  ASSERT_TRUE(page);
  EXPECT_TRUE(c.state->facts().is_again(*page));
  c.state->complete({*page, {}});
  c.state->give({0});
  for (const Message& one : c.fleet().take_new()) {
    const auto body = std::move(unpack(*one.content)).value();
    for (const auto& moved : std::get<PartitionTransfer>(body).pages)
      EXPECT_TRUE(moved.done && !moved.url.again);
  }
  EXPECT_FALSE(saved.empty());
}

// Everything from the network is hostile.
TEST(FleetSession, DamagedTransfersAndUnknownPartitionsAreRejected) {
  Side a("a");
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  Message damaged = first_transfer(0);
  damaged.content = std::make_shared<const std::string>(damaged.content->substr(0, 6));
  fleet.news.plan = PlannedPart{{true, true}, {0, 0}};
  fleet.news.messages = {damaged, first_transfer(7)};
  fleet.news.confirmed = {{"a", 7, 1}};
  fleet.news.orphans = {{"b", {first_transfer(7)}}};
  session.step(Time{});
  EXPECT_FALSE(a.fleet().holds(0));
  EXPECT_EQ(a.state->take_warnings(), std::vector<std::string>{"partition 0, sent by +origin, was rejected: "
                                                               "its message is damaged"});
  EXPECT_EQ(a.fleet().outbox_size(), 0u);
  session.commit_asked();
  session.durable(1);
  ASSERT_EQ(fleet.received.size(), 1u) << "or it would be sent for ever";
  EXPECT_EQ(fleet.received[0].partition, 0u);
}

// The ordering has counted pages that are done, and must not count them again.
TEST(FleetExchange, PagesThatWereDoneStayDoneWhenTheirPartitionComesBackWithoutThem) {
  for (const char* policy : {"lipr", "opic", "partial-pagerank"}) {
    Side a("a", 1, policy);
    a.hold(0);
    a.hold(1);
    const PageId home = a.seed(kHost0);
    a.crawl(home, {kHost1 + "x"});
    const PageId x = a.state->find(KnownUrls::fingerprint(kHost1 + "x"));
    a.crawl(x, {});
    a.state->give({1});
    PartitionTransfer without;
    without.epoch = 9;
    without.first = without.last = true;
    without.pages.push_back({{kHost1 + "y", 1, 0, 0, false}, false, 1});
    without.pages.push_back({{kHost0, 1, 0, 0, false}, false, 1});
    a.take({{{"b", 1, 1}, std::make_shared<const std::string>(pack(without))}});
    ASSERT_TRUE(a.fleet().holds(1));
    EXPECT_EQ(a.state->frontier().state(x), PageState::kDone);
    EXPECT_EQ(a.state->frontier().counts().primary, 1u) << "a page of another partition was sent with it";
    a.crawl(a.state->find(KnownUrls::fingerprint(kHost1 + "y")), {kHost1 + "x", kHost1 + "z"});
    EXPECT_TRUE(a.state->next(Time{}).has_value());
    EXPECT_FALSE(a.state->next(Time{}).has_value()) << policy;
  }
}

TEST(FleetSession, APartitionThatLeavesIsDrainedFirst) {
  Side a("a");
  a.hold(0);
  a.hold(1);
  a.seed(kHost1);
  const auto page = a.state->next(Time{});
  ASSERT_TRUE(page);
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  fleet.news.plan = PlannedPart{{true, false}, {0, 0}};
  session.step(Time{});
  EXPECT_TRUE(session.leaving(*page));
  EXPECT_TRUE(a.fleet().holds(1)) << "a page of it is in flight";
  a.state->complete({*page, {}});
  session.step(Time(1ms));
  EXPECT_FALSE(a.fleet().holds(1));
  EXPECT_FALSE(session.leaving(*page));
}

TEST(FleetSession, APartitionWhosePagesTakeTooLongLeavesWithoutThem) {
  Side a("a");
  a.hold(1);
  a.seed(kHost1);
  ASSERT_TRUE(a.state->next(Time{}));
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  fleet.news.plan = PlannedPart{{false, false}, {0, 0}};
  session.step(Time{});
  session.step(Time(9999ms));
  EXPECT_TRUE(a.fleet().holds(1));
  session.step(Time(10'001ms));
  EXPECT_FALSE(a.fleet().holds(1));
}

TEST(FleetSession, APlanThatIsToldAgainGivesNoMoreTime) {
  Side a("a");
  a.hold(1);
  a.seed(kHost1);
  ASSERT_TRUE(a.state->next(Time{}));
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  for (const Time now : {Time{}, Time(6s)}) {
    fleet.news.plan = PlannedPart{{false, false}, {0, 0}};
    session.step(now);
  }
  session.step(Time(10'001ms));
  EXPECT_FALSE(a.fleet().holds(1));
}

TEST(FleetSession, TheLastCommitSendsWhatTheOneBeforeItHad) {
  Side a("a");
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {{kHost0, 1}}, [] {});
  fleet.news.plan = PlannedPart{{true, false}, {0, 0}};
  fleet.news.messages = {first_transfer(0)};
  session.step(Time{});
  a.crawl(a.state->intern(kHost0), {kHost1 + "y"});
  session.before_commit(Time(10s), false);
  session.commit_asked();
  session.commit_asked();
  session.durable(1);
  EXPECT_EQ(fleet.sent.size(), 1u);
  EXPECT_EQ(fleet.received.size(), 1u);
}

TEST(FleetSession, OrphansAreOursOnceTheyAreDurableAndWarningsAreTheCrawls) {
  Side a("a");
  ScriptedFleet fleet;
  FleetSession session(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
  Orphan orphan;
  orphan.member = "b";
  for (std::uint64_t number = 1; number <= 250; ++number) {
    orphan.messages.push_back({{"b", 1, number}, std::make_shared<const std::string>(pack(LinkBatch()))});
  }
  fleet.news.orphans = {orphan};
  fleet.news.warnings = {"careful"};
  session.step(Time{});
  EXPECT_EQ(a.state->take_warnings(), std::vector<std::string>{"careful"});
  session.commit_asked();
  EXPECT_TRUE(fleet.absorbed.empty());
  session.durable(1);
  EXPECT_EQ(fleet.absorbed, std::vector<std::string>{"b"});
  EXPECT_EQ(fleet.sent.size(), 250u);
}

// Its queue may still deliver here after a restart, with the message that moves it.
TEST(FleetSession, APartitionThatWasGivenAwayIsNotTakenBackBeforeThePlanIsKnown) {
  for (const bool to_be_ours : {false, true}) {
    Side a("a");
    a.hold(0);
    a.hold(1);
    a.seed(kHost1);
    const std::vector<std::uint32_t> goes = {1};
    a.state->give(goes);
    ScriptedFleet fleet;
    fleet.news.messages = a.fleet().outbox();
    ASSERT_FALSE(fleet.news.messages.empty());
    FleetSession sharing(*a.state, std::make_unique<ScriptedExchange>(fleet), {}, [] {});
    sharing.step(Time{});
    EXPECT_FALSE(a.fleet().holds(1));
    fleet.news.plan = PlannedPart{{true, to_be_ours}, {0, 0}};
    sharing.step(Time(1ms));
    EXPECT_EQ(a.fleet().holds(1), to_be_ours);
  }
}

// ---- Requisites

RequisitesFound needs(Side& side, PageId from, const std::vector<std::string>& urls) {
  RequisitesFound event;
  event.from = from;
  for (const std::string& url : urls) {
    const PageId page = side.state->intern(url);
    event.found.push_back({page, side.state->is_sent_away(page) ? kSentAway : std::uint8_t{0}});
  }
  return event;
}

TEST(FleetExchange, RequisitesGoToTheirOwnerOnceEach) {
  Side a("a", 2), b("b", 2);
  a.hold(0);
  b.hold(1);
  const PageId home = a.seed(kHost0);
  a.crawl(home, {});
  a.state->add_requisites(needs(a, home, {kHost0 + "own.png", kHost1 + "1.png"}));
  EXPECT_EQ(a.state->requisites().pending().size(), 1u);
  EXPECT_TRUE(a.state->requisites().is_elsewhere(a.state->intern(kHost1 + "1.png")));
  EXPECT_EQ(a.fleet().requisite_batches(), 1u) << "it is filling";
  a.state->add_requisites(needs(a, home, {kHost1 + "1.png"}));
  EXPECT_TRUE(a.fleet().take_new().empty()) << "one that was sent is not sent again";
  a.state->add_requisites(needs(a, home, {kHost1 + "2.png"}));
  const auto messages = a.fleet().take_new();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(has_requisites(*messages[0].content));
  b.take(messages);
  b.take(messages);
  ASSERT_EQ(b.state->requisites().pending().size(), 2u);
  const PendingRequisite one = b.state->requisites().pending().begin()->second;
  EXPECT_EQ(b.state->url(one.page), kHost1 + "1.png");
  EXPECT_EQ(b.state->url(one.root), kHost0);
  EXPECT_EQ(b.state->take_arrived_requisites().size(), 2u);
  EXPECT_EQ(b.state->frontier().counts().discovered, 0u) << "the ordering does not hear of them";
  a.state->confirm(messages[0].id);
  EXPECT_EQ(a.fleet().requisite_batches(), 0u);
}

TEST(FleetExchange, RequisitesMoveWithTheirPartition) {
  Side a("a"), b("b");
  a.hold(0);
  a.hold(1);
  const PageId home = a.seed(kHost0);
  a.crawl(home, {});
  a.state->add_requisites(needs(a, home, {kHost1 + "1.png", kHost1 + "2.png", kHost0 + "3.png"}));
  const PageId done = a.state->intern(kHost1 + "2.png");
  a.state->end_requisite(done, {false, Outcome::kNotFound});
  a.state->give({1});
  EXPECT_EQ(a.state->requisites().pending().size(), 1u);
  b.take(a.fleet().take_new());
  EXPECT_TRUE(b.fleet().holds(1));
  ASSERT_EQ(b.state->requisites().pending().size(), 1u);
  EXPECT_EQ(b.state->url(b.state->requisites().pending().begin()->second.page), kHost1 + "1.png");
  RequisiteEnd end;
  ASSERT_TRUE(b.state->requisites().ended(b.state->intern(kHost1 + "2.png"), end));
  EXPECT_EQ(end.outcome, Outcome::kNotFound) << "it is not fetched again";
  // And back, with what happened meanwhile.
  b.state->end_requisite(b.state->intern(kHost1 + "1.png"), {});
  b.state->give({1});
  a.take(b.fleet().take_new());
  EXPECT_TRUE(a.state->requisites().ended(a.state->intern(kHost1 + "1.png"), end));
  EXPECT_EQ(a.state->requisites().complete_pages().waiting(), 1u) << "for 3.png";
}

TEST(FleetExchange, RequisitesThatMakeNoSenseAreDropped) {
  Side b("b");
  b.hold(1);
  LinkBatch batch;
  const SentRequisite good{kHost1 + "1.png", 0, 0, 1, 0, kHost0, 0, 1};
  for (int i = 0; i < 6; ++i) batch.requisites.push_back(good);
  batch.requisites[0].url = kHost0 + "other-partition.png";
  batch.requisites[1].kind = 77;
  batch.requisites[2].depth = Requisites::kMostDepth + 1;
  batch.requisites[3].root = "no-url-at-all";
  batch.requisites[4].end = 255;
  batch.requisites[5].url = "HTTP://not.canonical";
  b.take({{{"a", 1, 1}, std::make_shared<const std::string>(pack(batch))}});
  EXPECT_TRUE(b.state->requisites().pending().empty());
  EXPECT_EQ(b.fleet().last_sequence(1, "a"), 1u);
}

}  // namespace
}  // namespace bowerbird
