#include "fleet/identity.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(MemberIdentity, IsInTheFolderAndReadableByItsOwnerOnly) {
  TemporaryFolder folder;
  EXPECT_FALSE(read_identity(folder / "a").value());
  const MemberIdentity written{random_id(), random_id(), true};
  EXPECT_NE(written.fleet, written.member);
  ASSERT_TRUE(write_identity(folder / "a", written).ok());
  const auto read = std::move(read_identity(folder / "a")).value();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->fleet, written.fleet);
  EXPECT_EQ(read->member, written.member);
  EXPECT_TRUE(read->joined);
  struct stat found {};
  ASSERT_EQ(::stat((folder / "a/fleet-member.json").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  EXPECT_TRUE(is_folder_of(folder / "a", written.member));
  EXPECT_FALSE(is_folder_of(folder / "a", random_id()));
  EXPECT_FALSE(is_folder_of(folder / "a", "")) << "a record without an id has no folder";
}

TEST(MemberIdentity, ADamagedFileIsAnErrorOfItsUser) {
  TemporaryFolder folder;
  for (const char* const text : {"", "{}", "[1]", R"({"fleet":"","member":"short"})"}) {
    folder.write("fleet-member.json", text);
    const auto read = read_identity(folder.path());
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kNeedsUser);
  }
}

TEST(MemberIdentity, ACopyHasAnotherPath) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_identity(folder / "a", {"", random_id(), false}).ok());
  std::filesystem::copy(folder / "a", folder / "b", std::filesystem::copy_options::recursive);
  EXPECT_NE(place_of(folder / "a"), "");
  EXPECT_EQ(place_of(folder / "a"), place_of(folder / "a"));
  EXPECT_NE(place_of(folder / "a"), place_of(folder / "b"));
}

TEST(MemberIdentity, TheLastCommitIsThatOfTheJournal) {
  TemporaryFolder folder;
  EXPECT_EQ(last_commit_in(folder / "none").value(), 0u);
  write_stopped_crawl(stopped_crawl_options(folder / "a", "a"), "h.test", 2);
  EXPECT_GT(last_commit_in(folder / "a").value(), 0u);
}

}  // namespace
}  // namespace bowerbird
