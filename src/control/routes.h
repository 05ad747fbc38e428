// The routes of the API: paths and their parameters. A test compares this table with openapi.json. Pure;
// threads: any.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

struct RouteParameter {
  std::string_view name;
  bool required = false;
  std::uint64_t least = 0;  // minimum of a number, or of the length of a text
  std::uint64_t most = 0;
  std::span<const std::string_view> words = {};  // all possible values
  bool is_number = false;
  bool is_real = false;  // a number with a fraction
};

struct ReadRoute {
  std::string_view what;  // path: /api/v1/WHAT
  std::span<const RouteParameter> parameters;
};

std::span<const ReadRoute> read_routes();
// "pause", ...; the paths are /api/v1/commands/NAME.
std::span<const std::string_view> command_names();

// The decoded values of the query. An error: a parameter is unknown, missing or invalid.
Result<std::map<std::string, std::string>> parse_query(std::string_view query, const ReadRoute& route);
// An error: the body of the command is invalid.
Status check_command(std::string_view name, const nlohmann::json& body);

}  // namespace bowerbird
