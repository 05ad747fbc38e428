// A fleet on this machine: its folder, its server, its processes.
//
// DIR/fleet.json stores how it was started, so that it can be resumed. DIR/nats has the server's data, DIR/pI
// is the crawl folder of process I and DIR/pI.log its output. DIR/server has the URL of the server while it
// runs, with the password of a member; DIR/watcher the same for users that only watch. The process that holds
// DIR/lock runs the fleet. Threads: one.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/admin.h"
#include "fleet/fleet_overview.h"
#include "fleet/fleet_setup.h"
#include "fleet/local_server.h"
#include "sys/disk.h"

namespace bowerbird {

// The pid of the process that runs the fleet of this folder (`fleet start` or `fleet resume`), or 0.
pid_t fleet_runner(const std::string& folder);

// Stops the fleet. where: its folder, or its server. signal: sent to the process that runs the fleet if there
// is no broker.
Status stop_fleet(const std::string& where, const FleetSetup& setup, int signal);

// An error if a fleet of this name already runs on the server in the setup.
Status check_name_free(const FleetSetup& setup);

// The result of a fleet, once all its processes have ended.
struct FleetEnd {
  std::string reason;
  bool stopped = false;  // by its user
  FolderSums sums;
  std::vector<std::string> elsewhere;  // members whose folders are not counted
  std::optional<PageCheck> check;      // none: it would take minutes
};

class FleetLauncher {
 public:
  // Starts or resumes the fleet of this folder.
  static Result<std::unique_ptr<FleetLauncher>> start(const std::string& folder, const FleetSetup& setup);
  ~FleetLauncher();
  FleetLauncher(const FleetLauncher&) = delete;
  FleetLauncher& operator=(const FleetLauncher&) = delete;

  // The number of running processes. Collects those that have ended, and restarts our server on its port if
  // it has ended.
  std::size_t running();
  // The number of processes that the user started and that use this fleet's server, which must keep running.
  std::size_t guests();
  // The state of the fleet, if its broker answers. Also links the folders of guests on this machine into the
  // folder of the fleet.
  std::optional<FleetView> look();
  // Members whose folders are not in the folder of the fleet.
  static std::vector<std::string> elsewhere(const std::string& folder, const FleetView& view);
  Status stop();
  // Call when all processes have ended. stopped: because of stop().
  Result<FleetEnd> finish(bool stopped);
  // Stops a fleet whose `fleet start` was killed: its processes commit and end, then its server.
  static Status end_orphans(const std::string& folder, const FleetSetup& setup);
  // Warnings since the last call, one line each.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  // Names of processes that ended with an error, and how the first one ended.
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
  bool refused_ = false;  // the broker rejects our login
  std::string url_;
  std::vector<Child> children_;
  std::vector<std::string> names_;  // of all processes started
  std::vector<std::string> failed_;
  std::string failure_;
  std::vector<std::string> warnings_;
};

// The numbers of the processes to start: those of the fleet, with a new number for each one that others have
// taken over. A process that has left is not started, unless none would be.
std::vector<std::uint64_t> processes_to_start(const Members& members, const std::string& folder,
                                              std::uint64_t procs);

}  // namespace bowerbird
