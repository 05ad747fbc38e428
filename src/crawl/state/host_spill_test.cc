#include "crawl/state/host_spill.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/rng.h"
#include "sys/simulated_disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(HostSpill, TheLastRecordOfEachHostIsReturned) {
  TemporaryFolder folder;
  Rng random(5);
  HostSpill spill(folder / "known/hosts");
  std::map<HostId, std::string> expected;
  for (int i = 0; i < 5000; ++i) {
    const auto host = static_cast<HostId>(random.below(500));
    const std::string record(random.below(400), static_cast<char>('a' + random.below(26)));
    ASSERT_TRUE(spill.put(host, record).ok());
    expected[host] = record;
    if (i % 100 != 0) continue;
    const auto one = spill.get(host);
    ASSERT_TRUE(one.ok()) << one.error().text;
    EXPECT_EQ(*one, record);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "known/hosts"));
  std::map<HostId, std::string> all;
  ASSERT_TRUE(spill
                  .for_each([&](HostId host, std::string_view record) -> Status {
                    EXPECT_TRUE(all.emplace(host, record).second);
                    return {};
                  })
                  .ok());
  EXPECT_EQ(all, expected);
  EXPECT_FALSE(spill.get(500).ok());
  EXPECT_FALSE(spill.get(1'000'000).ok());
}

TEST(HostSpill, OutdatedRecordsDoNotMakeTheFileGrowForEver) {
  TemporaryFolder folder;
  HostSpill spill(folder / "hosts");
  const std::string record(60'000, 'x');
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(spill.put(static_cast<HostId>(i % 10), record).ok());
  EXPECT_LT(spill.disk(), std::uint64_t{20} << 20);
  for (HostId host = 0; host < 10; ++host) EXPECT_EQ(spill.get(host).value(), record);
}

TEST(HostSpill, DamageIsAnErrorAndTheFileIsRemovedAtTheEnd) {
  TemporaryFolder folder;
  std::ofstream(folder / "hosts") << "left over";
  {
    HostSpill spill(folder / "hosts");
    EXPECT_FALSE(std::filesystem::exists(folder / "hosts"));
    for (HostId host = 0; host < 100; ++host) ASSERT_TRUE(spill.put(host, std::string(4000, 'x')).ok());
    std::fstream(folder / "hosts", std::ios::in | std::ios::out).seekp(100) << "damaged";
    EXPECT_FALSE(spill.get(0).ok());
    EXPECT_FALSE(spill.for_each([](HostId, std::string_view) { return Status(); }).ok());
    EXPECT_TRUE(spill.get(99).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "hosts"));
}

TEST(HostSpill, RecordsAreStillFoundAfterTheDiskWasFullForAMoment) {
  SimulatedDisk disk;
  HostSpill spill("/hosts", disk);
  const std::string record(60'000, 'x');
  for (HostId host = 0; host < 8; ++host) ASSERT_TRUE(spill.put(host, record).ok());
  disk.fail_at(disk.steps() + 1000, SimulatedDisk::Fault::kFull);
  Status put;
  HostId next = 8;
  while (put.ok() && next < 100) put = spill.put(next++, record);
  ASSERT_FALSE(put.ok());
  disk.fail_at(0, SimulatedDisk::Fault::kNone);
  for (const HostId end = next + 20; next < end; ++next) ASSERT_TRUE(spill.put(next, record).ok());
  for (HostId host = 0; host < next; ++host) {
    const auto found = spill.get(host);
    ASSERT_TRUE(found.ok()) << found.error().text;
    EXPECT_EQ(*found, record);
  }
}

}  // namespace
}  // namespace bowerbird
