#include "sys/sandbox.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "sys/sandbox_filter.h"

namespace bowerbird {

namespace {

constexpr int kNotStarted = 125;  // exit status of a child that could not start the program
constexpr rlim_t kOpenFiles = 64;
static_assert(kExecFd >= static_cast<int>(kOpenFiles));

class OwnedFd {
 public:
  explicit OwnedFd(int fd = -1) : fd_(fd) {}
  ~OwnedFd() { reset(); }
  OwnedFd(const OwnedFd&) = delete;
  OwnedFd& operator=(const OwnedFd&) = delete;
  int get() const { return fd_; }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return ::lseek(fd, 0, SEEK_SET) == 0;
}

// Everything that the child needs, made before fork(): after it only system calls are safe.
struct Start {
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<sock_filter> filter;
  SandboxLimits limits;
  int program = -1;
  int input = -1;
  int output = -1;
  int nowhere = -1;
};

bool limit(int what, rlim_t value) {
  const rlimit both{value, value};
  return ::setrlimit(static_cast<__rlimit_resource_t>(what), &both) == 0;
}

bool close_others() {
  return ::syscall(SYS_close_range, 3, kExecFd - 1, 0) == 0 &&
         ::syscall(SYS_close_range, kExecFd + 1, ~0U, 0) == 0;
}

[[noreturn]] void run_child(const Start& start) {
  const sock_fprog program{static_cast<unsigned short>(start.filter.size()),
                           const_cast<sock_filter*>(start.filter.data())};
  // The descriptors are copied above kExecFd first, so that none overwrites another.
  const int input = ::fcntl(start.input, F_DUPFD, kExecFd + 1);
  const int output = ::fcntl(start.output, F_DUPFD, kExecFd + 1);
  const int nowhere = ::fcntl(start.nowhere, F_DUPFD, kExecFd + 1);
  const int executable = ::fcntl(start.program, F_DUPFD, kExecFd + 1);
  const bool ready =
      input >= 0 && output >= 0 && nowhere >= 0 && executable >= 0 && ::dup2(input, STDIN_FILENO) >= 0 &&
      ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(nowhere, STDERR_FILENO) >= 0 &&
      ::dup3(executable, kExecFd, O_CLOEXEC) >= 0 && close_others() &&
      limit(RLIMIT_AS, start.limits.memory) && limit(RLIMIT_CPU, start.limits.cpu_seconds) &&
      limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, kOpenFiles) &&
      ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  if (ready) ::syscall(SYS_execveat, kExecFd, "", start.argv.data(), start.environment.data(), AT_EMPTY_PATH);
  ::_exit(kNotStarted);
}

enum class Reading { kWhole, kTooMuch, kTooLong, kFailed };

// What comes out of the pipe until its end.
Reading read_output(int fd, const SandboxLimits& limits, std::string& output) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(limits.wall_seconds);
  char buffer[1 << 16];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd one{fd, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&one, 1, static_cast<int>(std::min<long>(left, 60'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return Reading::kFailed;
    if (ready == 0 && Clock::now() >= end) return Reading::kTooLong;
    if (ready == 0) continue;
    const ssize_t size = ::read(fd, buffer, sizeof buffer);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return Reading::kFailed;
    if (size == 0) return Reading::kWhole;
    if (output.size() + static_cast<std::size_t>(size) > limits.output) return Reading::kTooMuch;
    output.append(buffer, static_cast<std::size_t>(size));
  }
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Status judge(const std::string& program, Reading reading, int status, const SandboxLimits& limits) {
  if (reading == Reading::kTooMuch) return error("{}: it printed more than {} bytes", program, limits.output);
  if (reading == Reading::kTooLong) return error("{}: it took more than {} s", program, limits.wall_seconds);
  if (reading == Reading::kFailed) return error("{}: its output cannot be read", program);
  if (WIFSIGNALED(status)) return error("{}: it was killed by signal {}", program, WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  if (code == kNotStarted) return error("{}: it cannot be started with limits and a seccomp filter", program);
  if (code != 0) return error("{}: it exited with status {}", program, code);
  return {};
}

}  // namespace

bool can_sandbox() {
  return !sandbox_filter().empty() && ::prctl(PR_GET_SECCOMP) >= 0;
}

std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
  while (!folders.empty()) {
    const std::size_t size = std::min(folders.find(':'), folders.size());
    const std::string file = std::string(folders.substr(0, size)) + "/" + name;
    if (size > 0 && ::access(file.c_str(), X_OK) == 0) return file;
    folders.remove_prefix(std::min(size + 1, folders.size()));
  }
  return {};
}

Result<std::string> run_sandboxed(const std::string& program, const std::vector<std::string>& arguments,
                                  std::string_view input, const SandboxLimits& limits) {
  Start start;
  start.limits = limits;
  start.filter = sandbox_filter();
  if (start.filter.empty()) return error("{}: this processor has no sandbox", program);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), program);
  for (std::string& word : words) start.argv.push_back(word.data());
  start.argv.push_back(nullptr);
  std::string locale = "LC_ALL=C.UTF-8";
  start.environment = {locale.data(), nullptr};

  const OwnedFd file(::open(program.c_str(), O_RDONLY | O_CLOEXEC));
  const OwnedFd nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const OwnedFd memory(::memfd_create("input", MFD_CLOEXEC));
  int ends[2] = {-1, -1};
  if (file.get() < 0) return error("{}: {}", program, std::strerror(errno));
  if (nowhere.get() < 0 || memory.get() < 0 || !write_all(memory.get(), input) ||
      ::pipe2(ends, O_CLOEXEC) != 0)
    return error("{}: cannot prepare its input: {}", program, std::strerror(errno));
  const OwnedFd from_child(ends[0]);
  OwnedFd to_parent(ends[1]);
  start.program = file.get();
  start.nowhere = nowhere.get();
  start.input = memory.get();
  start.output = to_parent.get();

  const pid_t pid = ::fork();
  if (pid < 0) return error("{}: cannot start a process: {}", program, std::strerror(errno));
  if (pid == 0) run_child(start);
  to_parent.reset();
  std::string output;
  const Reading reading = read_output(from_child.get(), limits, output);
  if (reading != Reading::kWhole) ::kill(pid, SIGKILL);
  const Status judged = judge(program, reading, wait_for(pid), limits);
  if (!judged.ok()) return judged.error();
  return output;
}

}  // namespace bowerbird
