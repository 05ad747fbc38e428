// Runs the real bowerbird program for tests that cross folders: output captured, killable at any instant.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace bowerbird {

struct Finished {
  int code = 0;  // exit code, or 128 + signal
  std::string out;
  std::string err;
};

// Runs it to its end.
Finished run_bowerbird(const std::vector<std::string>& args, const std::string& input = "");

// Starts it, sends SIGKILL after `delay` unless it has ended, and waits. True if it was killed.
bool run_and_kill(const std::vector<std::string>& args, std::chrono::microseconds delay);

// Starts it, sends SIGINT (Ctrl-C) after `delay` unless it has ended, and waits.
Finished run_and_interrupt(const std::vector<std::string>& args, std::chrono::microseconds delay);

// A folder of its own that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace bowerbird
