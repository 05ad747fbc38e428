// `bowerbird completion SHELL` and `bowerbird man`: the texts that packages install.
#include <cstdio>
#include <memory>

#include "cmd/commands.h"
#include "cmd/help.h"

namespace bowerbird {

void add_completion(App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command = app.add_command(
      app.root(), "completion",
      {"print a completion script for a shell", "Prints a script that completes commands and options.",
       "# for bash, in this session\nsource <(bowerbird completion bash)\n"
       "# for fish, permanently\nbowerbird completion fish > ~/.config/fish/completions/bowerbird.fish\n"},
      [&app, shell](const CommonOptions&) -> Status {
        BB_TRY(const std::string script, completion_script(app.root(), *shell));
        std::fputs(script.c_str(), stdout);
        return {};
      },
      /*reports=*/false);
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
}

void add_man(App& app) {
  auto options = std::make_shared<bool>(false);
  CLI::App& command = app.add_command(
      app.root(), "man",
      {"print the manual page", "Prints the manual page in roff, with the same text as --help-all.",
       "# read it\nbowerbird man | man -l -\n"
       "# the table of all options, in Markdown\nbowerbird man --options > docs/options.md\n"},
      [&app, options](const CommonOptions&) -> Status {
        std::fputs((*options ? options_page() : man_page(app.root())).c_str(), stdout);
        return {};
      },
      /*reports=*/false);
  command.add_flag("--options", *options, "Print docs/options.md instead: all options of crawl and lab");
}

}  // namespace bowerbird
