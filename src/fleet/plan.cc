#include "fleet/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bowerbird {

std::string FleetPlan::to_json() const {
  return nlohmann::json({{"owners", owners}, {"epochs", epochs}, {"settings", settings}}).dump();
}

Result<FleetPlan> FleetPlan::from_json(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  FleetPlan plan;
  const auto bad = [] { return error("the plan of the fleet cannot be read"); };
  if (!json.is_object() || !json.contains("owners") || !json["owners"].is_array()) return bad();
  for (const auto& owner : json["owners"]) {
    if (!owner.is_string()) return bad();
    plan.owners.push_back(owner.get<std::string>());
  }
  plan.epochs.resize(plan.owners.size());
  if (json.contains("epochs")) {
    const auto& epochs = json["epochs"];
    if (!epochs.is_array() || epochs.size() != plan.owners.size()) return bad();
    for (std::size_t p = 0; p < epochs.size(); ++p) {
      if (!epochs[p].is_number_unsigned()) return bad();
      plan.epochs[p] = epochs[p].get<std::uint64_t>();
    }
  }
  if (json.contains("settings") && json["settings"].is_string()) plan.settings = json["settings"];
  return plan;
}

std::vector<bool> FleetPlan::of(const std::string& member) const {
  std::vector<bool> mine(owners.size());
  for (std::size_t p = 0; p < owners.size(); ++p) mine[p] = owners[p] == member;
  return mine;
}

namespace {

std::string text_of(const nlohmann::json& values) {
  std::string text;
  for (const auto& value : values) {
    if (value.is_string()) text += (text.empty() ? "" : ", ") + value.get<std::string>();
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

Status FleetPlan::accepts(std::uint32_t partitions, std::string_view ours) const {
  const nlohmann::json there = nlohmann::json::parse(settings, nullptr, false);
  const nlohmann::json here = nlohmann::json::parse(ours, nullptr, false);
  std::string conflict;
  for (const auto& [option, value] : here.items()) {
    const auto found = there.is_object() ? there.find(option) : there.end();
    if (found == there.end() || *found == value) continue;
    conflict += fmt::format(
        "\n"
        "  --{}: {} in the fleet, {} here",
        option, text_of(*found), text_of(value));
  }
  if (conflict.empty() && owners.size() == partitions) return {};
  return error("the options of this process differ from those of the fleet:{}", conflict);
}

std::string FleetPlan::setting(const std::string& option) const {
  const nlohmann::json all = nlohmann::json::parse(settings, nullptr, false);
  if (!all.is_object() || !all.contains(option)) return "";
  const nlohmann::json& values = all[option];
  const bool one = values.is_array() && values.size() == 1 && values.front().is_string();
  return one ? values.front().get<std::string>() : "";
}

FleetPlan first_plan(std::uint32_t partitions, const std::vector<std::string>& members) {
  FleetPlan plan;
  for (std::uint32_t p = 0; p < partitions; ++p) plan.owners.push_back(members[p % members.size()]);
  plan.epochs.resize(partitions);
  return plan;
}

bool rebalance(FleetPlan& plan, const std::map<std::string, PlanMember>& members,
               const std::vector<std::uint32_t>& free, bool plan_reached) {
  if (members.empty()) return false;
  std::map<std::string, std::vector<std::size_t>> owned;
  for (const auto& [name, unused] : members) owned[name];
  bool changed = false;
  for (std::size_t p = 0; p < plan.owners.size(); ++p) {
    if (const auto found = owned.find(plan.owners[p]); found != owned.end()) found->second.push_back(p);
  }
  const auto fewer = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
  const auto move = [&](std::size_t p, std::vector<std::size_t>& to, const std::string& name) {
    plan.owners[p] = name;
    to.push_back(p);
    changed = true;
  };
  for (const std::uint32_t p : free) {
    const auto least = std::min_element(owned.begin(), owned.end(), fewer);
    move(p, least->second, least->first);
  }
  while (plan_reached) {
    const auto [least, most] = std::minmax_element(owned.begin(), owned.end(), fewer);
    if (most->second.size() <= least->second.size() + 1) break;
    const std::size_t p = most->second.back();
    most->second.pop_back();
    move(p, least->second, least->first);
  }
  return changed;
}

bool balance_load(FleetPlan& plan, const std::map<std::string, PlanMember>& members) {
  constexpr std::uint64_t kWorthwhile = 100;
  if (members.size() < 2) return false;
  const auto less = [](const auto& a, const auto& b) { return a.second.load < b.second.load; };
  const auto [least, most] = std::minmax_element(members.begin(), members.end(), less);
  if (most->second.load < 2 * least->second.load + kWorthwhile) return false;
  std::vector<std::size_t> owned;
  for (std::size_t p = 0; p < plan.owners.size(); ++p) {
    if (plan.owners[p] == most->first) owned.push_back(p);
  }
  if (owned.size() < 2) return false;
  // What brings both to the mean, assuming equal partitions.
  const double surplus = static_cast<double>(most->second.load - least->second.load) / 2;
  const auto count = static_cast<std::size_t>(surplus / static_cast<double>(most->second.load) *
                                              static_cast<double>(owned.size()));
  for (std::size_t i = 0; i < std::max<std::size_t>(1, count); ++i) plan.owners[owned[i]] = least->first;
  return true;
}

void note_epochs(const FleetPlan& before, const std::map<std::string, Epochs>& given, FleetPlan& plan) {
  for (std::uint32_t p = 0; p < plan.owners.size(); ++p) {
    if (plan.owners[p] == before.owners[p]) continue;
    const auto former = given.find(before.owners[p]);
    if (former == given.end()) continue;
    const auto epoch = former->second.find(p);
    if (epoch != former->second.end()) plan.epochs[p] = std::max(plan.epochs[p], epoch->second);
  }
}

}  // namespace bowerbird
