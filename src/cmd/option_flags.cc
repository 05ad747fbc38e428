#include "cmd/option_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cmd/help.h"

namespace bowerbird {

void OptionFlags::add(CLI::App& app, const OptionColumns& row, const std::vector<std::string>& words,
                      const std::string& default_text) {
  const auto [found, fresh] = flags_.try_emplace(std::string(row.name));
  CHECK(fresh);
  Flag& flag = found->second;
  std::string help(row.help);
  if (row.is_switch()) {
    if (default_text == "true") help += ". On by default";
    // CLI11 would take a non-const string for the variable that the flag sets.
    flag.option = app.add_flag(fmt::format("--{0},!--no-{0}", row.name), std::as_const(help));
  } else {
    const std::string letter = row.letter == 0 ? "" : fmt::format("-{},", row.letter);
    flag.option = app.add_option(fmt::format("{}--{}", letter, row.name), flag.values, help);
    flag.option->type_name(std::string(row.unit))->allow_extra_args(false)->default_str(default_text);
    if (!row.is(kMany)) flag.option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    if (!words.empty()) flag.option->check(one_of(words));
  }
  set_group(*flag.option, row.group, row.is(kCommon));
}

bool OptionFlags::is_given(std::string_view name) const {
  const auto found = flags_.find(name);
  return found != flags_.end() && found->second.option->count() > 0;
}

std::vector<std::string> OptionFlags::values(std::string_view name) const {
  const Flag& flag = flags_.find(name)->second;
  if (flag.option->get_items_expected_max() > 0) return flag.values;
  return {flag.option->as<bool>() ? "true" : "false"};
}

}  // namespace bowerbird
