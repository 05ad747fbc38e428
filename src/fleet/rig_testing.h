// A fleet without processes, for unit tests: a manual clock, a broker in memory, and its stores.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "fleet/fake_bus_testing.h"
#include "fleet/fleet_options.h"
#include "fleet/members.h"
#include "fleet/names.h"
#include "sys/clock.h"

namespace bowerbird {

inline constexpr char kNoFolder[] = "/no/such/folder/";

struct FleetRig {
  ManualClock clock{1'000'000'000};
  FakeBroker broker{clock};
  FakeBus bus{broker};
  FleetNames names{"crawl"};
  std::unique_ptr<BusStore> records = std::move(bus.store(names.records(), 0)).value();
  std::unique_ptr<BusStore> leases = std::move(bus.store(names.leases(), 10)).value();

  FleetRig() { EXPECT_TRUE(records->put(kFleetKey, FleetRecord{random_id()}.to_json()).ok()); }

  static FleetOptions options(const std::string& member, std::uint32_t partitions = 4) {
    FleetOptions made;
    made.member = member;
    made.identity.member = "id of " + member;
    made.folder = kNoFolder + member;
    made.coordinator.partitions = partitions;
    made.coordinator.settings = "{}";
    return made;
  }
  void pass_ms(std::int64_t ms) { clock.advance(ms * 1000); }
  std::int64_t now_ms() const { return clock.now_us() / 1000; }

  // A member with a record, and with a lease while `heartbeat` is given.
  void add_member(const std::string& name, const MemberRecord& record, const Heartbeat* heartbeat = nullptr) {
    ASSERT_TRUE(records->put(FleetNames::member(name), record.to_json()).ok());
    if (heartbeat != nullptr) {
      ASSERT_TRUE(leases->put(FleetNames::member(name), heartbeat->to_json()).ok());
    }
  }
  static MemberRecord record_of(const std::string& name) {
    MemberRecord record;
    record.id = "id of " + name;
    record.folder = kNoFolder + name;
    record.machine = machine_name();
    return record;
  }
  MemberRecord record(const std::string& name) {
    const auto entry = std::move(records->get(FleetNames::member(name))).value();
    return entry ? std::move(MemberRecord::from_json(entry->value)).value() : MemberRecord();
  }
  void set_record(const std::string& name, MemberRecord::State state, const std::string& by = "") {
    MemberRecord changed = record(name);
    changed.state = state;
    changed.by = by;
    ASSERT_TRUE(records->put(FleetNames::member(name), changed.to_json()).ok());
  }
  Members members() { return std::move(read_members(*records, *leases)).value(); }
  FleetControl control() {
    const auto entry = std::move(records->get(kControlKey)).value();
    return entry ? FleetControl::from_json(entry->value) : FleetControl();
  }
  FleetPlan plan() {
    const auto entry = std::move(records->get(kPlanKey)).value();
    return entry ? std::move(FleetPlan::from_json(entry->value)).value() : FleetPlan();
  }
  void put_plan(const FleetPlan& plan) { ASSERT_TRUE(records->put(kPlanKey, plan.to_json()).ok()); }
};

}  // namespace bowerbird
