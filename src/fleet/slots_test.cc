#include "fleet/slots.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

// Two processes; "a" grants the slots of all gates, unless `granter` says otherwise.
struct SlotsRig : FleetRig {
  std::string granter = "a";
  std::int64_t changed_ms = 0;
  std::uint64_t lapses = 0;  // of the lease of "a"
  Slots::Granters granters{[this](const std::string&) { return granter; }, [this] { return changed_ms; }};
  Slots::Granters granters_of_a{granters.of, granters.changed_ms, [this] { return lapses; }};
  Slots a{bus, names, "a", granters_of_a, clock};
  Slots b{bus, names, "b", granters, clock};

  SlotsRig() {
    EXPECT_TRUE(a.begin().ok());
    EXPECT_TRUE(b.begin().ok());
  }
  // How long `who` has to wait.
  std::int64_t want(Slots& who, const std::vector<SharedGate>& gates) {
    const std::int64_t wait = milliseconds_of(who.want(gates, Time{}));
    for (Slots* const one : {&who, &a, &b, &a, &b}) one->publish(std::chrono::milliseconds(0));
    return wait;
  }
  // Asks until the slots are granted; returns when.
  std::int64_t use(Slots& who, const std::vector<SharedGate>& gates) {
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t wait = want(who, gates);
      if (wait == 0) return now_ms();
      pass_ms(wait);
    }
    ADD_FAILURE() << "never granted";
    return 0;
  }
};

TEST(Slots, ARequestThatNeedsNoneMayStart) {
  SlotsRig rig;
  EXPECT_EQ(rig.a.want({}, Time(77ms)), Time(77ms));
}

TEST(Slots, TwoProcessesTakeTurnsAnIntervalApart) {
  SlotsRig rig;
  const std::vector<SharedGate> gate = {{"ip 127.0.0.1", 500ms}};
  std::int64_t last = rig.use(rig.a, gate);
  for (int i = 0; i < 10; ++i) {
    const std::int64_t now = rig.use(i % 2 == 0 ? rig.b : rig.a, gate);
    EXPECT_GE(now - last, 500);
    EXPECT_LE(now - last, 1100);
    last = now;
  }
}

TEST(Slots, ARequestWaitsForAllItsGates) {
  SlotsRig rig;
  rig.use(rig.a, {{"domain x.test", 2s}});
  const std::int64_t begun = rig.now_ms();
  EXPECT_GE(rig.use(rig.b, {{"domain x.test", 2s}, {"ip 127.0.0.1", 100ms}}) - begun, 2000);
}

TEST(Slots, WhileNobodyGrantsTheHostWaits) {
  SlotsRig rig;
  rig.granter = "";
  for (int i = 0; i < 10; ++i) {
    EXPECT_GT(rig.want(rig.b, {{"g", 100ms}}), 0);
    rig.pass_ms(100);
  }
  rig.granter = "b";
  rig.use(rig.b, {{"g", 100ms}});
}

TEST(Slots, OneWhoDoesNotOwnAGateGrantsNoSlotOfIt) {
  SlotsRig rig;
  Slots late{rig.bus, rig.names, "late", Slots::Granters{[](const std::string&) { return "a"; }}, rig.clock};
  ASSERT_TRUE(late.begin().ok());
  rig.granter = "b";  // a knows the new plan, "late" does not
  const std::vector<SharedGate> gate = {{"ip 127.0.0.1", 500ms}};
  for (int i = 0; i < 100; ++i) {
    EXPECT_GT(rig.want(late, gate), 0);
    rig.pass_ms(50);
  }
}

TEST(Slots, ASlotThatIsNoLongerWantedGoesToTheNext) {
  SlotsRig rig;
  const std::vector<SharedGate> gate = {{"g", 100ms}};
  rig.use(rig.b, gate);
  EXPECT_GT(rig.want(rig.b, gate), 0);  // b holds the next one and does not use it
  EXPECT_GT(rig.want(rig.a, gate), 0);
  for (int i = 0; i < 8; ++i) {
    rig.pass_ms(500);
    rig.want(rig.b, {{"another", 100ms}});  // b is alive
  }
  rig.use(rig.a, gate);
}

TEST(Slots, ANewGranterWaitsUntilAllKnowOfItAndThenForAnInterval) {
  SlotsRig rig;
  const std::vector<SharedGate> gate = {{"ip 1", 500ms}};
  const std::int64_t first = rig.use(rig.b, gate);
  rig.granter = "b";  // "a" is lost
  rig.changed_ms = rig.now_ms();
  const std::int64_t second = rig.use(rig.b, gate);
  EXPECT_GE(second, rig.changed_ms + 3000 + 500);
  EXPECT_LT(rig.use(rig.b, gate), second + 1000) << "then it goes on as before";
  EXPECT_GT(second, first);
}

// Others saw its lease expire, and granted slots. It did not see another granter itself.
TEST(Slots, AGranterThatLostItsLeaseBeginsAnew) {
  SlotsRig rig;
  const std::vector<SharedGate> gate = {{"ip 1", 500ms}};
  rig.use(rig.a, gate);
  rig.pass_ms(20'000);
  ++rig.lapses;
  const std::int64_t back = rig.now_ms();
  const std::int64_t first = rig.use(rig.b, gate);
  EXPECT_GE(first, back + 3000 + 500);
  EXPECT_LT(rig.use(rig.b, gate), first + 1000) << "then it goes on as before";
}

TEST(Slots, HostileMessagesAreIgnored) {
  SlotsRig rig;
  for (const char* const bytes : {"", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x09\x01x\x01y\x01"}) {
    EXPECT_TRUE(rig.bus.publish(rig.names.to("ask", "a"), bytes).ok());
    EXPECT_TRUE(rig.bus.publish(rig.names.to("slot", "a"), bytes).ok());
  }
  rig.use(rig.a, {{"g", 100ms}});
}

}  // namespace
}  // namespace bowerbird
