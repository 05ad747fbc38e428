// The frame of the command line: how a command is declared, how it fails, and its exit codes.
//
// Each command is a function add_X(App&) in its own file: it declares options on a CLI::App, with texts that
// --help, the man page and the shell completions use (cmd/help.h), and the function to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Exit codes; exit_status() in cmd/help.h describes them. After an interrupt it is interrupt_code().
enum ExitCode : int { kExitOk = 0, kExitFailed = 1, kExitUsage = 2 };

// The description of a command.
struct CommandText {
  std::string_view summary;  // one line, no full stop
  // Paragraphs, separated by empty lines; a line that begins with two spaces is not wrapped, except for the
  // text after a further gap of two spaces, which is wrapped in its column.
  std::string_view about;
  std::string_view examples;  // "# what it does" lines, each followed by a command line
};

// The options every command has.
struct CommonOptions {
  bool quiet = false;  // no progress
  bool json = false;   // one line of JSON on stdout, if the command reports something
};

class App {
 public:
  // commit: of the sources, for --version; empty: unknown.
  explicit App(const std::string& commit = "");

  CLI::App& root() { return root_; }
  // A group of commands, `bowerbird graph`.
  CLI::App& add_group(const std::string& name, const CommandText& text);
  // A command; `run` is called once its options are parsed. Its error becomes the message, with exit code 1.
  CLI::App& add_command(CLI::App& parent, const std::string& name, const CommandText& text,
                        std::function<Status(const CommonOptions&)> run, bool reports = true);

  // Returns the exit code. A failure to write the output is a failure too.
  int run(int argc, const char* const* argv);

 private:
  int parse_and_run(int argc, const char* const* argv);

  std::string version_;
  CLI::App root_;
  CommonOptions common_;
  std::function<Status(const CommonOptions&)> chosen_;
};

// The text of a command: set by App, read by help.
CommandText command_text(const CLI::App& app);

// For option->check(): the value is one of these words; the error lists them and suggests the closest.
CLI::Validator one_of(std::vector<std::string> words);

// The words that the value of an option must be one of; none if it may be anything.
std::vector<std::string> words_of(const CLI::Option& option);

// For option->check(): a count with an optional unit, "10k".
CLI::Validator is_count();

// For option->check(): a number from low to high.
CLI::Validator between(double low, double high);

// For option->check(): the error of `parse`.
template <typename Parse>
std::function<std::string(const std::string&)> parsed_by(Parse parse) {
  return [parse](const std::string& text) {
    const auto value = parse(text);
    return value.ok() ? std::string() : value.error().text;
  };
}

// Ends a command like a wrong option, with exit code 2: for checks that need all options.
[[noreturn]] void refuse(const std::string& text);
// Refuses a given option that has no meaning here: `--zeta: only for BVGraphs`.
void refuse_options(const CLI::App& command, const std::vector<std::string>& names, std::string_view why);

// Prints a warning on stderr; the command continues.
void warn(std::string_view text);

// Prints one line of JSON; invalid UTF-8 is replaced.
void print_json_line(const std::string& json);

}  // namespace bowerbird
