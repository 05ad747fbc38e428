// What one process of a fleet is told about itself and about the fleet. Plain data.
#pragma once

#include <string>

#include "fleet/coordinator.h"

namespace bowerbird {

struct FleetOptions {
  std::string url;
  std::string fleet = "crawl";
  std::string member;  // our name
  std::string folder;  // our crawl folder: another process reads it when we are lost
  std::string machine = machine_name();
  double lease_s = 10;
  CoordinatorOptions coordinator;
};

}  // namespace bowerbird
