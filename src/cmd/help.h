// The source of all texts about a command: --help, the man page and the shell completions are generated from
// the options declared on the CLI::App and its CommandText.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// The meaning of an exit code; in every --help, the man page and docs/crawling.md.
struct ExitStatus {
  std::string_view code;
  std::string_view meaning;
  std::string_view without_crawl;  // the meaning for a command that crawls nothing
};
std::span<const ExitStatus> exit_status();

// The heading under which the option is shown; options that are not common are only shown by --help-all.
void set_group(CLI::Option& option, std::string_view group, bool is_common);

struct HelpOptions {
  int width = 80;
  bool colour = false;
  bool all = false;  // including the options that are not common
};
std::string help_text(const CLI::App& app, const HelpOptions& how);
// "info, convert, generate or rank"
std::string command_list(const CLI::App& app);
// One man page in roff for all commands.
std::string man_page(const CLI::App& root);
// docs/options.md: the options of `crawl` and `lab`, from their tables.
std::string options_page();
// A completion script; shell is bash, zsh or fish.
Result<std::string> completion_script(const CLI::App& root, std::string_view shell);

}  // namespace bowerbird
