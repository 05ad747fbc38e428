#include "cmd/fleet_live.h"

#include <algorithm>

#include "sys/clock.h"

namespace bowerbird {

namespace {

// Seconds since it was sent; clocks of other machines may be ahead of ours.
nlohmann::json age_of(const Heartbeat& beat, std::uint64_t now_ms) {
  if (beat.time == 0) return nullptr;
  return beat.time < now_ms ? static_cast<double>(now_ms - beat.time) / 1000 : 0.0;
}

nlohmann::json process_object(const std::string& name, const FleetMember& member, const Heartbeat& beat,
                              std::uint64_t now_ms) {
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
          {"to_send", beat.to_send},
          {"lag", age_of(beat, now_ms)},
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
  const auto now_ms = static_cast<std::uint64_t>(WallClock().now_us() / 1000);
  for (const auto& [name, member] : view.members) {
    Heartbeat beat = last_heartbeat(member);
    // Of a process that is silent, the time when it was last heard of.
    if (beat.time > 0) {
      heard_ms_[name] = beat.time;
    } else if (const auto heard = heard_ms_.find(name); heard != heard_ms_.end()) {
      beat.time = heard->second;
    }
    processes.push_back(process_object(name, member, beat, now_ms));
  }
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
