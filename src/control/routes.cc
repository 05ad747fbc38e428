#include "control/routes.h"

#include <algorithm>

#include "base/units.h"
#include "url/percent.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kSorts[] = {"host",  "state", "queued",  "known",       "fetched", "failed",
                                       "bytes", "delay", "next_in", "response_ms", "failures"};
constexpr std::string_view kOrders[] = {"up", "down"};
constexpr std::string_view kStates[] = {"active",      "ready",    "waiting", "preparing",
                                        "backing-off", "paused",   "blocked", "at-budget",
                                        "repeating",   "given-up", "idle"};

constexpr std::uint64_t kAnyNumber = 1'000'000'000'000;
constexpr RouteParameter kCurves[] = {{"since", false, 0, kAnyNumber, {}, true, true},
                                      {"points", false, 2, 2000, {}, true}};
constexpr RouteParameter kNext[] = {{"limit", false, 1, 200, {}, true}};
constexpr RouteParameter kWhy[] = {{"url", true, 1, 8192}};
constexpr RouteParameter kHosts[] = {{"sort", false, 0, 0, kSorts},
                                     {"order", false, 0, 0, kOrders},
                                     {"filter", false, 0, 300},
                                     {"state", false, 0, 0, kStates},
                                     {"offset", false, 0, kAnyNumber, {}, true},
                                     {"limit", false, 1, 500, {}, true}};
constexpr RouteParameter kHost[] = {{"name", true, 1, 300}};
constexpr RouteParameter kChanges[] = {{"limit", false, 1, 1000, {}, true}};

constexpr ReadRoute kReads[] = {{"status", {}},    {"curves", kCurves},  {"next", kNext},  {"why", kWhy},
                                {"hosts", kHosts}, {"host", kHost},      {"problems", {}}, {"fleet", {}},
                                {"options", {}},   {"changes", kChanges}};
constexpr std::string_view kCommands[] = {"pause", "resume",  "stop",  "seed",  "set",
                                          "block", "unblock", "retry", "fetch", "report"};

Status check_value(const RouteParameter& parameter, const std::string& value) {
  if (!parameter.words.empty()) {
    if (std::ranges::find(parameter.words, value) != parameter.words.end()) return {};
    return error("{}: '{}' is not one of the possible values", parameter.name, value);
  }
  if (parameter.is_real) {
    const auto number = parse_number(value);
    if (number.ok() && *number >= 0) return {};
    return error("{}: expected a number of at least 0", parameter.name);
  }
  if (parameter.is_number) {
    const bool digits = !value.empty() && value.size() <= 18 &&
                        std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    const std::uint64_t number = digits ? std::stoull(value) : 0;
    if (digits && number >= parameter.least && number <= parameter.most) return {};
    return error("{}: expected a number from {} to {}", parameter.name, parameter.least, parameter.most);
  }
  if (value.size() >= parameter.least && value.size() <= parameter.most) return {};
  return error("{}: expected {} to {} characters", parameter.name, parameter.least, parameter.most);
}

// Decodes a query value; "+" is a space.
std::string query_text(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decoded(spaced);
}

// ---- Bodies of commands

struct TextField {
  std::string_view name;
  std::size_t least, most;
};

Status check_text(const Json& value, const TextField& field) {
  if (!value.is_string()) return error("{}: expected a string", field.name);
  const std::size_t size = value.get_ref<const std::string&>().size();
  if (size < field.least || size > field.most)
    return error("{}: expected {} to {} characters", field.name, field.least, field.most);
  return {};
}

Status check_list(const Json& value, std::string_view name, std::size_t most) {
  if (!value.is_array() || value.size() > most)
    return error("{}: expected a list of at most {} strings", name, most);
  for (const Json& one : value) BB_TRY_VOID(check_text(one, {name, 0, 8192}));
  return {};
}

Status check_keys(const Json& body, std::span<const std::string_view> known) {
  for (const auto& [key, value] : body.items()) {
    if (std::ranges::find(known, key) == known.end())
      return error("'{}' is not a field of this command", key);
  }
  return {};
}

constexpr TextField kHostField{"host", 1, 300}, kPatternField{"pattern", 1, 2000};

Status check_target(const Json& body, std::size_t least) {
  constexpr std::string_view kKeys[] = {"host", "pattern"};
  BB_TRY_VOID(check_keys(body, kKeys));
  if (body.size() > 1) return error("give a host or a pattern, not both");
  if (body.size() < least) return error("give a host or a pattern");
  if (body.contains("host")) return check_text(body["host"], kHostField);
  if (body.contains("pattern")) return check_text(body["pattern"], kPatternField);
  return {};
}

Status check_seed(const Json& body) {
  constexpr std::string_view kKeys[] = {"urls", "sitemaps"};
  BB_TRY_VOID(check_keys(body, kKeys));
  if (body.empty()) return error("give urls or sitemaps");
  if (body.contains("urls")) BB_TRY_VOID(check_list(body["urls"], "urls", 1000));
  if (body.contains("sitemaps")) BB_TRY_VOID(check_list(body["sitemaps"], "sitemaps", 100));
  return {};
}

Status check_set(const Json& body) {
  constexpr std::string_view kKeys[] = {"option", "values"};
  BB_TRY_VOID(check_keys(body, kKeys));
  if (body.size() != 2) return error("give option and values");
  BB_TRY_VOID(check_text(body["option"], {"option", 1, 64}));
  return check_list(body["values"], "values", 1000);
}

Status check_retry(const Json& body) {
  constexpr std::string_view kKeys[] = {"host", "pattern", "outcome"};
  BB_TRY_VOID(check_keys(body, kKeys));
  if (body.contains("host")) BB_TRY_VOID(check_text(body["host"], kHostField));
  if (body.contains("pattern")) BB_TRY_VOID(check_text(body["pattern"], kPatternField));
  if (body.contains("outcome")) BB_TRY_VOID(check_text(body["outcome"], {"outcome", 1, 64}));
  return {};
}

Status check_fetch(const Json& body) {
  constexpr std::string_view kKeys[] = {"url"};
  BB_TRY_VOID(check_keys(body, kKeys));
  if (body.empty()) return error("give url");
  return check_text(body["url"], {"url", 1, 8192});
}

}  // namespace

std::span<const ReadRoute> read_routes() {
  return kReads;
}

std::span<const std::string_view> command_names() {
  return kCommands;
}

Result<std::map<std::string, std::string>> parse_query(std::string_view query, const ReadRoute& route) {
  std::map<std::string, std::string> values;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = query_text(pair.substr(0, equals));
    const std::string value = query_text(pair.substr(std::min(equals + 1, pair.size())));
    const auto known = std::ranges::find(route.parameters, name, &RouteParameter::name);
    if (known == route.parameters.end()) return error("'{}' is not a parameter of this call", name);
    if (values.contains(name)) return error("'{}' is given twice", name);
    BB_TRY_VOID(check_value(*known, value));
    values[name] = value;
  }
  for (const RouteParameter& parameter : route.parameters) {
    if (parameter.required && !values.contains(std::string(parameter.name)))
      return error("the parameter '{}' is missing", parameter.name);
  }
  return values;
}

Status check_command(std::string_view name, const Json& body) {
  if (!body.is_object()) return error("the body must be a JSON object");
  if (name == "pause" || name == "resume") return check_target(body, 0);
  if (name == "block" || name == "unblock") return check_target(body, 1);
  if (name == "seed") return check_seed(body);
  if (name == "set") return check_set(body);
  if (name == "retry") return check_retry(body);
  if (name == "fetch") return check_fetch(body);
  return check_keys(body, {});
}

}  // namespace bowerbird
