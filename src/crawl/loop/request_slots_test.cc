#include "crawl/loop/request_slots.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using Kind = RequestSlots::Kind;

Host slot_host(std::uint64_t site, std::uint32_t address, bool delivered = false) {
  Host host;
  host.site = site;
  host.addresses = {NetAddress::ipv4(address)};
  host.delivered = delivered;
  return host;
}

TEST(RequestSlots, HostsThatHaveNeverDeliveredHoldHalfOfThem) {
  RequestSlots slots(8);
  for (std::uint64_t id = 0; id < 4; ++id) {
    const Host host = slot_host(id, 100 + static_cast<std::uint32_t>(id));
    EXPECT_TRUE(slots.fits(id % 2 == 0 ? Kind::kPage : Kind::kLookup, host));
    slots.start(id, id % 2 == 0 ? Kind::kPage : Kind::kLookup, host, Time{});
  }
  EXPECT_FALSE(slots.fits(Kind::kPage, slot_host(9, 109)));
  EXPECT_FALSE(slots.fits(Kind::kLookup, slot_host(9, 109)));
  EXPECT_TRUE(slots.fits(Kind::kPage, slot_host(9, 109, true)));
  EXPECT_EQ(slots.pages(), 2u);
  EXPECT_EQ(slots.preparing(), 2u);
  slots.end(0, Time(10ms));
  EXPECT_TRUE(slots.fits(Kind::kPage, slot_host(9, 109)));
}

TEST(RequestSlots, PreparationsOfADomainAndOfAnAddressAreFew) {
  RequestSlots slots(64);
  for (std::uint64_t id = 0; id < 4; ++id) slots.start(id, Kind::kLookup, slot_host(1, 50), Time{});
  EXPECT_FALSE(slots.fits(Kind::kLookup, slot_host(1, 51)));
  EXPECT_TRUE(slots.fits(Kind::kRobots, slot_host(2, 50))) << "a lookup goes to no address of the host";
  for (std::uint64_t id = 4; id < 8; ++id) slots.start(id, Kind::kRobots, slot_host(id, 50), Time{});
  EXPECT_FALSE(slots.fits(Kind::kRobots, slot_host(20, 50)));
  EXPECT_TRUE(slots.fits(Kind::kRobots, slot_host(20, 51)));
  EXPECT_TRUE(slots.fits(Kind::kPage, slot_host(1, 50))) << "pages wait for the gates of domain and address";
}

TEST(RequestSlots, WaitingHostsTryAgainInTheirOrder) {
  RequestSlots slots(2);
  slots.start(1, Kind::kPage, slot_host(1, 1), Time{});
  for (const HostId id : {7u, 5u, 6u}) EXPECT_FALSE(slots.fits_or_waits(Kind::kPage, id, slot_host(id, id)));
  EXPECT_EQ(slots.waiting(), 3u);
  EXPECT_TRUE(slots.take_ready().empty());
  slots.end(1, Time(5ms));
  EXPECT_EQ(slots.take_ready(), std::vector<HostId>{7});
  EXPECT_EQ(slots.take_ready(), std::vector<HostId>{5}) << "the one before did not use its chance";
  slots.start(2, Kind::kPage, slot_host(5, 5), Time(6ms));
  EXPECT_TRUE(slots.take_ready().empty());
  EXPECT_EQ(slots.waiting(), 1u);
}

TEST(RequestSlots, SlowRequestsHoldAQuarterOfThem) {
  RequestSlots slots(8);
  const Host host = slot_host(1, 1, true);
  for (std::uint64_t id = 0; id < 6; ++id) slots.start(id, Kind::kPage, host, Time(id * 1ms));
  EXPECT_EQ(slots.take_too_slow(Time(1s)), std::nullopt);
  EXPECT_EQ(slots.slow_pages(Time(2003ms)), 3u);
  EXPECT_EQ(slots.take_too_slow(Time(2003ms)), 0u) << "the oldest of three";
  EXPECT_EQ(slots.take_too_slow(Time(2003ms)), std::nullopt) << "two may go on";
  EXPECT_EQ(slots.take_too_slow(Time(2010ms)), 1u);
}

TEST(RequestSlots, ASingleSlotIsNeverCancelled) {
  RequestSlots slots(1);
  slots.start(1, Kind::kPage, slot_host(1, 1), Time{});
  EXPECT_EQ(slots.take_too_slow(Time(1000s)), std::nullopt);
}

TEST(RequestSlots, SlowIsRelativeToTheMedian) {
  RequestSlots slots(4);
  const Host host = slot_host(1, 1, true);
  std::uint64_t id = 0;
  Time now{};
  const auto take = [&](Duration time) {
    slots.start(++id, Kind::kPage, host, now);
    now += time;
    slots.end(id, now);
  };
  for (int i = 0; i < 300; ++i) take(i % 3 == 0 ? 100s : 50ms);
  slots.start(1'000'000, Kind::kPage, host, now);
  EXPECT_EQ(slots.slow_pages(now + 2001ms), 1u) << "a third of them took 100 seconds";
  for (int i = 0; i < 300; ++i) take(3s);
  slots.start(1'000'001, Kind::kPage, host, now);
  slots.end(1'000'000, now);
  EXPECT_EQ(slots.slow_pages(now + 4s), 0u) << "all take 3 seconds now";
}

// Otherwise a thousand hosts that never answer would make the next thousand look normal.
TEST(RequestSlots, CancelledRequestsDoNotRaiseTheMedian) {
  RequestSlots slots(4);
  const Host host = slot_host(1, 1, true);
  slots.start(1, Kind::kPage, host, Time{});
  slots.end(1, Time(20ms));
  Time now{};
  for (std::uint64_t id = 2; id < 40; id += 2) {
    slots.start(id, Kind::kPage, host, now);
    slots.start(id + 1, Kind::kPage, host, now);
    now += 2001ms;
    ASSERT_EQ(slots.take_too_slow(now), id);
    slots.end(id, now);
    slots.start(id, Kind::kPage, host, now);  // a retry
    slots.end(id + 1, now);
    slots.end(id, now);
  }
}

}  // namespace
}  // namespace bowerbird
