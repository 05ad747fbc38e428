#include "fleet/orphan.h"

#include <gtest/gtest.h>

#include <fstream>

#include "crawl/state/stopped_crawl_testing.h"
#include "fleet/identity.h"
#include "sys/disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// A crawl folder of the member "b".
LostMember write_lost(const TemporaryFolder& folder, PageId pages,
                      const std::vector<std::string>& links = {}) {
  write_stopped_crawl(stopped_crawl_options(folder / "b", "b"), "h.test", pages, links);
  LostMember lost{"b", random_id(), folder / "b", 0};
  EXPECT_TRUE(write_identity(lost.folder, {"", lost.id, true}).ok());
  return lost;
}

void damage(const std::string& path, std::uint64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(offset));
  file << "damaged damaged damaged";
  ASSERT_TRUE(file.good());
}

TEST(Orphan, GivesAllItHeldAsMessagesUnderItsOwnName) {
  TemporaryFolder folder;
  const LostMember lost = write_lost(folder, 5, {"http://h.test/new"});
  EXPECT_TRUE(orphan_is_here(lost).value());
  const auto found = read_orphan(lost);
  ASSERT_TRUE(found.ok()) << found.error().text;
  EXPECT_EQ(found->orphan.member, "b");
  EXPECT_EQ(found->given, (Epochs{{0, 2}, {1, 2}}));
  std::set<std::string> queued;
  for (const Message& message : found->orphan.messages) {
    EXPECT_EQ(message.id.sender, "b");
    const auto body = std::move(unpack(*message.content)).value();
    for (const auto& page : std::get<PartitionTransfer>(body).pages) {
      if (!page.done) queued.insert(page.url.url);
    }
  }
  EXPECT_EQ(queued.size(), 5u) << "four seeds and the link";
  EXPECT_TRUE(queued.contains("http://h.test/new"));
}

TEST(Orphan, AFolderThatIsNotHereOrBelongsToAnotherIsNoError) {
  TemporaryFolder folder;
  EXPECT_FALSE(orphan_is_here({"b", random_id(), "", 0}).value());
  EXPECT_FALSE(orphan_is_here({"b", random_id(), folder / "missing", 0}).value());
  LostMember lost = write_lost(folder, 2);
  lost.id = random_id();
  EXPECT_FALSE(orphan_is_here(lost).value());
  EXPECT_FALSE(read_orphan(lost).ok());
}

TEST(Orphan, AnOlderCopyOfAFolderIsNotTakenOver) {
  TemporaryFolder folder;
  LostMember lost = write_lost(folder, 2);
  lost.commit = last_commit_in(lost.folder).value();
  EXPECT_TRUE(read_orphan(lost).ok());
  ++lost.commit;
  const auto older = read_orphan(lost);
  ASSERT_FALSE(older.ok());
  EXPECT_EQ(older.error().kind, ErrorKind::kNeedsUser);
}

TEST(Orphan, ADamagedFolderIsAPermanentErrorUnlessAProcessWorksThere) {
  TemporaryFolder folder;
  const LostMember lost = write_lost(folder, 100);
  damage(folder / "b/urls.log", 20);
  const auto damaged = read_orphan(lost);
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().kind, ErrorKind::kPermanent) << damaged.error().text;
  {
    const auto lock = Disk::real().lock(folder / "b/lock");
    ASSERT_TRUE(lock.ok());
    EXPECT_EQ(read_orphan(lost).error().kind, ErrorKind::kRetry);
  }
  damage(folder / "b/journal", 0);
  EXPECT_EQ(orphan_is_here(lost).error().kind, ErrorKind::kPermanent);
}

}  // namespace
}  // namespace bowerbird
