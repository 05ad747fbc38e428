#include "urlfrontier/url_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/varint.h"
#include "sys/simulated_disk.h"
#include "urlfrontier/url_events.h"
#include "urlfrontier/url_frontier.h"

namespace bowerbird {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kFirst[] = "f/journal-0000000001";

std::string record(std::string_view text) {
  std::string bytes;
  put_string(bytes, text);
  return bytes;
}

std::vector<std::string> frames_of(UrlJournal& journal, std::uint32_t from = 1) {
  std::vector<std::string> frames;
  EXPECT_TRUE(journal
                  .replay(from,
                          [&](std::string_view frame, RecordAt) -> Status {
                            frames.emplace_back(frame);
                            return {};
                          })
                  .ok());
  return frames;
}

TEST(UrlJournal, KeepsFramesAndReadsRecordsByTheirPosition) {
  SimulatedDisk disk;
  RecordAt at = 0, later = 0;
  const std::string large(5000, 'x');
  {
    UrlJournal journal(disk, "f", false);
    ASSERT_TRUE(journal.begin_segment("about").ok());
    at = *journal.append(record("one"));
    ASSERT_TRUE(journal.begin_segment("about").ok());
    later = *journal.append(record(large));
    EXPECT_EQ(*journal.read(at), "one");
  }
  EXPECT_TRUE(UrlJournal::exists(disk, "f"));
  EXPECT_FALSE(UrlJournal::exists(disk, "other"));
  UrlJournal journal(disk, "f", false);
  EXPECT_EQ(*journal.open(), "about");
  EXPECT_EQ(journal.segment(), 2u);
  EXPECT_THAT(frames_of(journal), ElementsAre(record("one"), record(large)));
  EXPECT_THAT(frames_of(journal, 2), ElementsAre(record(large)));
  EXPECT_EQ(*journal.read(at), "one");
  EXPECT_EQ(*journal.read(later), large);
  ASSERT_TRUE(journal.remove_unless(2, [](std::uint32_t) { return false; }).ok());
  EXPECT_THAT(journal.segments(), ElementsAre(2));
  EXPECT_THAT(journal.read(at).error().text, HasSubstr("missing"));
}

TEST(UrlJournal, OnlyThatOfAFrontierIsOpenedAsOne) {
  const nlohmann::json good = {{"format", kUrlJournalFormat}, {"policy", "bfs"},
                               {"identity", "canonical"},     {"random_seed", 1},
                               {"expected_pages", 0},         {"limited", false}};
  const auto opens = [](const nlohmann::json& about) {
    SimulatedDisk disk;
    EXPECT_TRUE(UrlJournal(disk, "f", false).begin_segment(about.dump()).ok());
    return UrlFrontier::open({.folder = "f", .disk = &disk}).ok();
  };
  EXPECT_TRUE(opens(good));
  for (const auto& [name, value] : good.items()) {
    nlohmann::json bad = good;
    bad.erase(name);
    EXPECT_FALSE(opens(bad)) << name;
    bad[name] = nlohmann::json::array();
    EXPECT_FALSE(opens(bad)) << name;
  }
}

TEST(UrlJournal, CutsOffATornFrameAndRefusesOtherDamage) {
  SimulatedDisk disk;
  {
    UrlJournal journal(disk, "f", false);
    ASSERT_TRUE(journal.begin_segment("about").ok());
    ASSERT_TRUE(journal.append("one").ok());
    ASSERT_TRUE(journal.append("two").ok());
  }
  const auto file = std::move(*disk.open(kFirst, Disk::Open::kAppend));
  ASSERT_TRUE(file->truncate(*file->size() - 1).ok());
  {
    UrlJournal journal(disk, "f", false);
    ASSERT_EQ(*journal.open(), "about");
    EXPECT_THAT(frames_of(journal), ElementsAre("one"));
    ASSERT_TRUE(journal.append("three").ok());
    ASSERT_TRUE(journal.begin_segment("about").ok());
  }
  ASSERT_TRUE(file->truncate(*file->size() - 1).ok());
  UrlJournal journal(disk, "f", false);
  ASSERT_EQ(*journal.open(), "about");
  const Status done = journal.replay(1, [](std::string_view, RecordAt) { return Status{}; });
  EXPECT_THAT(done.error().text, HasSubstr("damaged at byte"));
}

TEST(UrlJournal, ASegmentThatWasJustBegunMayBeIncomplete) {
  SimulatedDisk disk;
  disk.put(kFirst, "torn");
  UrlJournal journal(disk, "f", false);
  EXPECT_EQ(*journal.open(), "");
  EXPECT_EQ(journal.segment(), 0u);
  EXPECT_FALSE(disk.exists(kFirst));
  disk.put("g/journal-0000000002", "no journal");
  EXPECT_THAT(UrlJournal(disk, "g", false).open().error().text, HasSubstr("not the journal of a frontier"));
}

TEST(UrlJournal, WithoutAFolderRecordsAreInMemory) {
  UrlJournal journal(Disk::real(), "", false);
  const RecordAt one = journal.keep("one"), two = journal.keep(std::string(1000, 'y'));
  EXPECT_NE(one, 0u);
  EXPECT_EQ(*journal.read(one), "one");
  EXPECT_EQ(*journal.read(two), std::string(1000, 'y'));
  EXPECT_GT(journal.bytes(), 1000u);
}

}  // namespace
}  // namespace bowerbird
