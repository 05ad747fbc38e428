// A fleet on this machine: its folder, its server, its processes.
//
// DIR/fleet.json says how it was started (so that it can be resumed), DIR/nats is the server's data, DIR/pI
// the crawl folder of process I and DIR/pI.log its output. DIR/server has the URL of the server while it
// runs. The process that holds DIR/lock runs the fleet. Threads: one.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/admin.h"
#include "fleet/local_server.h"
#include "sys/disk.h"
#include "url/partition.h"

namespace bowerbird {

struct FleetSetup {
  std::uint64_t procs = 4;
  Mode mode = Mode::kExchange;
  std::string url;  // of the user's NATS server; empty: start one
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
  // Starts or resumes the fleet of this folder.
  static Result<std::unique_ptr<FleetLauncher>> start(const std::string& folder, const FleetSetup& setup);
  ~FleetLauncher();
  FleetLauncher(const FleetLauncher&) = delete;
  FleetLauncher& operator=(const FleetLauncher&) = delete;

  // Processes that still run. Notes those that have ended; restarts our server on its port if it has ended.
  std::size_t running();
  // Processes that the user started and that use the server of this fleet: it must keep running.
  std::size_t guests();
  // The state of the fleet, if its broker answers. Links to the folders of guests on this machine are put
  // into the folder of the fleet.
  std::optional<FleetView> look();
  // Members whose folders are not in the folder of the fleet.
  static std::vector<std::string> elsewhere(const std::string& folder, const FleetView& view);
  Status stop();
  // Stops a fleet whose `fleet start` was killed: its processes commit and end, then its server.
  static Status end_orphans(const std::string& folder, const FleetSetup& setup);
  // Since the last call, one line each.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
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
  Status begin_broker(Members& members);
  void end_leftovers();
  Status spawn(std::uint64_t number);
  void keep_server();
  void open_admin();
  void note_end(const Child& child, int status);

  std::string folder_;
  FleetSetup setup_;
  std::unique_ptr<DiskLock> lock_;
  std::unique_ptr<LocalServer> server_;
  std::unique_ptr<FleetAdmin> admin_;
  bool refused_ = false;  // the broker does not let us in
  std::string url_;
  std::vector<Child> children_;
  std::vector<std::string> names_;  // of all that were started
  std::vector<std::string> failed_;
  std::string failure_;
  std::vector<std::string> warnings_;
};

// Numbers of the processes that a start of the fleet in this folder runs: its own, and new ones where others
// have taken over what one held. A process that has left stays away, unless there would be none.
std::vector<std::uint64_t> processes_to_start(const Members& members, const std::string& folder,
                                              std::uint64_t procs);

// The crawl folders in a fleet's folder.
std::vector<std::string> fleet_folders(const std::string& folder);

}  // namespace bowerbird
