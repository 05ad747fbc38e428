#include "cmd/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/utf8.h"

namespace bowerbird {

namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

// `timeout` and shells signal a process and its group: a second signal right after the first does not count.
constexpr long long kSameInterruptNs = 250'000'000;
volatile long long interrupt_ns = 0;

int exit_code(int signal) {
  return signal == kStopSignal ? 0 : 128 + signal;
}

void on_interrupt(int signal) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const long long ns = static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  if (interrupt_seen != 0) {
    if (ns - interrupt_ns > kSameInterruptNs) _exit(exit_code(signal));
    return;
  }
  interrupt_ns = ns;
  interrupt_seen = signal;
}

std::string styled(std::string_view text, const char* code, bool on) {
  return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool colour_allowed() {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == 0) && !dumb_terminal();
}

std::string time_left(double seconds) {
  const long s = std::lround(seconds);
  if (s < 90) return fmt::format("{} s left", s);
  if (s < 5400) return fmt::format("{} min left", (s + 30) / 60);
  return fmt::format("{} h {} min left", s / 3600, s % 3600 / 60);
}

}  // namespace

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

bool stderr_is_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

bool dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

TerminalSize terminal_size() {
  winsize size{};
  for (const int fd : {STDERR_FILENO, STDOUT_FILENO}) {
    if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
      return {size.ws_col, size.ws_row > 1 ? size.ws_row : TerminalSize().rows};
  }
  return {};
}

int terminal_width() {
  return terminal_size().columns;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string bold(std::string_view text, bool on) {
  return styled(text, "1", on);
}

std::string green(std::string_view text, bool on) {
  return styled(text, "32", on);
}

std::string red(std::string_view text, bool on) {
  return styled(text, "31", on);
}

bool colour_on_stdout() {
  return stdout_is_terminal() && colour_allowed();
}

bool colour_on_stderr() {
  return stderr_is_terminal() && colour_allowed();
}

std::string wrap_lines(std::string_view text, std::size_t width) {
  constexpr std::string_view kBreak = "\n    ";
  std::string out;
  std::size_t column = 0, blank = 0, after_blank = 0;  // blank: where the last one of this line is in out
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      const std::size_t end = std::min(text.find('m', i), text.size() - 1);
      out.append(text, i, end + 1 - i);
      i = end;
      continue;
    }
    if (text[i] == '\n') {
      out += '\n';
      column = blank = 0;
      continue;
    }
    const bool is_start = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;  // of a character
    if (text[i] == ' ' && column > kBreak.size()) {
      blank = out.size();
      after_blank = column + 1;
    }
    out += text[i];
    if (is_start) ++column;
    if (column <= width) continue;
    const std::size_t at = blank > 0 ? blank : out.size() - 1;
    out.replace(at, blank > 0 ? 1 : 0, kBreak);
    column = kBreak.size() - 1 + (blank > 0 ? column - after_blank : 1);
    blank = 0;
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    // U+0080 to U+009F are control characters too; in UTF-8 they are C2 80 to C2 9F.
    const bool second_control = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    // U+202A to U+202E and U+2066 to U+2069 turn the direction of what follows.
    const auto third = i + 2 < text.size() ? static_cast<unsigned char>(text[i + 2]) : 0;
    const bool turns = byte == 0xe2 && ((next == 0x80 && third >= 0xaa && third <= 0xae) ||
                                        (next == 0x81 && third >= 0xa6 && third <= 0xa9));
    if (turns) {
      safe += fmt::format("\\u{:04x}", 0x2000 + (next - 0x80) * 64 + (third - 0x80));
      i += 2;
    } else if (byte < 0x20 || byte == 0x7f) {
      safe += fmt::format("\\x{:02x}", byte);
    } else if (second_control) {
      safe += fmt::format("\\x{:02x}", next);
      ++i;
    } else if (byte < 0x80) {
      safe.push_back(text[i]);
    } else {
      const Utf8Step step = decode_utf8(text.substr(i));
      for (std::size_t k = 0; k < step.size; ++k, ++i) {
        if (step.valid) {
          safe.push_back(text[i]);
        } else {
          safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
        }
      }
      --i;
    }
  }
  return safe;
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (const int signal : {SIGINT, SIGTERM, kStopSignal}) ::sigaction(signal, &action, nullptr);
}

bool interrupted() {
  return interrupt_seen != 0;
}

int interrupt_code() {
  return exit_code(interrupt_seen);
}

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet),
      terminal_(stderr_is_terminal() && !dumb_terminal()),
      work_started_(Clock::now()),
      last_drawn_(Clock::now()) {}

ProgressLine::~ProgressLine() {
  clear();
}

Progress ProgressLine::progress() {
  return Progress([this](std::string_view what, std::uint64_t done, std::uint64_t total) {
    return tick(what, done, total);
  });
}

bool ProgressLine::tick(std::string_view what, std::uint64_t done, std::uint64_t total) {
  const std::string_view work = what.substr(0, what.find(' '));
  if (work != work_) {
    work_ = work;
    work_started_ = Clock::now();
  }
  std::string text(what);
  if (total > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    text += fmt::format("  {:.0f} %", 100 * share);
    const double spent = std::chrono::duration<double>(Clock::now() - work_started_).count();
    if (share > 0.02 && spent > 2) text += "  " + time_left(spent / share * (1 - share));
  } else if (done > 0) {
    text += fmt::format("  {}", done);
  }
  show(text);
  return !interrupted();
}

void ProgressLine::show(std::string_view text) {
  if (quiet_) return;
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (now - last_drawn_ < pause) return;
  last_drawn_ = now;
  if (terminal_) {
    const auto width = static_cast<std::size_t>(terminal_width() - 1);
    std::fprintf(stderr, "\r\x1b[K%s", std::string(text.substr(0, width)).c_str());
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", std::string(text).c_str());
  }
}

void ProgressLine::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace bowerbird
