// The display of a fleet.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/app.h"
#include "fleet/fleet_overview.h"

namespace bowerbird {

// One line of progress. pages: see add_up().
std::string line_of(const FleetView& view, std::map<std::string, std::uint64_t>& pages);

// The place of a fleet, without the password of its server.
std::string shown_place(const std::string& where);

// Members whose folders are not counted, one line each.
void print_elsewhere(const std::vector<std::string>& names);

struct FleetQuestions {
  bool owners = false;
  bool check = false;
};
Status show_fleet(const std::string& where, const std::string& fleet_name, const FleetQuestions& questions,
                  const CommonOptions& common);

}  // namespace bowerbird
