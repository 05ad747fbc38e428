#include "sys/sandbox_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace bowerbird {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

// Calls that only use memory, time and files that are open already, or look at names of files.
constexpr long kHarmless[] = {
    SYS_read,           SYS_readv,        SYS_pread64,       SYS_write,           SYS_writev,
    SYS_close,          SYS_lseek,        SYS_fstat,         SYS_newfstatat,      SYS_statx,
    SYS_readlinkat,     SYS_faccessat,    SYS_faccessat2,    SYS_getcwd,          SYS_getdents64,
    SYS_fcntl,          SYS_fadvise64,    SYS_mmap,          SYS_mprotect,        SYS_munmap,
    SYS_mremap,         SYS_madvise,      SYS_brk,           SYS_futex,           SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,   SYS_set_tid_address, SYS_set_robust_list,
    SYS_rseq,           SYS_getrandom,    SYS_clock_gettime, SYS_clock_getres,    SYS_clock_nanosleep,
    SYS_gettimeofday,   SYS_getpid,       SYS_gettid,        SYS_getuid,          SYS_geteuid,
    SYS_getgid,         SYS_getegid,      SYS_uname,         SYS_sysinfo,         SYS_sched_getaffinity,
    SYS_sched_yield,    SYS_exit,         SYS_exit_group,
#if defined(__x86_64__)
    SYS_stat,           SYS_lstat,        SYS_access,        SYS_readlink,        SYS_time,
    SYS_arch_prctl,
#endif
};

sock_filter statement(unsigned code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}
sock_filter jump(unsigned code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
  return {static_cast<std::uint16_t>(code), if_true, if_false, value};
}
// The lower half of an argument; both processors are little-endian.
std::uint32_t argument_at(unsigned i) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * i);
}

constexpr std::uint32_t kDeny = SECCOMP_RET_ERRNO | EPERM;

class FilterBuilder {
 public:
  FilterBuilder() {
    load(offsetof(seccomp_data, arch));
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
    add(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    load(offsetof(seccomp_data, nr));
  }

  void allow(long call) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  // If the bits of an argument that `mask` names have this value.
  void allow_if(long call, unsigned argument, std::uint32_t mask, std::uint32_t value) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 5));
    load(argument_at(argument));
    add(statement(BPF_ALU | BPF_AND | BPF_K, mask));
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    add(statement(BPF_RET | BPF_K, kDeny));
  }
  // If an argument is a null pointer.
  void allow_if_null(long call, unsigned argument) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 6));
    load(argument_at(argument));
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
    load(argument_at(argument) + 4);
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
    add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    add(statement(BPF_RET | BPF_K, kDeny));
  }
  std::vector<sock_filter> finish() {
    add(statement(BPF_RET | BPF_K, kDeny));
    return std::move(filter_);
  }

 private:
  void add(const sock_filter& one) { filter_.push_back(one); }
  void load(std::size_t at) { add(statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at))); }

  std::vector<sock_filter> filter_;
};

}  // namespace

std::vector<sock_filter> sandbox_filter() {
  if (kArchitecture == 0) return {};
  constexpr std::uint32_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
  FilterBuilder filter;
  for (const long call : kHarmless) filter.allow(call);
  filter.allow_if(SYS_openat, 2, kWriting, O_RDONLY);
#if defined(__x86_64__)
  filter.allow_if(SYS_open, 1, kWriting, O_RDONLY);
#endif
  filter.allow_if(SYS_execveat, 0, ~std::uint32_t{0}, kExecFd);
  filter.allow_if_null(SYS_prlimit64, 2);
  return filter.finish();
}

}  // namespace bowerbird
