// Runs the real bowerbird program for tests that cross folders: captures its output, and can kill it at any
// time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {

struct Finished {
  int code = 0;  // exit code, or 128 + signal
  std::string out;
  std::string err;
};

// Runs it to the end, in `folder`.
Finished run_bowerbird(const std::vector<std::string>& args, const std::string& input = "",
                       const std::string& folder = ".");

// Runs it to the end with a limit on the size of files: writing beyond it fails, as on a full disk.
Finished run_with_small_files(const std::vector<std::string>& args, unsigned kib);

// Starts it, sends SIGKILL after `delay` unless it has ended, and waits. True if it was killed.
bool run_and_kill(const std::vector<std::string>& args, std::chrono::microseconds delay);

// Starts it, sends SIGINT (Ctrl-C) after `delay` unless it has ended, and waits.
Finished run_and_interrupt(const std::vector<std::string>& args, std::chrono::microseconds delay);

// The --json output of a successful command: one line.
nlohmann::json json_of(const Finished& finished);

// The standard output of a shell command, and its exit status (as from waitpid).
struct ShellResult {
  int code = 0;
  std::string text;
};
ShellResult run_shell(const std::string& command);
// Only the output, whatever the exit code.
std::string shell_output(const std::string& command);

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace bowerbird
