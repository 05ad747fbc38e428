#include "store/folder_copy.h"

#include <gtest/gtest.h>

#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// A crawl of some pages per commit, and a copy of it.
struct CopyRig {
  TemporaryFolder folder;
  std::unique_ptr<CrawlStore> store;

  CopyRig() {
    StoreOptions options;
    options.durable = false;
    options.about = "about";
    store = std::move(CrawlStore::open(folder / "a", options)).value();
  }
  void add(int pages) {
    for (int i = 0; i < pages; ++i) {
      const PageId page = store->add_url(fmt::format("http://h.test/{}", store->pages()));
      const StoredLink link{page / 2, kLinkOtherHost};
      store->add_links(page, {&link, 1}, "done");
      store->add_terms(page, {{{page, 1, 0}}, {}});
      store->add_event(kFirstCrawlEvent, std::string(1000, static_cast<char>('a' + page % 26)));
    }
    store->commit(fmt::format("{} pages", store->pages()));
    EXPECT_TRUE(store->wait_for_commits().ok());
  }
  std::unique_ptr<ChangeReader> reader(const CopyPosition& begin = {}) {
    return std::move(ChangeReader::open(Disk::real(), folder / "a", begin)).value();
  }
  std::unique_ptr<FolderCopy> copy() {
    return std::move(FolderCopy::create(Disk::real(), folder / "copy")).value();
  }
  static Status apply(FolderCopy& copy, const FolderChange& change) {
    if (change.file == CopiedFile::kJournal) return copy.add_journal(change.bytes);
    return copy.add_block(change.file, {std::string(change.bytes), 99, change.records});
  }
  static void take(ChangeReader& reader, FolderCopy& copy) {
    const Status read = reader.next([&](const FolderChange& change) { return apply(copy, change); });
    ASSERT_TRUE(read.ok()) << read.error().text;
    copy.end_commit();
  }
};

struct WhatIsThere {
  std::vector<std::string> urls;
  std::vector<PageId> rows, terms;
  std::vector<std::string> events;
  std::string state;
  friend bool operator==(const WhatIsThere&, const WhatIsThere&) = default;
};

WhatIsThere read_whole(const std::string& folder) {
  WhatIsThere all;
  const auto opened = CrawlReader::open(folder);
  EXPECT_TRUE(opened.ok()) << opened.error().text;
  if (!opened.ok()) return all;
  const CrawlReader& crawl = **opened;
  all.state = crawl.state();
  EXPECT_TRUE(crawl.for_each_url([&](PageId, std::string_view url) { all.urls.emplace_back(url); }).ok());
  EXPECT_TRUE(crawl
                  .for_each_links([&](const PageLinks& row) -> Status {
                    all.rows.push_back(row.page);
                    return {};
                  })
                  .ok());
  EXPECT_TRUE(crawl
                  .for_each_terms([&](PageId page, const PageTerms&) -> Status {
                    all.terms.push_back(page);
                    return {};
                  })
                  .ok());
  const Status replayed = crawl.replay_all([&](const Event& event) -> Status {
    all.events.emplace_back(event.payload);
    return {};
  });
  EXPECT_TRUE(replayed.ok()) << replayed.error().text;
  EXPECT_TRUE(
      crawl.for_each_capture([](const FetchEntry&) { return Status(error("no archive is copied")); }).ok());
  return all;
}

TEST(FolderCopy, HasWhatARestoreNeeds) {
  CopyRig rig;
  rig.add(3);
  rig.add(5000);  // many blocks
  rig.add(1);
  const auto reader = rig.reader();
  const auto copy = rig.copy();
  while (reader->position().commit < rig.store->counts().commits) CopyRig::take(*reader, *copy);
  EXPECT_GT(reader->bytes(), 5'000'000u);
  ASSERT_TRUE(copy->finish().ok());
  const WhatIsThere all = read_whole(rig.folder / "copy");
  EXPECT_EQ(all.urls.size(), 5004u);
  EXPECT_EQ(all, read_whole(rig.folder / "a"));
}

TEST(FolderCopy, FollowsACrawlThatRuns) {
  CopyRig rig;
  rig.add(3);
  const auto copy = rig.copy();
  auto reader = rig.reader();
  CopyRig::take(*reader, *copy);  // the commit that made the folder
  CopyRig::take(*reader, *copy);
  EXPECT_FALSE(reader->next([](const FolderChange&) { return Status(); }).ok()) << "not yet committed";
  reader = rig.reader({2, reader->position().journal, {3, 3, 3}});
  for (int i = 0; i < 5; ++i) {
    rig.add(i * 100);
    CopyRig::take(*reader, *copy);
    if (i == 2) reader = rig.reader(reader->position());  // as after a restart
  }
  ASSERT_TRUE(copy->finish().ok());
  EXPECT_EQ(read_whole(rig.folder / "copy"), read_whole(rig.folder / "a"));
}

TEST(FolderCopy, ACommitThatIsNotCompleteIsDropped) {
  CopyRig rig;
  rig.add(3);
  const auto reader = rig.reader();
  const auto copy = rig.copy();
  CopyRig::take(*reader, *copy);
  CopyRig::take(*reader, *copy);
  const WhatIsThere before = read_whole(rig.folder / "a");
  rig.add(10);
  const CopyPosition begin = reader->position();
  ASSERT_TRUE(reader->next([&](const FolderChange& change) { return CopyRig::apply(*copy, change); }).ok());
  ASSERT_TRUE(copy->drop_commit().ok());
  CopyRig::take(*rig.reader(begin), *copy);  // once more
  rig.add(10);
  ASSERT_TRUE(reader->next([&](const FolderChange& change) { return CopyRig::apply(*copy, change); }).ok());
  ASSERT_TRUE(copy->finish().ok());
  const WhatIsThere found = read_whole(rig.folder / "copy");
  EXPECT_EQ(found.state, "13 pages");
  EXPECT_EQ(found.urls.size(), 13u);
  EXPECT_EQ(before.urls.size(), 3u);
}

TEST(FolderCopy, ThePositionMustBeInTheFolder) {
  CopyRig rig;
  rig.add(3);
  const auto open = [&](const CopyPosition& begin) {
    return ChangeReader::open(Disk::real(), rig.folder / "a", begin).ok();
  };
  EXPECT_TRUE(open({}));
  EXPECT_FALSE(open({3, 100, {3, 3, 3}})) << "a later commit";
  EXPECT_FALSE(open({2, std::uint64_t{1} << 40, {3, 3, 3}}));
  EXPECT_FALSE(open({2, 100, {4, 3, 3}})) << "more URLs";
  auto reader = rig.reader({1, 17, {0, 0, 0}});
  EXPECT_FALSE(reader->next([](const FolderChange&) { return Status(); }).ok()) << "no frame begins here";
}

TEST(FolderCopy, WhatIsNoJournalIsRefused) {
  CopyRig rig;
  const auto copy = rig.copy();
  EXPECT_FALSE(copy->finish().ok()) << "empty";
  ASSERT_TRUE(copy->add_journal("something else").ok());
  copy->end_commit();
  EXPECT_FALSE(copy->finish().ok());
  EXPECT_FALSE(copy->add_block(CopiedFile::kUrls, {"x", 0, 0}).ok()) << "a block without records";
}

}  // namespace
}  // namespace bowerbird
