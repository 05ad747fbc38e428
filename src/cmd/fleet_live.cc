#include "cmd/fleet_live.h"

#include <algorithm>

namespace bowerbird {

namespace {

nlohmann::json process_object(const std::string& name, const FleetMember& member) {
  const Heartbeat beat = last_heartbeat(member);
  return {{"name", name},
          {"state", member_state(member)},
          {"folder", beat.folder},
          {"pages", beat.pages},
          {"pages_per_second", beat.pages_per_second},
          {"queued", beat.queued},
          {"partitions", beat.held.size()},
          {"urls_sent", beat.urls_sent},
          {"urls_received", beat.urls_received},
          {"bytes_sent", beat.bytes_sent},
          {"lag", member.heartbeat ? nlohmann::json(0) : nlohmann::json(nullptr)},
          {"problem", nullptr},
          {"lease", member.heartbeat.has_value()}};
}

}  // namespace

Result<std::unique_ptr<FleetLive>> FleetLive::start(const std::string& folder, const FleetSetup& setup,
                                                    const CrawlOptions::Listen& listen) {
  if (listen.address.empty()) return std::unique_ptr<FleetLive>();
  std::vector<std::string> members;
  for (std::uint64_t i = 0; i < setup.procs; ++i) members.push_back(fmt::format("{}/p{}", folder, i));
  std::unique_ptr<FleetLive> made(new FleetLive(folder, std::move(members)));
  BB_TRY(made->server_,
         start_control_server(made->backend_, folder, listen, folder + "/" + control_files::kSocket));
  made->server_->state->ready = true;
  const auto state = made->server_->state;
  made->backend_.on_publish([state] {
    if (state->streams.load() > 0 && state->wake) state->wake();
  });
  return made;
}

FleetLive::~FleetLive() {
  backend_.on_publish({});
  server_.reset();
}

void FleetLive::show(const FleetView& view) {
  nlohmann::json processes = nlohmann::json::array();
  std::uint64_t unassigned = 0;
  for (const auto& [name, member] : view.members) processes.push_back(process_object(name, member));
  nlohmann::json owners = nlohmann::json::array();
  if (view.plan) {
    for (const std::string& owner : view.plan->owners) {
      owners.push_back(owner);
      const auto found = view.members.find(owner);
      unassigned += found == view.members.end() || !found->second.heartbeat ? 1 : 0;
    }
  }
  const std::size_t partitions = owners.size();
  backend_.set_fleet({{"on", true},
                      {"running", true},
                      {"partitions", partitions},
                      {"unassigned", unassigned},
                      {"owners", std::move(owners)},
                      {"processes", std::move(processes)},
                      {"problem", nullptr}});
}

}  // namespace bowerbird
