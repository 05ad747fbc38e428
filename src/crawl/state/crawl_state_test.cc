// For any sequence of decisions: applying them, replaying the journal, and loading a snapshot and replaying
// what came after it all give the same state.
#include "crawl/state/crawl_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/rng.h"
#include "crawl/state/restored_crawl.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// Everything that can be asked of a state, then the order in which it hands out what is left.
std::string answers_of(CrawlState& state) {
  std::string bytes;
  ByteWriter out(bytes);
  const Frontier& frontier = state.frontier();
  for (PageId page = 0; page < state.pages(); ++page) {
    out.put(frontier.state(page));
    out.put(frontier.score(page).value_or(-1));
    out.put(frontier.due(page).value_or(Time::min()));
    out.put(state.facts().depth(page));
    out.put(state.facts().redirects(page));
    out.put(state.facts().tries(page));
    out.put(state.facts().is_sitemap(page));
  }
  for (HostId id = 0; id < state.hosts().size(); ++id) {
    const Host& host = state.hosts()[id];
    state.hosts().save_host(id, out);
    out.put(host.gate);
    for (const OriginRules& origin : host.origins) {
      out.put(origin.until);
      out.put(origin.reached);
    }
  }
  out.put(frontier.counts().discovered);
  out.put(frontier.counts().crawled);
  out.put(state.now());
  state.requisites().save(out);
  if (state.fleet() != nullptr && state.fleet()->mode() == Mode::kExchange) state.fleet()->save(out);
  while (state.fleet() != nullptr && state.enter_foreign()) {
  }
  if (state.refresh().queue() != nullptr) state.refresh().queue()->save(out);
  if (state.refresh().is_on()) {
    for (const PageId page : state.refresh().revisits()) out.put(page);
    while (const auto page = state.next_visit(state.now() + 1ms, RefreshWant::kAny)) out.put(*page);
  }
  while (const auto page = state.next(state.now() + 1ms)) out.put(*page);
  return bytes;
}

// A crawl that decides at random.
class RandomCrawl {
 public:
  RandomCrawl(const CrawlOptions& options, std::uint64_t seed)
      : options_(options), random_(seed), refreshes_(options.refresh.policy != "none") {
    crawl_ = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    EXPECT_TRUE(crawl_->restore().ok());
    state().record_to(&crawl_->store());
    if (exchanges()) adopt(0);
    add_seed(0, 2);
    add_seed(1, 1);
    if (refreshes_) refresh_step();
  }

  CrawlState& state() { return crawl_->state(); }

  void step() {
    now_ += Duration{random_.below(40)};
    if (state().fleet() != nullptr && random_.below(2) == 0) return fleet_step();
    if (refreshes_ && random_.below(8) == 0) return refresh_step();
    switch (random_.below(10)) {
      case 8:
        return find_requisites();
      case 9:
        return end_requisite();
      case 0:
        add_seed(random_.below(200), 1 + static_cast<double>(random_.below(100)) / 100);
        break;
      case 1:
        state().set_gate(static_cast<HostId>(random_.below(state().hosts().size())),
                         random_.below(5) == 0 ? kNever : now_ + Duration{random_.below(30)});
        break;
      case 2:
        note_host(static_cast<HostId>(random_.below(state().hosts().size())));
        break;
      default:
        if (const auto page = next()) in_flight_.push_back(*page);
        if (!in_flight_.empty() && random_.below(3) > 0) end_one();
    }
  }
  void commit(bool with_snapshot) {
    if (with_snapshot) {
      ASSERT_TRUE(crawl_->spill().begin_snapshot().ok());
      ASSERT_TRUE(crawl_->store().commit("", [this](ByteWriter& out) { return state().save(out); }).ok());
    } else {
      crawl_->store().commit("");
    }
    ASSERT_TRUE(crawl_->store().wait_for_commits().ok());
    if (with_snapshot) crawl_->spill().end_snapshot();
  }

 private:
  std::string url(std::uint64_t i) const { return fmt::format("http://h{}.test/{}", i % 7, i); }

  void add_seed(std::uint64_t i, double weight) {
    const PageId page = state().intern(url(i));
    if (state().route(page) != LinkRoute::kLocal) return;
    if (i % 10 == 2) {
      state().add_sitemaps({page});
    } else {
      state().add_seeds({{page, weight, i % 5 == 1}});
    }
  }

  // ---- Events of a crawl by several processes. "b" sends links and partitions, "c" is lost.

  bool exchanges() { return state().fleet() != nullptr && state().fleet()->mode() == Mode::kExchange; }

  void fleet_step() {
    FleetState& fleet = *state().fleet();
    if (!exchanges()) {
      state().enter_foreign();
      return;
    }
    const auto p = static_cast<std::uint32_t>(random_.below(fleet.partitions()));
    switch (random_.below(8)) {
      case 0:
        if (fleet.holds(p)) return give(p);
        return adopt(p);
      case 1:
        return state().flush_batches();
      case 2:
        if (const auto outbox = fleet.outbox(); !outbox.empty()) {
          state().confirm(outbox[random_.below(outbox.size())].id);
        }
        return;
      case 3:
        ++lost_number_;
        return state().absorb(fmt::format("c{}", random_.below(3)), {message("c", p, lost_number_, batch())});
      default:
        if (!fleet.holds(p)) return adopt(p);
        state().receive(message("b", p, fleet.last_sequence(p, "b") + 1, batch()));
    }
  }

  static Message message(const std::string& sender, std::uint32_t partition, std::uint64_t number,
                         const MessageBody& body) {
    return {{sender, partition, number}, std::make_shared<const std::string>(pack(body))};
  }

  SentUrl sent_url() {
    return {url(random_.below(400)), static_cast<std::uint8_t>(random_.below(9)),
            static_cast<std::uint8_t>(random_.below(2)), static_cast<std::uint8_t>(random_.below(3)),
            random_.below(9) == 0};
  }

  LinkBatch batch() {
    LinkBatch batch;
    for (std::uint64_t count = 1 + random_.below(5); count > 0; --count) batch.urls.push_back(sent_url());
    LinkBatch::Group group;
    group.visit.score = static_cast<double>(random_.below(100)) / 10;
    group.visit.links = static_cast<std::uint32_t>(batch.urls.size() + random_.below(3));
    group.visit.crawled = 1 + random_.below(1000);
    group.visit.known = group.visit.crawled + random_.below(1000);
    for (std::uint32_t i = 0; i < batch.urls.size(); ++i) group.links.push_back({i, i % 2 == 0});
    batch.groups.push_back(group);
    return batch;
  }

  void adopt(std::uint32_t p) {
    PartitionTransfer piece;
    piece.epoch = state().fleet()->epoch(p) + 1 + random_.below(2);
    // Pages of other partitions are among them. Pages that were done here are missing, or sent as not done.
    for (int i = 0; i < 16; ++i) {
      piece.pages.push_back(
          {sent_url(), random_.below(3) == 0, static_cast<double>(random_.below(100)) / 10});
    }
    piece.first = true;
    const Message first = message("b", p, 100, piece);
    piece.pages.clear();
    piece.first = false;
    piece.last = true;
    piece.hosts.push_back({fmt::format("h{}.test", random_.below(7)), now_ + 50ms, 1, 3, 12});
    piece.last_sequences = {{"b", random_.below(5)}, {"d", 7}};
    ASSERT_TRUE(state().adopt({first, message("b", p, 101, piece)}).ok());
  }

  void give(std::uint32_t p) {
    state().give({p});
    std::erase_if(in_flight_,
                  [&](PageId page) { return state().frontier().state(page) != PageState::kInFlight; });
  }

  // ---- Requisites: of any page, or of a pending requisite

  void find_requisites() {
    const auto& pending = state().requisites().pending();
    RequisitesFound event;
    event.from = static_cast<PageId>(random_.below(state().pages()));
    if (!pending.empty() && random_.below(2) == 0) {
      const PendingRequisite& outer = pending.begin()->second;
      if (outer.depth >= Requisites::kMostDepth) return;
      event.from = outer.page;
      event.of_page = false;
    }
    for (std::uint64_t count = random_.below(6); count > 0; --count) {
      event.found.push_back(
          {state().intern(url(random_.below(600))), static_cast<std::uint8_t>(random_.below(5))});
    }
    event.left_out = random_.below(3);
    state().add_requisites(event);
  }

  void end_requisite() {
    const auto& pending = state().requisites().pending();
    if (pending.empty()) return;
    const PageId page = random_.below(8) == 0 ? static_cast<PageId>(random_.below(state().pages()))
                                              : pending.begin()->second.page;
    state().end_requisite(page,
                          {random_.below(5) == 0, static_cast<Outcome>(random_.below(kOutcomes)),
                           static_cast<RequisiteEnd::Use>(random_.below(4))},
                          random_.below(1000));
  }

  // ---- Events of refreshing

  std::optional<PageId> next() {
    const PageGate gate = [this](PageId of) { return opens(of); };
    if (!state().refresh().is_on()) return state().next(now_, gate);
    return state().next_visit(now_, static_cast<RefreshWant>(random_.below(3)), gate);
  }

  // Begins, ends, or begins otherwise; importances change; a sitemap lists pages.
  void refresh_step() {
    if (!state().refresh().is_on() || random_.below(6) == 0) {
      for (const PageId page : in_flight_) {
        if (state().refresh().is_revisit(page)) state().postpone_visit(page, now_, false);
      }
      std::erase_if(in_flight_, [&](PageId page) { return !state().is_in_flight(page); });
      RefreshStarted event;
      event.now = now_;
      event.policy = random_.below(5) == 0 ? "none" : options_.refresh.policy;
      event.shortest = Duration{random_.below(20)};
      event.longest = random_.below(2) * 5s;
      event.scale = 1 + static_cast<double>(random_.below(3)) * 1e6;
      event.importance = static_cast<std::uint8_t>(random_.below(4));
      event.round = random_.below(4) == 0;
      state().start_refresh(event);
      if (!state().refresh().is_on()) return;
      hold_pages();
      if (state().frontier().counts().crawled == 0)
        state().compute_ranks({static_cast<std::uint8_t>(RanksOf::kStoredLinks), ~std::uint64_t{0}, false});
      return;
    }
    if (random_.below(2) == 0) {
      if (random_.below(3) == 0) return state().update_importance(false);
      const RanksOf source = random_.below(3) == 0 ? RanksOf::kOrdering : RanksOf::kKeptLinks;
      const std::uint64_t most = random_.below(4) == 0 ? 1000 : ~std::uint64_t{0};
      return state().compute_ranks({static_cast<std::uint8_t>(source), most, false});
    }
    PagesListed listed;
    listed.now = state().refresh().time(now_);
    listed.host = static_cast<HostId>(random_.below(state().hosts().size()));
    for (PageId page = 0; page < state().pages(); ++page) {
      if (state().host(page) == listed.host && random_.below(5) == 0)
        listed.pages.push_back({page, 1 + random_.below(3), random_.below(2) == 0});
    }
    state().list_pages(listed);
  }

  void hold_pages() {
    std::vector<FetchedBefore> held;
    for (PageId page = 0; page < state().pages(); ++page) {
      if (state().frontier().state(page) == PageState::kDone && !state().refresh().knows(page) &&
          random_.below(2) == 0)
        held.push_back({page, RefreshTime(now_.time_since_epoch()) - Duration{random_.below(500)}});
    }
    state().hold(std::move(held));
  }

  void end_visit(PageId page, bool first) {
    if (!first && random_.below(4) == 0)
      return state().postpone_visit(page, now_ + Duration{random_.below(50)}, random_.below(2) == 0);
    PageVisited visit;
    visit.page = page;
    visit.time = state().refresh().time(now_);
    visit.first = first;
    visit.outcome = static_cast<std::uint8_t>(random_.below(4));
    visit.answered = visit.outcome < 2;
    visit.comparable = random_.below(5) > 0;
    visit.digest = 1 + random_.below(3);
    visit.etag = fmt::format("\"{}\"", random_.below(100));
    if (random_.below(3) == 0) visit.changed_at = std::max(RefreshTime{}, visit.time - 70s);
    if (!first && visit.answered && random_.below(2) == 0) {
      visit.links.push_back({state().intern(url(random_.below(600))), 0});
      visit.visit.push_back({0.5, 7, 1, 3, 9, 2, false});
    }
    state().visited(visit);
  }

  // ---- Events of any crawl

  // Some hosts turn out to be closed when a page of theirs is looked at, by themselves or by one of two
  // gates that they share; sometimes the search ends.
  std::optional<Opening> opens(PageId page) {
    const std::uint64_t chance = random_.below(12);
    if (chance == 0) return {};
    if (chance == 1) return kNever;
    if (chance >= 6) return now_;
    return Opening(now_ + page % 30 * 1ms, static_cast<SharedGateId>(chance / 2));
  }

  void note_host(HostId id) {
    Host& host = state().hosts()[id];
    host.opens = now_ + Duration{random_.below(1000)};
    host.pages += 1;
    state().record_host(id);
    const bool https = random_.below(2) == 1;
    host.origins[https] = {std::make_shared<RobotsRules>(RobotsRules::none_allowed()), now_ + 100ms, false,
                           0};
    state().record_robots(id, https);
  }

  void end_one() {
    const std::size_t at = random_.below(in_flight_.size());
    const PageId page = in_flight_[at];
    in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(at));
    if (state().refresh().is_revisit(page)) return end_visit(page, false);
    switch (random_.below(6)) {
      case 0:
        state().retry(page, now_ + Duration{random_.below(50)}, random_.below(2) == 0);
        return;
      case 1:
        state().exclude(page);
        return;
      default:
        break;
    }
    constexpr std::uint8_t kFlags[] = {0,          kLinkOtherHost, kLinkNofollow, kLinkRedirect, kLinkSitemap,
                                       kLinkTooFar};
    std::vector<StoredLink> links;
    std::set<PageId> seen;
    for (std::uint64_t count = random_.below(12); count > 0; --count) {
      const PageId to = state().intern(url(random_.below(400)));
      if (seen.insert(to).second) links.push_back({to, kFlags[random_.below(std::size(kFlags))]});
    }
    PageDone done;
    done.page = page;
    done.links = links;
    done.on_topic = random_.below(2) == 0;
    done.failed = links.empty();
    state().complete(done);
    if (refreshes_ && (!state().refresh().is_on() || state().refresh().knows(page))) end_visit(page, true);
    std::erase_if(links, [&](const StoredLink& link) {
      return (link.flags & kLinkNotFollowed) == 0 || state().facts().belongs(link.page);
    });
    if (links.empty() || random_.below(2) == 0) return;
    for (StoredLink& link : links) link.flags = 0;
    state().admit(page, links);
  }

  CrawlOptions options_;
  std::unique_ptr<RestoredCrawl> crawl_;
  Rng random_;
  Time now_{1s};
  std::vector<PageId> in_flight_;
  std::uint64_t lost_number_ = 0;
  bool refreshes_ = false;
};

// Where they differ first; npos where they do not.
std::size_t difference(const std::string& a, const std::string& b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return left == a.end() && right == b.end() ? std::string::npos : static_cast<std::size_t>(left - a.begin());
}

// Decides at random, and restores the crawl in both ways.
void check_replay(CrawlOptions options, std::uint64_t seed) {
  TemporaryFolder folder;
  options.out = folder / "crawl";
  options.storage.durable = false;
  RandomCrawl crawl(options, seed);
  for (int i = 0; i < 150; ++i) crawl.step();
  crawl.commit(seed % 2 == 0);
  for (int i = 0; i < 60; ++i) crawl.step();
  crawl.commit(false);
  const std::string applied = answers_of(crawl.state());

  const auto restored = std::move(RestoredCrawl::open_to_read(options.out)).value();
  const Status status = restored->restore();
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_TRUE(restored->take_warnings().empty());
  EXPECT_EQ(difference(answers_of(restored->state()), applied), std::string::npos)
      << "snapshot and tail, seed " << seed;

  const auto replayed = std::move(RestoredCrawl::open_to_read(options.out)).value();
  ASSERT_TRUE(replayed->make_state().ok());
  const Status all = replayed->replay_from_beginning(
      [](const CrawlEvent&, const std::function<Status()>& apply) { return apply(); });
  ASSERT_TRUE(all.ok()) << all.error().text;
  EXPECT_EQ(difference(answers_of(replayed->state()), applied), std::string::npos)
      << "whole journal, seed " << seed;
}

class CrawlStateReplay : public testing::TestWithParam<const char*> {};

TEST_P(CrawlStateReplay, ApplyingReplayingAndLoadingASnapshotAgree) {
  CrawlOptions options;
  options.order.policy = GetParam();
  for (std::uint64_t seed = 1; seed <= 6; ++seed) check_replay(options, seed);
}

TEST_P(CrawlStateReplay, TheyAgreeInAFleet) {
  CrawlOptions options;
  options.order.policy = GetParam();
  options.parallel.member = "a";
  options.parallel.partitions = 3;
  options.parallel.procs = 2;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    options.parallel.mode = Mode::kExchange;
    options.parallel.replicate = seed % 3 == 0 ? 20 : 0;
    check_replay(options, seed);
  }
  options.parallel.replicate = 0;
  for (const Mode mode : {Mode::kCrossOver, Mode::kFirewall}) {
    options.parallel.mode = mode;
    check_replay(options, 7);
    check_replay(options, 8);
  }
}

TEST_P(CrawlStateReplay, TheyAgreeWherePagesAreRefreshed) {
  CrawlOptions options;
  options.order.policy = GetParam();
  std::uint64_t seed = 20;
  for (const RefreshRule& rule : refresh_rules()) {
    if (rule.name == "none") continue;
    options.refresh.policy = rule.name;
    for (int i = 0; i < 3; ++i) check_replay(options, ++seed);
  }
}

// The ordering recomputes its ranks when it is told to.
TEST(CrawlState, ReplayedRanksAgree) {
  CrawlOptions options;
  options.order.policy = "batch-pagerank:k=1000";
  options.refresh.policy = "index";
  for (std::uint64_t seed = 1; seed <= 8; ++seed) check_replay(options, seed);
}

INSTANTIATE_TEST_SUITE_P(Orderings, CrawlStateReplay,
                         testing::Values("fpr@100", "lipr", "opic", "bfs", "rankmass"));

class PlainCrawl {
 public:
  explicit PlainCrawl(const std::string& policy, const std::string& strategy = "all") {
    CrawlOptions options;
    options.out = folder_ / "crawl";
    options.order.policy = policy;
    options.order.strategy = strategy;
    options.storage.durable = false;
    crawl_ = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    EXPECT_TRUE(crawl_->restore().ok());
    crawl_->set_row_writer([this] {
      crawl_->store().commit("");
      return crawl_->store().wait_for_commits();
    });
    state().record_to(&crawl_->store());
  }
  CrawlState& state() { return crawl_->state(); }
  // Fetches a page with links to new pages.
  void fetch(PageId page, int links) {
    ASSERT_EQ(state().next(Time(1ms)), page);
    PageDone done;
    done.page = page;
    std::vector<StoredLink> found;
    for (int i = 0; i < links; ++i)
      found.push_back({state().intern(fmt::format("http://a.test/{}/{}", page, i)), 0});
    done.links = found;
    state().complete(done);
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<RestoredCrawl> crawl_;
};

TEST(CrawlState, SitemapsThatRobotsTxtNamesComeAfterTheSeedsOfTheUser) {
  for (const char* policy : {"fpr", "fpr@100", "lipr", "fica", "ieca", "rankmass", "windowed-rankmass@5"}) {
    PlainCrawl crawl(policy);
    CrawlState& state = crawl.state();
    const PageId first = state.intern("http://a.test/"), second = state.intern("http://b.test/");
    state.add_seeds({{first, 1, false}, {second, 1, false}});
    crawl.fetch(first, 5);
    const PageId sitemap = state.intern("http://spam.test/map.xml");
    state.add_sitemaps({sitemap});
    EXPECT_TRUE(state.facts().is_sitemap(sitemap));
    EXPECT_LT(state.frontier().score(sitemap).value(), state.frontier().score(second).value()) << policy;
  }
}

TEST(CrawlState, HeldLinksAreGivenPageByPageWhereThereIsAGate) {
  PlainCrawl crawl("bfs", "sydney@1");
  CrawlState& state = crawl.state();
  const PageId seed = state.intern("http://a.test/");
  state.add_seeds({{seed, 1, false}});
  const PageGate open = [](PageId) { return std::optional<Time>(Time{}); };
  crawl.fetch(seed, 4);
  const auto next = state.next(Time(1ms), open);
  ASSERT_TRUE(next);
  state.complete({*next, {}});
  EXPECT_FALSE(state.next(Time(1ms), open)) << "the seed gives its other links";
  EXPECT_TRUE(state.has_changed());
  EXPECT_EQ(state.frontier().counts().links_only, 1u);
  EXPECT_TRUE(state.next(Time(1ms), open));
}

TEST(CrawlState, AGateCanEndTheSearchForAPage) {
  for (const bool ends_search : {false, true}) {
    PlainCrawl crawl("bfs", "all");
    CrawlState& state = crawl.state();
    state.add_seeds({{state.intern("http://a.test/"), 1, false}, {state.intern("http://b.test/"), 1, false}});
    int asked = 0;
    const PageGate busy = [&](PageId) {
      ++asked;
      Opening opening(Time(1s));
      opening.ends_search = ends_search;
      return std::optional(opening);
    };
    EXPECT_FALSE(state.next(Time(1ms), busy));
    EXPECT_EQ(asked, ends_search ? 1 : 2);
  }
}

// Reading a URL back may unpack a block of a file.
class CountedUrls final : public UrlSource {
 public:
  Result<std::string> url(PageId page) override {
    ++reads;
    return urls[page];
  }
  std::vector<std::string> urls;
  std::uint64_t reads = 0;
};

TEST(CrawlState, CompletingAPageReadsNoUrlOfItsLinksBack) {
  for (const char* const policy : {"lipr", "location"}) {
    CountedUrls texts;
    CrawlStateOptions options;
    options.policy = policy;
    const auto state = std::move(CrawlState::make(options, texts)).value();
    const auto intern = [&](std::string url) {
      texts.urls.push_back(std::move(url));
      return state->intern(texts.urls.back());
    };
    state->add_seeds({{intern("http://a.example/"), 1, false}});
    const PageId page = state->next(Time{}).value();
    texts.reads = 0;
    std::vector<StoredLink> links;
    for (int i = 0; i < 5000; ++i) links.push_back({intern(fmt::format("http://h{}.example/", i)), 0});
    state->complete({page, links});
    EXPECT_EQ(state->frontier().counts().discovered, 5001u);
    EXPECT_EQ(texts.reads, 0u) << policy;
  }
}

}  // namespace
}  // namespace bowerbird
