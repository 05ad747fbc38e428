// The calls of the API: their paths, and which parameters they take. A test compares this table with
// openapi.json. Pure; threads: any.
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
  std::uint64_t least = 0;  // of a number, or of the length of a text
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
// "pause", ...: paths /api/v1/commands/WHAT.
std::span<const std::string_view> command_names();

// The values of the query, decoded. An error: one is not known, missing or wrong.
Result<std::map<std::string, std::string>> parse_query(std::string_view query, const ReadRoute& route);
// Whether the body of a command has the right form; the error says what is wrong.
Status check_command(std::string_view name, const nlohmann::json& body);

}  // namespace bowerbird
