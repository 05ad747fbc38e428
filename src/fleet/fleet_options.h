// The options of one process of a fleet. Plain data.
#pragma once

#include <string>

#include "fleet/coordinator.h"

namespace bowerbird {

struct FleetOptions {
  std::string url;
  std::string fleet = "crawl";
  std::string member;  // our name
  std::string folder;  // our crawl folder, which another process reads if we are lost
  std::string machine = machine_name();
  double lease_s = 10;
  CoordinatorOptions coordinator;
};

}  // namespace bowerbird
