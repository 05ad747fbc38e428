#include "store/crawl_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "store/warc_reader.h"
#include "sys/simulated_disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

StoredFetch some_fetch(PageId page, const std::string& body) {
  StoredFetch fetch;
  fetch.page = page;
  fetch.url = fmt::format("http://www.example.org/{}", page);
  fetch.time_us = 1'763'270'400'000'000 + page * 1'000'000;
  fetch.request = "GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n";
  fetch.response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  fetch.body = body;
  fetch.status = 200;
  fetch.mime = "text/html";
  append_warc_field(fetch.metadata, "score", "0.5");
  return fetch;
}

// A naive list of everything a crawl wrote.
struct Written {
  std::vector<std::string> urls;
  std::vector<PageLinks> links;
  std::vector<std::pair<int, std::string>> events;
  std::vector<PageId> fetches;
  std::string state;
};

Written read_all(const std::string& folder, Disk& disk) {
  Written all;
  auto reader = CrawlReader::open(folder, disk);
  EXPECT_TRUE(reader.ok()) << reader.error().text;
  if (!reader.ok()) return all;
  CrawlReader& crawl = **reader;
  all.state = crawl.state();
  EXPECT_TRUE(crawl.for_each_url([&](PageId, std::string_view url) { all.urls.emplace_back(url); }).ok());
  EXPECT_TRUE(crawl
                  .for_each_fetch([&](const FetchEntry& entry) -> Status {
                    all.fetches.push_back(entry.page);
                    return {};
                  })
                  .ok());
  const Status replayed = crawl.replay_all([&](const Event& event) -> Status {
    all.events.emplace_back(event.type, event.payload);
    if (event.type == kLinksEvent)
      all.links.push_back({event.page, {event.links.begin(), event.links.end()}});
    return {};
  });
  EXPECT_TRUE(replayed.ok()) << replayed.error().text;
  return all;
}

void expect_same(const Written& found, const Written& wanted) {
  EXPECT_EQ(found.urls, wanted.urls);
  EXPECT_EQ(found.events, wanted.events);
  EXPECT_EQ(found.fetches, wanted.fetches);
  EXPECT_EQ(found.state, wanted.state);
  ASSERT_EQ(found.links.size(), wanted.links.size());
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    EXPECT_EQ(found.links[i].page, wanted.links[i].page);
    EXPECT_EQ(found.links[i].links, wanted.links[i].links);
  }
}

// A deterministic crawl: some pages, then a commit, repeatedly. Records what each commit must contain.
class ScriptedCrawl {
 public:
  ScriptedCrawl() { at_commit_.push_back({}); }

  // Ends early if the store fails.
  void run(CrawlStore& store, int rounds, std::size_t first_round = 0) {
    for (std::size_t round = first_round; round < first_round + static_cast<std::size_t>(rounds); ++round) {
      if (!store.status().ok()) return;
      add_round(store, round);
      const std::string state = fmt::format("round {}", round);
      now_.state = state;
      at_commit_.push_back(now_);
      if (round % 3 == 2) {
        const std::string saved = fmt::format("saved after round {}", round);
        (void)store.commit(state, [&](ByteWriter& out) {
          for (const char c : saved) out.put(c);
          return Status();
        });
      } else {
        store.commit(state);
      }
      // One commit at a time, so that the n-th disk operation is always the same.
      if (!store.wait_for_commits().ok()) return;
    }
  }
  const std::vector<Written>& at_commit() const { return at_commit_; }
  void continue_from(const Written& found) {
    now_ = found;
    at_commit_ = {found};
  }

 private:
  void add_round(CrawlStore& store, std::size_t round) {
    for (int i = 0; i < 3; ++i) {
      const auto page = static_cast<PageId>(now_.urls.size());
      now_.urls.push_back(fmt::format("http://www.example.org/{}", page));
      EXPECT_EQ(store.add_url(now_.urls.back()), page);
    }
    const auto page = static_cast<PageId>(round);
    const std::vector<StoredLink> links = {{page + 1, 0}, {page, kLinkNofollow}, {page + 2, kLinkOtherHost}};
    store.add_links(page, links);
    now_.links.push_back({page, links});
    now_.events.emplace_back(kLinksEvent, "");
    const std::string payload = fmt::format("gate {}", round);
    store.add_event(20, payload);
    now_.events.emplace_back(20, payload);
    store.add_fetch(some_fetch(page, std::string(50 + round, static_cast<char>('a' + round % 3))));
    now_.fetches.push_back(page);
  }

  Written now_;
  std::vector<Written> at_commit_;
};

StoreOptions simulated(SimulatedDisk& disk) {
  StoreOptions options;
  options.disk = &disk;
  options.warc_bytes = 1500;  // gives several files
  return options;
}

std::unique_ptr<CrawlStore> opened(const StoreOptions& options, const std::string& folder = "/crawl") {
  auto store = CrawlStore::open(folder, options);
  EXPECT_TRUE(store.ok()) << store.error().text;
  return store.ok() ? std::move(*store) : nullptr;
}

std::string text_of(const SavedState& state) {
  ByteReader in = state.reader();
  std::string text(in.left(), ' ');
  for (char& c : text) c = in.get<char>();
  EXPECT_TRUE(in.ok());
  return text;
}

TEST(CrawlStore, CommittedDataIsRestored) {
  SimulatedDisk disk;
  StoreOptions options = simulated(disk);
  options.about = "ordering = fpr";
  ScriptedCrawl script;
  {
    const auto store = opened(options);
    EXPECT_FALSE(store->resumed());
    script.run(*store, 5);
    EXPECT_EQ(store->commits_done(), 5u);
    store->add_url("http://lost.example.org/");  // after the last commit
  }
  options.about = "something else";
  const auto store = opened(options);
  EXPECT_TRUE(store->resumed());
  EXPECT_EQ(store->about(), "ordering = fpr");
  EXPECT_EQ(store->state(), "round 4");
  EXPECT_EQ(store->pages(), 15u);
  EXPECT_EQ(store->counts().fetches, 5u);
  EXPECT_EQ(store->commits_done(), 0u);
  expect_same(read_all("/crawl", disk), script.at_commit().back());
}

TEST(CrawlStore, ACommitRefusedByItsFenceHasNoEffect) {
  SimulatedDisk disk;
  const StoreOptions options = simulated(disk);
  ScriptedCrawl script;
  {
    const auto store = opened(options);
    int asked = 0;
    store->set_fence([&]() -> Status {
      ++asked;
      return {};
    });
    script.run(*store, 3);
    EXPECT_EQ(asked, 3);
    store->set_fence([] { return Status(error("others have read this folder")); });
    store->add_url("http://late.example.org/");
    store->commit("late");
    EXPECT_EQ(store->wait_for_commits().error().text, "others have read this folder");
    EXPECT_FALSE(store->status().ok());
  }
  EXPECT_EQ(opened(options)->state(), "round 2");
  expect_same(read_all("/crawl", disk), script.at_commit().back());
}

TEST(CrawlStore, EventsAfterTheSnapshotAreReplayed) {
  SimulatedDisk disk;
  const StoreOptions options = simulated(disk);
  ScriptedCrawl script;
  {
    const auto store = opened(options);
    script.run(*store, 8);
  }
  const auto store = opened(options);
  const auto snapshot = store->snapshot();
  ASSERT_TRUE(snapshot.ok());
  ASSERT_TRUE(snapshot->has_value());
  EXPECT_EQ(text_of(**snapshot), "saved after round 5");
  std::vector<PageId> pages;
  std::vector<std::string> events;
  const Status replayed = store->replay([&](const Event& event) -> Status {
    if (event.type == kLinksEvent) {
      pages.push_back(event.page);
      EXPECT_EQ(event.links.size(), 3u);
    } else {
      events.emplace_back(event.payload);
    }
    return {};
  });
  EXPECT_TRUE(replayed.ok());
  EXPECT_EQ(pages, (std::vector<PageId>{6, 7}));
  EXPECT_EQ(events, (std::vector<std::string>{"gate 6", "gate 7"}));
}

TEST(CrawlStore, ADamagedSnapshotIsSkipped) {
  SimulatedDisk disk;
  const StoreOptions options = simulated(disk);
  ScriptedCrawl script;
  {
    const auto store = opened(options);
    script.run(*store, 3);
  }
  const std::string path = "/crawl/snapshot-000000000004";
  std::string bytes = disk.content(path);
  ASSERT_FALSE(bytes.empty());
  bytes.back() = static_cast<char>(bytes.back() + 1);
  disk.put(path, bytes);
  const auto store = opened(options);
  const auto snapshot = store->snapshot();
  ASSERT_TRUE(snapshot.ok());
  EXPECT_FALSE(snapshot->has_value());
  int events = 0;
  EXPECT_TRUE(store
                  ->replay([&](const Event&) -> Status {
                    ++events;
                    return {};
                  })
                  .ok());
  EXPECT_EQ(events, 6);
}

TEST(CrawlStore, ClosingGivesTheWarcItsNameAndWritesTheIndex) {
  SimulatedDisk disk;
  ScriptedCrawl script;
  const auto store = opened(simulated(disk));
  script.run(*store, 3);
  ASSERT_TRUE(store->close("the end").ok());
  const auto names = disk.list("/crawl/warc");
  ASSERT_TRUE(names.ok());
  EXPECT_FALSE(names->empty());
  for (const std::string& name : *names) EXPECT_TRUE(name.ends_with(".warc.gz")) << name;
  const std::string index = disk.content("/crawl/index.cdxj");
  EXPECT_EQ(index.substr(0, 16), "org,example)/0 2");
  EXPECT_EQ(std::count(index.begin(), index.end(), '\n'), 3);
}

TEST(CrawlStore, ThePayloadOfAnotherPageIsStoredOnceAcrossAResume) {
  SimulatedDisk disk;
  const StoreOptions options = simulated(disk);
  {
    const auto store = opened(options);
    store->add_url("http://www.example.org/0");
    store->add_fetch(some_fetch(0, "the same"));
    store->commit("");
    ASSERT_TRUE(store->wait_for_commits().ok());
  }
  const auto store = opened(options);
  store->add_url("http://www.example.org/1");
  store->add_fetch(some_fetch(1, "the same"));
  ASSERT_TRUE(store->close("").ok());
  EXPECT_EQ(store->counts().fetches, 2u);
  EXPECT_EQ(store->counts().revisits, 1u);
  EXPECT_NE(disk.content("/crawl/index.cdxj").find("\"mime\":\"warc/revisit\""), std::string::npos);
}

// After a power failure at any step, the crawl is at a commit: the last one that finished, or the one in
// progress.
void power_fails_at(std::uint64_t step, std::uint64_t seed, int rounds) {
  SimulatedDisk disk;
  disk.fail_at(step, SimulatedDisk::Fault::kPower);
  ScriptedCrawl script;
  std::uint64_t done = 0;
  {
    auto store = CrawlStore::open("/crawl", simulated(disk));
    if (store.ok()) {
      script.run(**store, rounds);
      done = (*store)->commits_done();
    }
  }
  const auto found = seed == 0 ? disk.after_kill() : disk.after_power_failure(seed);
  const auto store = CrawlStore::open("/crawl", simulated(*found));
  ASSERT_TRUE(store.ok()) << store.error().text;
  if (!(*store)->resumed()) {
    EXPECT_EQ(done, 0u);
    return;
  }
  const Written all = read_all("/crawl", *found);
  const bool last = all.state == script.at_commit()[done].state;
  if (!last) {
    ASSERT_LT(done + 1, script.at_commit().size());
  }
  expect_same(all, script.at_commit()[last ? done : done + 1]);
  // The crawl can be continued from there.
  ScriptedCrawl rest;
  rest.continue_from(all);
  rest.run(**store, 2, all.fetches.size());
  ASSERT_TRUE((*store)->close("done").ok());
  Written wanted = rest.at_commit().back();
  wanted.state = "done";
  expect_same(read_all("/crawl", *found), wanted);
}

std::uint64_t steps_of(int rounds) {
  SimulatedDisk disk;
  ScriptedCrawl script;
  const auto store = opened(simulated(disk));
  script.run(*store, rounds);
  return disk.steps();
}

TEST(CrawlStoreCrash, AKillAtAnyInstantLeavesTheLastCommit) {
  const std::uint64_t steps = steps_of(4);
  for (std::uint64_t step = 0; step < steps; step += 97) {
    SCOPED_TRACE(fmt::format("killed after step {}", step));
    power_fails_at(step, 0, 4);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CrawlStoreCrash, APowerFailureAtAnyInstantLeavesTheLastCommit) {
  const std::uint64_t steps = steps_of(4);
  for (std::uint64_t step = 0; step < steps; step += 61) {
    SCOPED_TRACE(fmt::format("power gone after step {}", step));
    power_fails_at(step, step + 1, 4);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CrawlStoreCrash, AtEveryStepFull) {
  const std::uint64_t steps = steps_of(6);
  for (std::uint64_t step = 0; step < steps; ++step) {
    SCOPED_TRACE(fmt::format("power gone after step {}", step));
    power_fails_at(step, step % 4, 6);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CrawlStoreCrash, AFullDiskStopsTheCrawlAndLosesNothing) {
  const std::uint64_t steps = steps_of(4);
  for (std::uint64_t step = steps / 4; step < steps; step += 301) {
    SCOPED_TRACE(fmt::format("full after step {}", step));
    SimulatedDisk disk;
    disk.fail_at(step, SimulatedDisk::Fault::kFull);
    ScriptedCrawl script;
    std::uint64_t done = 0;
    {
      const auto store = opened(simulated(disk));
      script.run(*store, 4);
      done = store->commits_done();
      const Status status = store->close("");
      ASSERT_FALSE(status.ok());
      EXPECT_NE(status.error().text.find("the disk is full"), std::string::npos);
    }
    disk.fail_at(0, SimulatedDisk::Fault::kNone);  // space was freed
    const auto store = opened(simulated(disk));
    expect_same(read_all("/crawl", disk), script.at_commit()[done]);
  }
}

TEST(CrawlStoreCrash, DamageInTheJournalIsReportedWithItsPosition) {
  SimulatedDisk disk;
  {
    ScriptedCrawl script;
    const auto store = opened(simulated(disk));
    script.run(*store, 2);
  }
  std::string journal = disk.content("/crawl/journal");
  const std::size_t entry = journal.find("gate 0");
  journal[entry] = 'G';
  disk.put("/crawl/journal", journal);
  const auto store = CrawlStore::open("/crawl", simulated(disk));
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().text.find("/crawl/journal: byte "), std::string::npos) << store.error().text;
}

TEST(CrawlStoreCrash, ATruncatedFileIsReported) {
  SimulatedDisk disk;
  {
    ScriptedCrawl script;
    const auto store = opened(simulated(disk));
    script.run(*store, 2);
  }
  disk.put("/crawl/urls.log", disk.content("/crawl/urls.log").substr(0, 20));
  const auto store = CrawlStore::open("/crawl", simulated(disk));
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().text.find("/crawl/urls.log: has 20 bytes"), std::string::npos)
      << store.error().text;
}

// Two runs of a crawl with small WARC files.
void crawl_twice(SimulatedDisk& disk, const std::function<void()>& between) {
  StoreOptions options;
  options.disk = &disk;
  options.warc_bytes = 1;  // each commit completes a file
  ScriptedCrawl script;
  {
    auto store = std::move(CrawlStore::open("/crawl", options)).value();
    script.run(*store, 4);
  }
  between();
  auto store = std::move(CrawlStore::open("/crawl", options)).value();
  script.run(*store, 4, 4);
}

std::string first_warc(SimulatedDisk& disk) {
  return "/crawl/warc/" + disk.list("/crawl/warc").value().front();
}

std::string why_not_opened(SimulatedDisk& disk) {
  StoreOptions options;
  options.disk = &disk;
  const auto store = CrawlStore::open("/crawl", options);
  return store.ok() ? "" : store.error().text;
}

TEST(CrawlStore, AMissingOrShorterArchiveFileIsDetected) {
  SimulatedDisk disk;
  crawl_twice(disk, [] {});
  const std::string file = first_warc(disk);
  const std::string bytes = disk.open(file, Disk::Open::kRead).value()->read(0, 1 << 20).value();
  ASSERT_TRUE(disk.remove(file).ok());
  EXPECT_EQ(why_not_opened(disk).find(file + ": this file is missing"), 0u) << why_not_opened(disk);
  disk.put(file, bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(why_not_opened(disk).find(file + ": has "), 0u) << why_not_opened(disk);
  disk.put(file, bytes);
  EXPECT_EQ(why_not_opened(disk), "");
}

TEST(CrawlStore, AJournalOlderThanTheOtherFilesIsDetected) {
  SimulatedDisk disk;
  std::string journal;
  crawl_twice(disk, [&] {
    journal = disk.open("/crawl/journal", Disk::Open::kRead).value()->read(0, 1 << 20).value();
  });
  disk.put("/crawl/journal", journal);
  EXPECT_NE(why_not_opened(disk).find("older than the rest of the folder"), std::string::npos);
  // The archive files alone are enough to detect it.
  const std::vector<std::string> names = disk.list("/crawl").value();
  for (const std::string& name : names) {
    if (is_snapshot_name(name)) {
      ASSERT_TRUE(disk.remove("/crawl/" + name).ok());
    }
  }
  EXPECT_NE(why_not_opened(disk).find("older than the rest of the folder"), std::string::npos);
}

TEST(CrawlStore, ACommitWithFilesOutsideTheFolderIsRefused) {
  for (const char* name : {"../victim.log", "/etc/victim.log", "warc/../victim", "journal", "", "a/b.log"}) {
    CommitRecord record;
    record.files = {{name, 0, 0, false, false}};
    EXPECT_FALSE(CommitRecord::decode(record.encode())) << name;
    record.files[0].open = true;
    EXPECT_FALSE(CommitRecord::decode(record.encode())) << name;
  }
}

TEST(CrawlStore, WorksOnARealDisk) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  options.warc_bytes = 1500;
  ScriptedCrawl script;
  {
    const auto store = opened(options, folder.path() + "/new/crawl");
    script.run(*store, 5);
  }
  const auto store = opened(options, folder.path() + "/new/crawl");
  expect_same(read_all(folder.path() + "/new/crawl", Disk::real()), script.at_commit().back());
  EXPECT_TRUE(store->close("end").ok());
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/new/crawl/index.cdxj"));
}

TEST(CrawlStore, AFolderInUseNamesTheProcess) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  const auto store = opened(options, folder.path());
  const auto second = CrawlStore::open(folder.path(), options);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().text.find(std::to_string(::getpid())), std::string::npos) << second.error().text;
}

TEST(CrawlStore, UnrelatedFilesAreNotTouched) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/urls.log";
  auto file = Disk::real().open(path, Disk::Open::kCreate);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->append("mine").ok());
  const auto store = CrawlStore::open(folder.path(), {});
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().text.find("does not belong to a crawl"), std::string::npos) << store.error().text;
  EXPECT_EQ(*(*file)->read(0, 10), "mine");
}

TEST(CrawlStore, AFileSizeLimitIsAnErrorNotASignal) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  options.compression = WarcCompression::kNone;
  {
    const auto store = opened(options, folder.path());
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 100'000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    store->add_url("http://www.example.org/0");
    store->add_fetch(some_fetch(0, std::string(200'000, 'x')));
    store->commit("");
    const Status status = store->wait_for_commits();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().text.find("ulimit"), std::string::npos) << status.error().text;
  }
  const auto store = opened(options, folder.path());
  EXPECT_EQ(store->pages(), 0u);
}

TEST(CrawlStore, OpenChecksWhetherACrawlMustExist) {
  SimulatedDisk disk;
  const auto missing = CrawlStore::open("/crawl", simulated(disk), CrawlStore::Presence::kResume);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().text.find("there is no crawl"), std::string::npos);
  opened(simulated(disk));
  const auto there = CrawlStore::open("/crawl", simulated(disk), CrawlStore::Presence::kCreate);
  ASSERT_FALSE(there.ok());
  EXPECT_NE(there.error().text.find("there is a crawl"), std::string::npos);
}

TEST(CrawlStore, RevisitsReferToTheRecordOfTheirOriginal) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  for (const bool resumed : {false, true}) {
    auto store = std::move(CrawlStore::open(folder / "crawl", options)).value();
    const PageId first = resumed ? 2 : 0;
    for (PageId page = first; page < first + 2; ++page) {
      store->add_url(fmt::format("http://www.example.org/{}", page));
      store->add_fetch(some_fetch(page, "the same"));
    }
    StoredFetch same = some_fetch(0, "");
    same.time_us += 60'000'000;
    same.status = 304;
    same.response_head = "HTTP/1.1 304 Not Modified\r\n\r\n";
    same.not_modified = NotModified{same.url, some_fetch(0, "").time_us, sha1("the same")};
    store->add_fetch(std::move(same));
    ASSERT_TRUE(store->close("").ok());
  }
  auto reader = std::move(CrawlReader::open(folder / "crawl")).value();
  std::vector<FetchEntry> entries;
  ASSERT_TRUE(reader
                  ->for_each_fetch([&](const FetchEntry& entry) -> Status {
                    entries.push_back(entry);
                    return {};
                  })
                  .ok());
  ASSERT_EQ(entries.size(), 6u);
  EXPECT_EQ(reader->fetches(), 6u);
  std::string id;
  for (const FetchEntry& entry : entries) {
    auto warc = std::move(WarcReader::open(reader->warc_path(entry), entry.offset)).value();
    ASSERT_TRUE(*warc->next());
    const WarcHead& head = warc->head();
    EXPECT_EQ(entry.digest, sha1("the same"));
    if (id.empty()) {
      EXPECT_EQ(head.type(), "response");
      id = head.field("WARC-Record-ID");
      continue;
    }
    EXPECT_TRUE(entry.revisit);
    EXPECT_EQ(head.type(), "revisit");
    EXPECT_EQ(head.field("WARC-Refers-To"), id);
    EXPECT_EQ(head.field("WARC-Refers-To-Target-URI"), "http://www.example.org/0");
  }
}

TEST(CrawlStore, KeepsFetchesThatAreNotPages) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder / "crawl", options)).value();
  StoredFetch robots = some_fetch(0, "user-agent: *");
  robots.page = kNoPage;
  robots.url = "http://www.example.org/robots.txt";
  store->add_fetch(std::move(robots));
  store->add_url("http://www.example.org/0");
  StoredFetch page = some_fetch(0, "a page");
  page.noarchive = true;
  store->add_fetch(std::move(page));
  ASSERT_TRUE(store->close("").ok());
  auto reader = std::move(CrawlReader::open(folder / "crawl")).value();
  EXPECT_EQ(reader->fetches(), 1u);
  std::vector<std::string> urls;
  ASSERT_TRUE(reader
                  ->for_each_capture([&](const FetchEntry& entry) -> Status {
                    urls.push_back(std::move(reader->url(entry)).value());
                    EXPECT_EQ(entry.noarchive, entry.page == 0);
                    return {};
                  })
                  .ok());
  EXPECT_EQ(urls,
            (std::vector<std::string>{"http://www.example.org/robots.txt", "http://www.example.org/0"}));
  EXPECT_EQ(std::move(reader->capture(1)).value().page, 0u);
}

}  // namespace
}  // namespace bowerbird
