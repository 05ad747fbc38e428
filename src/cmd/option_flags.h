// Rows of an option table (base/option_row.h) as flags of a command.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_row.h"
#include "cmd/app.h"

namespace bowerbird {

// The flags that were declared on a command, and their values on the command line. Its address must not
// change after the first add().
class OptionFlags {
 public:
  template <typename Options>
  void add(CLI::App& app, const OptionRow<Options>& row) {
    add(app, row, row.field.words, row.default_text());
  }
  // For a command with another default than a new crawl.
  template <typename Options>
  void add(CLI::App& app, const OptionRow<Options>& row, const std::string& default_text) {
    add(app, row, row.field.words, default_text);
  }

  bool is_given(std::string_view name) const;
  // As given; true or false for a switch.
  std::vector<std::string> values(std::string_view name) const;

  // Sets the options that were given; wrong values are usage errors, all at once.
  template <typename Options>
  void apply(std::span<const OptionRow<Options>> table, Options& options) const {
    std::vector<std::string> errors;
    for (const OptionRow<Options>& row : table) {
      if (!is_given(row.name)) continue;
      const Status set = row.set(options, values(row.name));
      if (!set.ok()) errors.push_back(fmt::format("--{}: {}", row.name, set.error().text));
    }
    if (!errors.empty()) refuse(fmt::format("{}", fmt::join(errors, "\n")));
  }

 private:
  struct Flag {
    CLI::Option* option = nullptr;
    std::vector<std::string> values;
  };
  void add(CLI::App& app, const OptionColumns& row, const std::vector<std::string>& words,
           const std::string& default_text);

  std::map<std::string, Flag, std::less<>> flags_;
};

}  // namespace bowerbird
