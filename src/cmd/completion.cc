// Shell completions, generated from the declared commands and options.
#include <fmt/format.h>

#include "cmd/app.h"
#include "cmd/help.h"

namespace bowerbird {

namespace {

struct OptionWords {
  std::string name;
  std::string about;
  std::vector<std::string> values;  // empty if it may be anything
};

struct Words {
  std::string path;                                           // "graph info"; empty for the root
  std::vector<std::pair<std::string, std::string>> commands;  // name, description
  std::vector<std::string> arguments;                         // possible values of a positional
  std::vector<OptionWords> options;
};

void collect(const CLI::App& app, const std::string& path, std::vector<Words>& all) {
  Words words;
  words.path = path;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) words.arguments = words_of(*option);
    for (const std::string& name : option->get_lnames())
      words.options.push_back({name, option->get_description(), words_of(*option)});
  }
  const auto subs = app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
  for (const CLI::App* sub : subs) words.commands.emplace_back(sub->get_name(), sub->get_description());
  all.push_back(std::move(words));
  for (const CLI::App* sub : subs)
    collect(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), all);
}

std::string path_word(const Words& words) {
  return words.path.empty() ? "" : " " + words.path;
}

// For single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash_script(const std::vector<Words>& all) {
  std::string out =
      "# bash completion for bowerbird\n_bowerbird() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= words= values= i\n"
      "  [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  [[ $cur == = ]] && cur=\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"$path ${COMP_WORDS[i]}\" in\n";
  for (const Words& words : all) {
    if (!words.path.empty()) {
      out += fmt::format("      {}) path={} ;;\n", shell_quoted(" " + words.path),
                         shell_quoted(" " + words.path));
    }
  }
  out += "    esac\n  done\n  case $path in\n";
  for (const Words& words : all) {
    std::string list;
    for (const auto& [name, about] : words.commands) list += name + " ";
    for (const std::string& word : words.arguments) list += word + " ";
    for (const OptionWords& option : words.options) list += "--" + option.name + " ";
    out += fmt::format("    {}) words={} ;;\n", shell_quoted(path_word(words)), shell_quoted(list));
  }
  out += "  esac\n  case \"$path $prev\" in\n";
  for (const Words& words : all) {
    for (const OptionWords& option : words.options) {
      if (option.values.empty()) continue;
      out += fmt::format("    {}) values={} ;;\n", shell_quoted(path_word(words) + " --" + option.name),
                         shell_quoted(fmt::format("{}", fmt::join(option.values, " "))));
    }
  }
  out +=
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"${values:-$words}\" -- \"$cur\"))\n"
      "  [[ -n $values || $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
      "}\ncomplete -o filenames -F _bowerbird bowerbird\n";
  return out;
}

std::string zsh_script(const std::vector<Words>& all) {
  std::string out =
      "#compdef bowerbird\n_bowerbird() {\n  local path= i\n  local -a list\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n    case \"$path ${words[i]}\" in\n";
  for (const Words& words : all) {
    if (!words.path.empty()) {
      out += fmt::format("      {}) path={} ;;\n", shell_quoted(" " + words.path),
                         shell_quoted(" " + words.path));
    }
  }
  out += "    esac\n  done\n  case $path in\n";
  // A colon separates word and description.
  const auto entry = [](const std::string& name, const std::string& about) {
    std::string safe;
    for (const char c : about) safe += c == ':' ? std::string("\\:") : std::string(1, c);
    return " " + shell_quoted(name + ":" + safe);
  };
  for (const Words& words : all) {
    out += fmt::format("    {}) list=(", shell_quoted(path_word(words)));
    for (const auto& [name, about] : words.commands) out += entry(name, about);
    for (const std::string& word : words.arguments) out += " " + shell_quoted(word);
    for (const OptionWords& option : words.options) out += entry("--" + option.name, option.about);
    out += " ) ;;\n";
  }
  out += "  esac\n  case \"$path ${words[CURRENT-1]}\" in\n";
  for (const Words& words : all) {
    for (const OptionWords& option : words.options) {
      if (option.values.empty()) continue;
      out += fmt::format("    {}) compadd {}; return ;;\n",
                         shell_quoted(path_word(words) + " --" + option.name), fmt::join(option.values, " "));
    }
  }
  out += "  esac\n  _describe bowerbird list\n  _files\n}\n_bowerbird \"$@\"\n";
  return out;
}

std::string fish_script(const std::vector<Words>& all) {
  std::string out =
      "# fish completion for bowerbird\n"
      "function __bowerbird_path\n  set -l path\n"
      "  for word in (commandline -opc)[2..-1]\n    string match -q -- '-*' $word; and continue\n"
      "    set path $path $word\n  end\n  string join ' ' $path\nend\n";
  for (const Words& words : all) {
    const auto depth = words.path.empty() ? 0 : 1 + std::count(words.path.begin(), words.path.end(), ' ');
    // Arguments may follow the words of a command: its path is a prefix of the line.
    const std::string test =
        words.commands.empty()
            ? fmt::format("string match -q -- {} (__bowerbird_path)", shell_quoted(words.path + "*"))
            : fmt::format("test (__bowerbird_path) = {}", shell_quoted(words.path));
    for (const auto& [name, about] : words.commands) {
      out += fmt::format("complete -c bowerbird -f -n {} -a {} -d {}\n",
                         shell_quoted(depth == 0 ? "test -z (__bowerbird_path)" : test), shell_quoted(name),
                         shell_quoted(about));
    }
    for (const std::string& word : words.arguments) {
      out += fmt::format("complete -c bowerbird -f -n {} -a {}\n", shell_quoted(test), shell_quoted(word));
    }
    for (const OptionWords& option : words.options) {
      if (depth == 0) continue;
      out += fmt::format("complete -c bowerbird -n {} -l {} -d {}", shell_quoted(test), option.name,
                         shell_quoted(option.about));
      if (!option.values.empty()) {
        out += " -x -a " + shell_quoted(fmt::format("{}", fmt::join(option.values, " ")));
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace

Result<std::string> completion_script(const CLI::App& root, std::string_view shell) {
  std::vector<Words> all;
  collect(root, "", all);
  if (shell == "bash") return bash_script(all);
  if (shell == "zsh") return zsh_script(all);
  if (shell == "fish") return fish_script(all);
  return error("unknown shell '{}'; choose from: bash, zsh, fish", shell);
}

}  // namespace bowerbird
