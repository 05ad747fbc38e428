// One source for what people read about a command: --help, the man page and the shell completions are all
// made from the options declared on the CLI::App and its CommandText.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// What an exit code means; in every --help, the man page and docs/crawling.md.
struct ExitStatus {
  std::string_view code;
  std::string_view meaning;
};
std::span<const ExitStatus> exit_status();

// The text of --help, wrapped to `width` columns.
std::string help_text(const CLI::App& app, int width, bool colour);
// "info, convert, generate or rank"
std::string command_list(const CLI::App& app);
// One man page in roff for all commands.
std::string man_page(const CLI::App& root);
// A completion script; shell is bash, zsh or fish.
Result<std::string> completion_script(const CLI::App& root, std::string_view shell);

}  // namespace bowerbird
