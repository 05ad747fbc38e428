// What anybody may ask of a fleet's engine, part of the fleet or not: how it stands, and what it is to do.
//
// Threads: one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/names.h"
#include "fleet/roster.h"

namespace bowerbird {

struct FleetView {
  Roster roster;
  std::optional<FleetPlan> plan;
  FleetControl control;
};

class FleetEngine {
 public:
  static Result<std::unique_ptr<FleetEngine>> open(const std::string& url, const std::string& fleet);
  Result<FleetView> look();
  // Everybody is to stop, or may go on again.
  Status set_stop(bool stop);
  // Others are to get what this process holds.
  Status leave(const std::string& member);

 private:
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<BusStore> kept_;
  std::unique_ptr<BusStore> leases_;
};

}  // namespace bowerbird
