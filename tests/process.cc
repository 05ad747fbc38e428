#include "process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/check.h"

extern char** environ;

namespace bowerbird {

namespace {

struct Child {
  pid_t pid = 0;
  int out = -1;
  int err = -1;
};

// Standard input is read from the file `input`.
Child start(const std::vector<std::string>& args, const std::string& input, const std::string& folder = ".",
            const char* program = BOWERBIRD_BINARY) {
  int out[2];
  int err[2];
  CHECK(::pipe2(out, O_CLOEXEC) == 0 && ::pipe2(err, O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  std::vector<char*> argv = {const_cast<char*>(program)};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  Child child;
  CHECK(::posix_spawn(&child.pid, program, &actions, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  child.out = out[0];
  child.err = err[0];
  return child;
}

void drain(const Child& child, Finished& finished) {
  pollfd fds[2] = {{child.out, POLLIN, 0}, {child.err, POLLIN, 0}};
  std::string* texts[2] = {&finished.out, &finished.err};
  int open = 2;
  while (open > 0) {
    CHECK(::poll(fds, 2, -1) > 0);
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t n = ::read(fds[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
      } else {
        ::close(fds[i].fd);
        fds[i].fd = -1;
        --open;
      }
    }
  }
}

int wait_for(pid_t pid) {
  int status = 0;
  CHECK(::waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

namespace {

Finished finish(const Child& child) {
  Finished finished;
  drain(child, finished);
  finished.code = wait_for(child.pid);
  return finished;
}

}  // namespace

Finished run_bowerbird(const std::vector<std::string>& args, const std::string& input,
                       const std::string& folder) {
  TemporaryFolder scratch;
  if (!input.empty()) write_text(scratch / "input", input);
  return finish(start(args, input.empty() ? "/dev/null" : scratch / "input", folder));
}

Finished run_with_small_files(const std::vector<std::string>& args, unsigned kib) {
  std::vector<std::string> words = {
      "-c", "trap '' XFSZ; ulimit -f " + std::to_string(2 * kib) + "; exec \"$0\" \"$@\"", BOWERBIRD_BINARY};
  words.insert(words.end(), args.begin(), args.end());
  return finish(start(words, "/dev/null", ".", "/bin/sh"));
}

namespace {

Finished run_and_signal(const std::vector<std::string>& args, std::chrono::microseconds delay, int signal) {
  const Child child = start(args, "/dev/null");
  std::thread sender([&] {
    std::this_thread::sleep_for(delay);
    ::kill(child.pid, signal);
  });
  Finished finished;
  drain(child, finished);
  // The child stays a zombie until waited for, so a late signal cannot hit another process.
  sender.join();
  finished.code = wait_for(child.pid);
  return finished;
}

}  // namespace

bool run_and_kill(const std::vector<std::string>& args, std::chrono::microseconds delay) {
  return run_and_signal(args, delay, SIGKILL).code == 128 + SIGKILL;
}

Finished run_and_interrupt(const std::vector<std::string>& args, std::chrono::microseconds delay) {
  return run_and_signal(args, delay, SIGINT);
}

nlohmann::json json_of(const Finished& finished) {
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(std::count(finished.out.begin(), finished.out.end(), '\n'), 1) << finished.out;
  auto json = nlohmann::json::parse(finished.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << finished.out;
  return json;
}

ShellResult run_shell(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, ""};
  std::string text;
  char piece[4096];
  for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, pipe)) > 0;) text.append(piece, n);
  return {::pclose(pipe), std::move(text)};
}

std::string shell_output(const std::string& command) {
  return run_shell(command).text;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace bowerbird
