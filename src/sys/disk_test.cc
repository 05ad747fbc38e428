#include "sys/disk.h"
#include "sys/temporary_folder_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RealDiskTest : public testing::Test {
 protected:
  Disk& disk_ = Disk::real();
  const TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(RealDiskTest, AFileGrowsIsCutAndReadAnywhere) {
  const std::string path = folder_ + "/x";
  {
    const auto file = disk_.open(path, Disk::Open::kCreate);
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE((*file)->append("hello ").ok());
    EXPECT_TRUE((*file)->append("world").ok());
    EXPECT_TRUE((*file)->sync().ok());
    EXPECT_EQ(*(*file)->read(6, 3), "wor");
    EXPECT_EQ(*(*file)->read(9, 100), "ld");
    EXPECT_EQ(*(*file)->read(11, 1), "");
    EXPECT_TRUE((*file)->truncate(4).ok());
  }
  const auto again = disk_.open(path, Disk::Open::kAppend);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE((*again)->append("!").ok());
  EXPECT_EQ(*(*again)->size(), 5u);
  EXPECT_EQ(*(*again)->read(0, 100), "hell!");
}

TEST_F(RealDiskTest, FilesMustExistOrNotAsAsked) {
  EXPECT_THAT(disk_.open(folder_ + "/x", Disk::Open::kRead).error().text,
              HasSubstr(folder_ + "/x: cannot open"));
  EXPECT_TRUE(disk_.open(folder_ + "/x", Disk::Open::kCreate).ok());
  EXPECT_THAT(disk_.open(folder_ + "/x", Disk::Open::kCreate).error().text, HasSubstr("cannot create"));
}

TEST_F(RealDiskTest, NamesAreListedRenamedAndRemoved) {
  EXPECT_TRUE(disk_.make_folder(folder_ + "/a/b").ok());
  EXPECT_TRUE(disk_.make_folder(folder_ + "/a/b").ok());
  for (const char* name : {"/a/b/2", "/a/b/1"})
    EXPECT_TRUE(disk_.open(folder_ + name, Disk::Open::kCreate).ok());
  EXPECT_THAT(*disk_.list(folder_ + "/a/b"), ElementsAre("1", "2"));
  EXPECT_TRUE(disk_.rename(folder_ + "/a/b/1", folder_ + "/a/b/3").ok());
  EXPECT_TRUE(disk_.remove(folder_ + "/a/b/2").ok());
  EXPECT_TRUE(disk_.sync_folder(folder_ + "/a/b").ok());
  EXPECT_THAT(*disk_.list(folder_ + "/a/b"), ElementsAre("3"));
  EXPECT_THAT(*disk_.list(folder_ + "/none"), ElementsAre());
  EXPECT_THAT(disk_.make_folder(folder_ + "/a/b/3").error().text, HasSubstr("/a/b/3"));
}

TEST_F(RealDiskTest, NothingIsWrittenThroughALink) {
  ASSERT_TRUE(disk_.open(folder_ + "/victim", Disk::Open::kCreate).ok());
  for (const char* name : {"/lock", "/journal"}) {
    std::filesystem::create_symlink(folder_ + "/victim", folder_ + name);
  }
  const auto lock = disk_.lock(folder_ + "/lock");
  ASSERT_FALSE(lock.ok());
  EXPECT_THAT(lock.error().text, HasSubstr("symbolic link"));
  EXPECT_FALSE(disk_.open(folder_ + "/journal", Disk::Open::kAppend).ok());
  EXPECT_EQ(std::filesystem::file_size(folder_ + "/victim"), 0u);
}

TEST_F(RealDiskTest, ALockIsHeldOnceAndNamesItsHolder) {
  auto lock = disk_.lock(folder_ + "/lock");
  ASSERT_TRUE(lock.ok());
  const auto second = disk_.lock(folder_ + "/lock");
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().text, HasSubstr(std::to_string(::getpid())));
  lock->reset();
  EXPECT_TRUE(disk_.lock(folder_ + "/lock").ok());
}

TEST_F(RealDiskTest, ANoteIsLeftInALockUntilItIsTakenAgain) {
  const std::string path = folder_ + "/lock";
  EXPECT_EQ(look_at_lock(path).holder, 0);
  auto lock = disk_.lock(path);
  EXPECT_EQ(look_at_lock(path).holder, ::getpid());
  EXPECT_EQ(look_at_lock(path).note, "");
  const auto size = std::filesystem::file_size(path);
  (*lock)->leave_note("the disk is full\nand more");
  (*lock)->leave_note("the disk is full");
  EXPECT_EQ(std::filesystem::file_size(path), size) << "a note takes no more room";
  lock->reset();
  EXPECT_EQ(look_at_lock(path).holder, 0);
  EXPECT_EQ(look_at_lock(path).note, "the disk is full");
  lock = disk_.lock(path);
  EXPECT_EQ(look_at_lock(path).note, "");
}

}  // namespace
}  // namespace bowerbird
