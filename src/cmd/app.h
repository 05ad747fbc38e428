// The frame of the command line: how a command is declared, how it fails, and what exit codes mean.
//
// Each command is a function add_X(App&) in a file of its own: it declares options on a CLI::App, with texts
// from which
// --help, the man page and the shell completions are all made (cmd/help.h), and the function to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// What the shell gets back; exit_status() in cmd/help.h says what each means. After an interrupt it is
// interrupt_code().
enum ExitCode : int { kExitOk = 0, kExitFailed = 1, kExitUsage = 2 };

// What a command says about itself.
struct CommandText {
  std::string_view summary;  // one line, no full stop
  // Paragraphs, separated by empty lines; a line that begins with two spaces is kept as it is, but for what
  // stands behind a further gap of two spaces: that is wrapped in its column.
  std::string_view about;
  std::string_view examples;  // "# what it does" lines, each followed by a command line
};

// The options every command has.
struct CommonOptions {
  bool quiet = false;  // no progress
  bool json = false;   // one line of JSON on stdout, where the command reports something
};

class App {
 public:
  // commit: of the sources, for --version; empty: not known.
  explicit App(const std::string& commit = "");

  CLI::App& root() { return root_; }
  // A group of commands, `bowerbird graph`.
  CLI::App& add_group(const std::string& name, const CommandText& text);
  // A command; `run` is called once its options are parsed. Its error becomes the message and exit code 1.
  CLI::App& add_command(CLI::App& parent, const std::string& name, const CommandText& text,
                        std::function<Status(const CommonOptions&)> run, bool reports = true);

  // The exit code. Output that could not be written is a failure too.
  int run(int argc, const char* const* argv);

 private:
  int parse_and_run(int argc, const char* const* argv);

  std::string version_;
  CLI::App root_;
  CommonOptions common_;
  std::function<Status(const CommonOptions&)> chosen_;
};

// Where the texts of an App are kept: set by App, read by help.
CommandText command_text(const CLI::App& app);

// For option->check(): the value is one of these words, or the error says which there are and which was
// meant.
CLI::Validator one_of(std::vector<std::string> words);

// The words that the value of an option must be one of; none where it may be anything.
std::vector<std::string> words_of(const CLI::Option& option);

// For option->check(): a count as people write it, "10k".
CLI::Validator is_count();

// For option->check(): a number from low to high.
CLI::Validator between(double low, double high);

// For option->check(): what `parse` says against the text.
template <typename Parse>
std::function<std::string(const std::string&)> parsed_by(Parse parse) {
  return [parse](const std::string& text) {
    const auto value = parse(text);
    return value.ok() ? std::string() : value.error().text;
  };
}

// Ends a command as a wrong option does, with exit code 2: for what shows only when all options are known.
[[noreturn]] void refuse(const std::string& text);
// Refuses an option that was given, but has no meaning for what was asked: `--zeta: only for BVGraphs`.
void refuse_options(const CLI::App& command, const std::vector<std::string>& names, std::string_view why);

// Says on stderr what the user should know though the command goes on.
void warn(std::string_view text);

// Prints one line of JSON; the text must be valid UTF-8 or is made so.
void print_json_line(const std::string& json);

}  // namespace bowerbird
