#include "store/spill_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "store/link_rows.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string block_text(int i) {
  return std::string(static_cast<std::size_t>(100 + i), static_cast<char>('a' + i % 26));
}

void write_run(SpillStore& store, RunId run, int blocks) {
  for (int i = 0; i < blocks; ++i) ASSERT_TRUE(store.append(run, block_text(i)).ok());
  ASSERT_TRUE(store.finish(run).ok());
}

std::size_t files(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& unused : std::filesystem::directory_iterator(folder)) count += unused.exists() ? 1 : 0;
  return count;
}

TEST(SpillFolder, ReturnsTheBlocksThatWereAppended) {
  const TemporaryFolder folder;
  {
    SpillFolder store(folder / "spill");
    write_run(store, 1, 50);
    write_run(store, 2, 3);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(*store.read(1, static_cast<std::uint64_t>(i)), block_text(i));
    EXPECT_FALSE(store.read(2, 3).ok());
    EXPECT_GT(store.bytes(), 0u);
  }
  SpillFolder again(folder / "spill");
  EXPECT_EQ(*again.read(2, 1), block_text(1));
  again.remove(2);
  EXPECT_FALSE(again.read(2, 1).ok());
  EXPECT_EQ(*again.read(1, 7), block_text(7));
}

TEST(SpillFolder, KeepsTheRunsOfASnapshot) {
  const TemporaryFolder folder;
  SpillFolder store(folder / "spill", {.snapshots = true});
  write_run(store, 1, 2);
  ASSERT_TRUE(store.begin_snapshot().ok());
  store.end_snapshot();
  store.end_snapshot();  // as at every commit
  store.remove(1);
  EXPECT_EQ(files(folder / "spill"), 1u) << "the last snapshot names it";
  write_run(store, 2, 2);
  write_run(store, 3, 2);
  store.remove(3);
  EXPECT_EQ(files(folder / "spill"), 2u) << "no snapshot knows of run 3";
  ASSERT_TRUE(store.begin_snapshot().ok());
  EXPECT_EQ(files(folder / "spill"), 2u) << "the new snapshot is not durable yet";
  store.end_snapshot();
  EXPECT_EQ(files(folder / "spill"), 1u);
  EXPECT_TRUE(store.read(2, 0).ok());
}

TEST(SpillFolder, AfterACrashKeepsOnlyWhatTheSnapshotUsed) {
  const TemporaryFolder folder;
  {
    SpillFolder store(folder / "spill", {.snapshots = true});
    write_run(store, 1, 2);
    write_run(store, 2, 2);
  }
  SpillFolder store(folder / "spill", {.snapshots = true});
  EXPECT_TRUE(store.read(1, 0).ok());
  store.keep_only_used();
  EXPECT_EQ(files(folder / "spill"), 1u);
  write_run(store, 2, 1);
  EXPECT_TRUE(store.read(2, 0).ok());
}

TEST(SpillFolder, DetectsDamage) {
  const TemporaryFolder folder;
  {
    SpillFolder store(folder / "spill");
    write_run(store, 1, 4);
  }
  const std::string path = folder / "spill/run-000000001";
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    std::ofstream(path, std::ios::binary) << damaged;
    SpillFolder store(folder / "spill");
    int good = 0;
    for (std::uint64_t block = 0; block < 4; ++block) {
      const auto read = store.read(1, block);
      if (read.ok()) {
        EXPECT_EQ(*read, block_text(static_cast<int>(block)));
        ++good;
      }
    }
    EXPECT_LT(good, 4) << i;
  }
}

TEST(TemporarySpill, RemovesItsFolder) {
  auto made = TemporarySpill::make();
  ASSERT_TRUE(made.ok());
  write_run((*made)->store(), 1, 2);
  EXPECT_TRUE((*made)->store().read(1, 1).ok());
}

}  // namespace
}  // namespace bowerbird
