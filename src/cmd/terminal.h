// The terminal: colours, a progress line, and Ctrl-C.
//
// stdout is for results, stderr for everything else. Colours and moving lines are only used on a terminal
// (and never with NO_COLOR set); elsewhere long work prints a plain line every ten seconds.
#pragma once

#include <chrono>
#include <csignal>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

bool stdout_is_terminal();
bool stderr_is_terminal();
int terminal_width();  // columns of the terminal, 80 if there is none
struct TerminalSize {
  int columns = 80;
  int rows = 24;
};
// As it is now: it changes when the window is resized.
TerminalSize terminal_size();
// TERM=dumb: no moving cursor.
bool dumb_terminal();

// A text as one word of a shell command, in quotes if need be.
std::string shell_word(std::string_view text);

// The text in bold or colour if `on`, else unchanged.
std::string bold(std::string_view text, bool on);
std::string green(std::string_view text, bool on);
std::string red(std::string_view text, bool on);
bool colour_on_stdout();
bool colour_on_stderr();

// Breaks every line that is wider than `width`, at a blank if there is one; the rest is indented by four.
// Colours take no room.
std::string wrap_lines(std::string_view text, std::size_t width);

// Text from outside, made safe to print: control characters and bytes that are not UTF-8 become \xNN.
std::string printable(std::string_view text);

// The signal of a stop command: like Ctrl-C, but the process ends with 0.
inline constexpr int kStopSignal = SIGUSR1;
// From here on Ctrl-C (SIGINT), SIGTERM and kStopSignal set a flag; a second one ends the process at once.
void catch_interrupts();
bool interrupted();
int interrupt_code();  // the exit code after it: 130 for Ctrl-C, 143 for SIGTERM, 0 for kStopSignal
// For a command that ended normally because of it: only the exit code shows it.
inline Error ended_by_hand() {
  return Error{};
}

// A line on stderr that is rewritten in place: "reading X  45 %  12 s left". Removed when the object dies.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // For library code: draws, and stops the work after Ctrl-C.
  Progress progress();
  // Draws `text` if the last drawing is old enough.
  void show(std::string_view text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool tick(std::string_view what, std::uint64_t done, std::uint64_t total);

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string work_;  // first word of the current work: the time left is measured from its beginning
  Clock::time_point work_started_;
  Clock::time_point last_drawn_;
};

}  // namespace bowerbird
