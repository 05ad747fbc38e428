// `bowerbird replay` for tests: the program, serving on a free port.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "process.h"

namespace bowerbird {

inline bool can_run_browser() {
  return std::system("command -v chromium > /dev/null 2>&1 && node --version > /dev/null 2>&1") == 0;
}

// The program, which serves until this object is destroyed.
class RunningReplay {
 public:
  explicit RunningReplay(const std::string& input, const std::string& more = "") {
    const std::string command =
        fmt::format("timeout 300 '{}' replay '{}' --listen 127.0.0.1:0 --json {} > '{}' 2>&1 & echo $!",
                    BOWERBIRD_BINARY, input, more, folder_ / "said");
    pid_ = std::stoi(shell_output(command));
    for (int i = 0; i < 200 && !ready_.is_object(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const std::string said = read_text(folder_ / "said");
      if (said.ends_with('\n')) ready_ = nlohmann::json::parse(said, nullptr, false);
    }
    EXPECT_TRUE(ready_.is_object()) << read_text(folder_ / "said");
  }
  ~RunningReplay() { ::kill(pid_, SIGTERM); }
  RunningReplay(const RunningReplay&) = delete;
  RunningReplay& operator=(const RunningReplay&) = delete;

  std::string url() const { return ready_.value("url", ""); }
  std::string pages() const { return ready_.value("pages", ""); }
  std::size_t count() const { return ready_.value("count", std::size_t{0}); }

 private:
  TemporaryFolder folder_;
  int pid_ = 0;
  nlohmann::json ready_;
};

}  // namespace bowerbird
