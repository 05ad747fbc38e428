// The options of one process of a fleet. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fleet/coordinator.h"
#include "fleet/identity.h"

namespace bowerbird {

struct FleetOptions {
  std::string url;
  std::string fleet = "crawl";
  std::string member;                    // our name
  std::string folder;                    // our crawl folder, which another process reads if we are lost
  std::string machine = machine_name();  // for users to read; decides nothing
  MemberIdentity identity;
  std::uint64_t commit = 0;  // the last one in our folder
  // Called when the broker has our record for the first time.
  std::function<Status()> on_joined;
  HashKey key = {};  // of the fleet's messages; found when it joins
  double lease_s = 10;
  double restart_within_s = 600;
  bool replicates_state = false;  // every process has a log on the broker
  // For tools/chaos, whose judge must notice it: what is committed leaves before the log has it, or a process
  // that was taken over continues.
  enum class Broken { kNothing, kOrder, kFencing } broken = Broken::kNothing;
  CoordinatorOptions coordinator;

  FleetNames names() const { return {fleet, key}; }
};

}  // namespace bowerbird
