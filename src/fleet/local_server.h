// Runs a NATS server on this machine, for users without one.
//
// It listens on a free port of the loopback, keeps its data in a folder, and runs until stop(). If this
// process dies, it continues until end_leftover(). Its users have passwords (server_users.h). Threads: one.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace bowerbird {

// The program, or null if it is not installed.
const char* nats_server_program();
// A port that was free a moment ago; 0: there is none.
int free_loopback_port();

class LocalServer {
 public:
  // port 0: any free port. fleet: its name, for what a watcher may read.
  static Result<std::unique_ptr<LocalServer>> start(const std::string& folder, int port = 0,
                                                    const std::string& address = "127.0.0.1",
                                                    const std::string& fleet = "crawl");
  // Stops the server that a process which died has left running on this folder.
  static void end_leftover(const std::string& folder);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  // Whether the program is installed.
  static bool available();
  // With the password of a member, or of a watcher.
  const std::string& url() const { return url_; }
  const std::string& watcher_url() const { return watcher_url_; }
  int port() const { return port_; }
  // False once the server has ended.
  bool running();
  void stop();
  void kill();

 private:
  LocalServer(pid_t pid, int port) : pid_(pid), port_(port) {}
  void end(int signal);

  pid_t pid_;
  int port_;
  std::string url_, watcher_url_;
};

}  // namespace bowerbird
