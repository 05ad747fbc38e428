#include "fleet/names.h"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bowerbird {

namespace {

constexpr std::size_t kIdDigits = 32;
constexpr std::string_view kStates[] = {"in", "leaving", "absorbing", "absorbed", "left"};

std::string text_of(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
std::uint64_t number_of(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}
double real_of(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}
bool flag_of(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}
std::vector<std::string> texts_of(const nlohmann::json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const auto& text : *found) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}
nlohmann::json json_of(const Epochs& epochs) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& [partition, epoch] : epochs) json.push_back({partition, epoch});
  return json;
}
Epochs epochs_of(const nlohmann::json& json, const char* key) {
  Epochs epochs;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return epochs;
  for (const auto& pair : *found) {
    const bool good = pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
                      pair[1].is_number_unsigned() && pair[0] <= 0xffffffffu;
    if (good) epochs[pair[0].get<std::uint32_t>()] = pair[1].get<std::uint64_t>();
  }
  return epochs;
}
nlohmann::json object_of(std::string_view text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

}  // namespace

std::string_view name_of(MemberRecord::State state) {
  return kStates[static_cast<std::size_t>(state)];
}

bool is_random_id(std::string_view text) {
  return text.size() == kIdDigits &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string FleetRecord::to_json() const {
  return nlohmann::json({{"id", id}}).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<FleetRecord> FleetRecord::from_json(std::string_view text) {
  FleetRecord record;
  record.id = text_of(object_of(text), "id");
  if (!is_random_id(record.id)) return error("the broker's record of the fleet is damaged");
  return record;
}

std::string MemberRecord::to_json() const {
  return nlohmann::json({{"state", std::string(name_of(state))},
                         {"id", id},
                         {"folder", folder},
                         {"machine", machine},
                         {"by", by},
                         {"stopped", stopped},
                         {"takers", takers},
                         {"problem", problem},
                         {"given_up", given_up},
                         {"given", json_of(given)},
                         {"pages", pages},
                         {"bytes", bytes}})
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<MemberRecord> MemberRecord::from_json(std::string_view text) {
  const nlohmann::json json = object_of(text);
  MemberRecord record;
  const std::string state = text_of(json, "state");
  const auto found = std::find(std::begin(kStates), std::end(kStates), state);
  if (found == std::end(kStates)) return error("a record of the fleet cannot be read");
  record.state = static_cast<State>(found - std::begin(kStates));
  record.id = text_of(json, "id");
  record.folder = text_of(json, "folder");
  record.machine = text_of(json, "machine");
  record.by = text_of(json, "by");
  record.stopped = flag_of(json, "stopped");
  record.takers = texts_of(json, "takers");
  record.problem = text_of(json, "problem");
  record.given_up = flag_of(json, "given_up");
  record.given = epochs_of(json, "given");
  record.pages = number_of(json, "pages");
  record.bytes = number_of(json, "bytes");
  return record;
}

std::string FleetControl::to_json() const {
  return nlohmann::json({{"stop", stop}, {"ended", ended}, {"reason", reason}, {"round", round}}).dump();
}

FleetControl FleetControl::from_json(std::string_view text) {
  const nlohmann::json json = object_of(text);
  FleetControl control;
  control.stop = flag_of(json, "stop");
  control.ended = flag_of(json, "ended");
  control.reason = text_of(json, "reason");
  control.round = number_of(json, "round");
  return control;
}

std::string Heartbeat::to_json() const {
  return nlohmann::json({{"machine", machine},
                         {"folder", folder},
                         {"place", place},
                         {"commit", commit},
                         {"round", round},
                         {"time", time},
                         {"quiet", quiet},
                         {"activity", activity},
                         {"held", json_of(held)},
                         {"partitions", held.size()},
                         {"pages", pages},
                         {"completed", completed},
                         {"bytes", bytes},
                         {"queued", queued},
                         {"known", known},
                         {"urls_sent", urls_sent},
                         {"urls_received", urls_received},
                         {"parcels_sent", messages_sent},
                         {"bytes_sent", bytes_sent},
                         {"to_send", to_send},
                         {"requisites_pending", requisites},
                         {"pages_per_second", pages_per_second},
                         {"seconds", seconds},
                         {"log_lag_commits", lag.commits},
                         {"log_lag_seconds", lag.seconds},
                         {"no_room", no_room}})
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Heartbeat Heartbeat::from_json(std::string_view text) {
  const nlohmann::json json = object_of(text);
  Heartbeat heartbeat;
  heartbeat.machine = text_of(json, "machine");
  heartbeat.folder = text_of(json, "folder");
  heartbeat.place = text_of(json, "place");
  heartbeat.commit = number_of(json, "commit");
  heartbeat.round = number_of(json, "round");
  heartbeat.time = number_of(json, "time");
  heartbeat.quiet = flag_of(json, "quiet");
  heartbeat.activity = number_of(json, "activity");
  heartbeat.held = epochs_of(json, "held");
  heartbeat.pages = number_of(json, "pages");
  heartbeat.completed = number_of(json, "completed");
  heartbeat.bytes = number_of(json, "bytes");
  heartbeat.queued = number_of(json, "queued");
  heartbeat.known = number_of(json, "known");
  heartbeat.urls_sent = number_of(json, "urls_sent");
  heartbeat.urls_received = number_of(json, "urls_received");
  heartbeat.messages_sent = number_of(json, "parcels_sent");
  heartbeat.bytes_sent = number_of(json, "bytes_sent");
  heartbeat.to_send = number_of(json, "to_send");
  heartbeat.requisites = number_of(json, "requisites_pending");
  heartbeat.pages_per_second = real_of(json, "pages_per_second");
  heartbeat.seconds = real_of(json, "seconds");
  heartbeat.lag = {number_of(json, "log_lag_commits"), real_of(json, "log_lag_seconds")};
  heartbeat.no_room = text_of(json, "no_room");
  return heartbeat;
}

std::string machine_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

}  // namespace bowerbird
