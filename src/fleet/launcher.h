// A fleet on this machine: its folder, its server, its processes.
//
// DIR/fleet.json says how it was begun (so that it can go on), DIR/nats is the server's data, DIR/pI the
// crawl folder of process I and DIR/pI.log what it says; DIR/server names the server that runs, as long as it
// does; whoever holds DIR/lock runs the fleet. Threads: one.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/engine.h"
#include "fleet/local_server.h"
#include "sys/disk.h"
#include "url/partition.h"

namespace bowerbird {

struct FleetSetup {
  std::uint64_t procs = 4;
  Mode mode = Mode::kExchange;
  std::string url;  // of a server that is somebody else's; empty: ours
  std::string fleet = "crawl";
  std::vector<std::string> words;  // of `bowerbird crawl`, for every process

  Status save(const std::string& folder) const;
  static Result<FleetSetup> load(const std::string& folder);
  bool exchanges() const { return mode == Mode::kExchange; }
};

// Whether the folder is that of a fleet.
bool holds_fleet(const std::string& folder);

// The server of the fleet in this folder: the one that its setup names, or ours if it runs.
Result<std::string> fleet_url(const std::string& folder, const FleetSetup& setup);

// The process that runs the fleet of this folder (`fleet start` or `fleet resume`); none: 0.
pid_t fleet_runner(const std::string& folder);

class FleetLauncher {
 public:
  // Begins or goes on with the fleet of this folder.
  static Result<std::unique_ptr<FleetLauncher>> start(const std::string& folder, const FleetSetup& setup);
  ~FleetLauncher();
  FleetLauncher(const FleetLauncher&) = delete;
  FleetLauncher& operator=(const FleetLauncher&) = delete;

  // Processes that still run. Those that have ended are taken note of; a server of ours that has is started
  // again where it was, and the processes find it there.
  std::size_t running();
  // Processes that others have started and that crawl with the server of this fleet: it has to stay.
  std::size_t guests();
  // How the fleet stands, if its engine answers. Folders of guests that can be read here are linked to from
  // that of the fleet, so that whoever looks there finds all.
  std::optional<FleetView> look();
  // Those that cannot.
  static std::vector<std::string> elsewhere(const std::string& folder, const FleetView& view);
  Status stop();
  // Ends what is left of a fleet whose `fleet start` is no more: its processes commit and end, then its
  // server.
  static Status end_orphans(const std::string& folder, const FleetSetup& setup);
  // What has gone wrong since the last call, a line each.
  std::vector<std::string> take_troubles() { return std::exchange(troubles_, {}); }
  // Names of processes that ended with an error, and how the first of them did.
  const std::vector<std::string>& failed() const { return failed_; }
  const std::string& failure() const { return failure_; }

 private:
  struct Child {
    std::string name;
    pid_t pid = 0;
  };
  FleetLauncher(std::string folder, const FleetSetup& setup) : folder_(std::move(folder)), setup_(setup) {}
  Status begin();
  Status begin_engine(Roster& roster);
  void end_leftovers();
  std::vector<std::uint64_t> crew(const Roster& roster) const;
  Status spawn(std::uint64_t number);
  void keep_server();
  void note_end(const Child& child, int status);

  std::string folder_;
  FleetSetup setup_;
  std::unique_ptr<DiskLock> lock_;
  std::unique_ptr<LocalServer> server_;
  std::unique_ptr<FleetEngine> engine_;
  std::string url_;
  std::vector<Child> children_;
  std::vector<std::string> names_;  // of all that were started
  std::vector<std::string> failed_;
  std::string failure_;
  std::vector<std::string> troubles_;
};

// The crawl folders in a fleet's folder.
std::vector<std::string> fleet_folders(const std::string& folder);

}  // namespace bowerbird
