#include "sys/error_kind.h"

#include <gtest/gtest.h>

#include "sys/disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(ErrorKind, OfTheOperatingSystem) {
  EXPECT_EQ(kind_of_errno(EMFILE), ErrorKind::kRetry);
  EXPECT_EQ(kind_of_errno(ENOSPC), ErrorKind::kNeedsUser);
  EXPECT_EQ(kind_of_errno(EACCES), ErrorKind::kNeedsUser);
  EXPECT_EQ(kind_of_errno(EIO), ErrorKind::kPermanent);
}

TEST(ErrorKind, OfFilesAndLocks) {
  TemporaryFolder folder;
  EXPECT_EQ(Disk::real().open(folder / "missing", Disk::Open::kRead).error().kind, ErrorKind::kPermanent);
  const auto lock = Disk::real().lock(folder / "lock");
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(Disk::real().lock(folder / "lock").error().kind, ErrorKind::kRetry);
}

}  // namespace
}  // namespace bowerbird
