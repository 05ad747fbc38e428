// Commands that a user gives a fleet through its broker: show its state, stop it, let a process leave.
//
// Threads: one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/members.h"
#include "fleet/names.h"

namespace bowerbird {

struct FleetView {
  Members members;
  std::optional<FleetPlan> plan;
  FleetControl control;
};

class FleetAdmin {
 public:
  static Result<std::unique_ptr<FleetAdmin>> open(const std::string& url, const std::string& fleet);
  static Result<std::unique_ptr<FleetAdmin>> open(std::unique_ptr<Bus> bus, const std::string& fleet);
  Result<FleetView> look();
  // Whether the broker has the record of the fleet.
  Result<bool> knows_fleet();
  // Stops all processes, or lifts an earlier stop.
  Status set_stop(bool stop);
  // Lets the process leave: its partitions move to others. If it was stopped, they take it over now.
  Status leave(const std::string& member);
  // Takes that back while it is leaving.
  Status stay(const std::string& member);

 private:
  Status write(const std::string& member, const MemberRecord& record, std::uint64_t revision);

  std::unique_ptr<Bus> bus_;
  std::unique_ptr<BusStore> records_;
  std::unique_ptr<BusStore> leases_;
};

}  // namespace bowerbird
