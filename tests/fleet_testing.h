// A fleet on loopback: a NATS server, processes of the real program, and the test Web that judges them.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "crawl_testing.h"
#include "fleet/local_server.h"
#include "fleet/members.h"
#include "sys/spawn.h"

namespace bowerbird {

// A process that runs during the test; killed with the object.
class Process {
 public:
  Process(const std::vector<std::string>& args, const std::string& log,
          const char* program = BOWERBIRD_BINARY) {
    std::vector<std::string> words = {program};
    words.insert(words.end(), args.begin(), args.end());
    pid_ = spawn(program, std::move(words), {log, false}).value();
  }
  ~Process() { send(SIGKILL), wait(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const {
    if (pid_ > 0) ::kill(pid_, signal);
  }
  // The exit code, or 128 + signal.
  int wait() {
    if (pid_ <= 0) return code_;
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_;
  }
  bool running() {
    if (pid_ <= 0) return false;
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
    pid_ = 0;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return false;
  }

 private:
  pid_t pid_ = 0;
  int code_ = -1;
};

struct FleetBench : CrawlBench {
  explicit FleetBench(Web made, const SiteOptions& site_options = {})
      : CrawlBench(std::move(made), site_options), nats(start()) {}

  static std::unique_ptr<LocalServer> start_in(const std::string& folder, int port) {
    auto server = LocalServer::start(folder, port);
    EXPECT_TRUE(server.ok()) << server.error().text;
    return server.ok() ? std::move(server).value() : nullptr;
  }
  std::unique_ptr<LocalServer> start(int port = 0) { return start_in(folder / "nats", port); }

  std::string dir(const std::string& name) { return folder / name; }
  std::vector<std::string> args(const std::string& name, unsigned procs) {
    std::vector<std::string> words = {"crawl",
                                      "--out",
                                      dir(name),
                                      "--member",
                                      name,
                                      "--fleet",
                                      nats->url(),
                                      "--procs",
                                      std::to_string(procs),
                                      "--scope",
                                      "any",
                                      "--policy",
                                      policy,
                                      "--connect-to",
                                      options.network.connect_to,
                                      "--allow-net",
                                      "127.0.0.0/8",
                                      "--delay",
                                      "0",
                                      "--contact",
                                      "tests@bowerbird.example",
                                      "--connections",
                                      "8",
                                      "--patience",
                                      "0.001",
                                      "--commit",
                                      "100ms",
                                      "--no-durable",
                                      "--no-traps",
                                      "--partition",
                                      "host-hash",
                                      "--lease",
                                      lease,
                                      "-q"};
    words.insert(words.end(), options.start.seeds.begin(), options.start.seeds.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Process& run(const std::string& name, unsigned procs) {
    processes[name] = std::make_unique<Process>(args(name, procs), dir(name + ".log"));
    return *processes[name];
  }
  std::string said(const std::string& name) { return read_text(dir(name + ".log")); }
  // The requested pages, with the number of requests.
  std::map<PageId, int> fetches() {
    std::map<PageId, int> count;
    for (const AccessEntry& entry : log()) {
      if (entry.page != kNoPage) ++count[entry.page];
    }
    return count;
  }
  std::multiset<std::string> stored_by(const std::vector<std::string>& names) {
    std::multiset<std::string> all;
    for (const std::string& name : names) {
      options.out = dir(name);
      all.merge(stored());
    }
    return all;
  }
  // Waits for this many requests.
  std::size_t requests() {
    const std::lock_guard lock(mutex);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  void wait_for_requests(std::size_t count) {
    while (requests() < count) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  std::unique_ptr<LocalServer> nats;
  std::string policy = "bfs";
  std::string lease = "10";
  std::vector<std::string> more;
  std::map<std::string, std::unique_ptr<Process>> processes;
};

#define SKIP_WITHOUT_NATS() \
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)"

}  // namespace bowerbird
