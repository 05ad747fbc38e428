// The live page of a fleet: its launcher serves it, adds up its processes and forwards commands to them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "control/forward_backend.h"
#include "control/listen.h"
#include "fleet/fleet_overview.h"
#include "fleet/fleet_setup.h"

namespace bowerbird {

class FleetLive {
 public:
  // Null: no address was given.
  static Result<std::unique_ptr<FleetLive>> start(const std::string& folder, const FleetSetup& setup,
                                                  const CrawlOptions::Listen& listen);
  ~FleetLive();
  void show(const FleetView& view);
  const std::string& url() const { return server_->url; }

 private:
  FleetLive(const std::string& folder, std::vector<std::string> members)
      : backend_(folder, std::move(members)) {}

  std::map<std::string, std::uint64_t> heard_ms_;  // by process: when it was last heard of
  ForwardBackend backend_;
  std::unique_ptr<ControlServer> server_;
};

}  // namespace bowerbird
