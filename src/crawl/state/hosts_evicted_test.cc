// Evicted hosts behave like hosts in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/rng.h"
#include "crawl/state/hosts.h"
#include "parse/robots_text.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr HostId kHosts = 3000;
constexpr int kSteps = 20'000;
constexpr Duration kStep = 7ms;
constexpr Time kBegin(1000s), kEnd = kBegin + kSteps * kStep;

PolitenessOptions other_delays() {
  PolitenessOptions made;
  made.delay = 1s;
  return made;
}

std::string name_of(HostId id) {
  return "www.host" + std::to_string(id) + ".example";
}

// Applies the same random sequence of calls to a table.
void use_randomly(HostTable& hosts, std::uint64_t seed) {
  Rng rng(seed);
  Time now = kBegin;
  for (int step = 0; step < kSteps; ++step, now += kStep) {
    const HostId id = hosts.intern(name_of(static_cast<HostId>(rng.below(kHosts))));
    Host& host = hosts[id];
    switch (rng.below(5)) {
      case 0:
        host.origins[step % 2].rules = std::make_shared<RobotsRules>(
            RobotsRules::make(parse_robots("User-agent: *\nDisallow: /p" + std::to_string(step)), "x"));
        host.origins[step % 2].until = now + 5ms;
        break;
      case 1:
        hosts.started(hosts[id], now);
        hosts.ended(hosts[id], Duration{rng.below(400)});
        ++hosts[id].pages;
        ++hosts.site_pages(hosts[id]);
        break;
      case 2:
        hosts.set_addresses(host,
                            {NetAddress::ipv4(0xc0000200u + static_cast<std::uint32_t>(rng.below(200)))},
                            Time(1ms), false);
        break;
      case 3:
        host.gate = now + 100ms;
        host.closed = static_cast<std::uint8_t>(rng.below(4));
        break;
      default:
        ++host.failures;
        break;
    }
    if (step % 64 == 0) hosts.tidy(now);
  }
}

void expect_same(HostTable& a, HostTable& b) {
  ASSERT_EQ(a.size(), b.size());
  for (HostId id = 0; id < a.size(); ++id) {
    ASSERT_EQ(a[id].name, b[id].name);
    // Gates of the past may be forgotten.
    EXPECT_EQ(std::max(a.earliest(id), kEnd), std::max(b.earliest(id), kEnd)) << id;
    EXPECT_EQ(a.delay(a[id]), b.delay(b[id])) << id;
    EXPECT_EQ(a[id].pages, b[id].pages);
    EXPECT_EQ(a.site_pages(a[id]), b.site_pages(b[id]));
    EXPECT_EQ(a[id].failures, b[id].failures);
    EXPECT_EQ(a[id].gate, b[id].gate);
    EXPECT_EQ(a[id].closed, b[id].closed);
    for (const int https : {0, 1}) {
      const OriginRules &ours = a[id].origins[https], &theirs = b[id].origins[https];
      EXPECT_EQ(ours.until, theirs.until);
      ASSERT_EQ(ours.rules == nullptr, theirs.rules == nullptr) << id;
      if (ours.rules) {
        EXPECT_EQ(ours.rules->to_text(), theirs.rules->to_text());
      }
    }
    b.tidy(kEnd);
  }
}

TEST(EvictedHosts, AreAsTheyWouldBeInMemory) {
  const TemporaryFolder folder;
  HostTable plain(other_delays()), small(other_delays(), {folder / "hosts", 64 << 10});
  use_randomly(plain, 1);
  use_randomly(small, 1);
  small.tidy(kEnd);
  EXPECT_LT(small.in_memory(), kHosts / 10);
  EXPECT_LT(small.bytes(), plain.in_memory() * 200);
  expect_same(plain, small);
  EXPECT_TRUE(small.take_warnings().empty());
}

TEST(EvictedHosts, SurviveARestart) {
  const TemporaryFolder folder;
  HostTable small(other_delays(), {folder / "hosts", 64 << 10});
  use_randomly(small, 2);
  std::string bytes;
  ByteWriter out(bytes);
  small.save(out);
  HostTable plain(other_delays());
  for (HostId id = 0; id < small.size(); ++id) plain.intern(small[id].name);
  ByteReader in(bytes);
  ASSERT_TRUE(plain.load(in, kEnd).ok());
  EXPECT_EQ(in.left(), 0u);
  // Closed hosts are open again, and names are looked up again.
  for (HostId id = 0; id < small.size(); ++id) small[id].closed = 0;
  expect_same(plain, small);
  EXPECT_EQ(plain.with_gates(kEnd), small.with_gates(kEnd));
}

TEST(EvictedHosts, ARestartWithOtherNamesIsRefused) {
  HostTable before(other_delays()), after(other_delays());
  before.back_off(before.intern("a.example"), Time(5ms));
  after.intern("b.example");
  std::string bytes;
  ByteWriter out(bytes);
  before.save(out);
  ByteReader in(bytes);
  EXPECT_FALSE(after.load(in, Time{}).ok());
}

TEST(EvictedHosts, ADamagedRecordEndsTheCrawlRatherThanLosingItsHost) {
  const TemporaryFolder folder;
  HostTable small(other_delays(), {folder / "hosts", 64 << 10});
  use_randomly(small, 3);
  small.tidy(kEnd);
  const std::string path = folder / "hosts/hosts";
  ASSERT_TRUE(std::filesystem::exists(path));
  const auto size = std::filesystem::file_size(path);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(size, 'x');
  EXPECT_TRUE(small.status().ok());
  for (HostId id = 0; id < small.size(); ++id) EXPECT_GE(small[id].pages, 0u);
  EXPECT_FALSE(small.status().ok());
}

TEST(EvictedHosts, ADamagedRecordMakesASnapshotFail) {
  const TemporaryFolder folder;
  HostTable small(other_delays(), {folder / "hosts", 64 << 10});
  use_randomly(small, 4);
  small.tidy(kEnd);
  std::fstream(folder / "hosts/hosts", std::ios::in | std::ios::out).seekp(1000) << "damaged";
  std::string bytes;
  ByteWriter out(bytes);
  small.save(out);
  EXPECT_FALSE(small.status().ok());
}

TEST(EvictedHosts, ASnapshotLoadsNoAddressesIntoMemory) {
  const TemporaryFolder folder;
  HostTable small(other_delays(), {folder / "hosts", 64 << 10});
  // Just enough uses for past gates to be forgotten once.
  for (HostId id = 0; id < 513; ++id) {
    small.intern(name_of(id));
    small.set_addresses(small[id], {NetAddress::ipv4(0xc0000200u + id)}, Time(1ms), false);
    small.started(small[id], kBegin);
    small.ended(small[id], 1ms);
  }
  small.tidy(kEnd);
  small.tidy(kEnd);
  const std::uint64_t before = small.bytes();
  std::string bytes;
  ByteWriter out(bytes);
  small.save(out);
  small.tidy(kEnd);
  EXPECT_LE(small.bytes(), before);
}

}  // namespace
}  // namespace bowerbird
