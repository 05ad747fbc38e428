#include "cmd/app.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <new>

#include "base/suggest.h"
#include "base/units.h"
#include "cmd/help.h"
#include "cmd/terminal.h"
#include "version.h"

namespace bowerbird {

namespace {

constexpr CommandText kRootText = {
    "a web crawler that fetches the most important pages first, and a lab for crawl orderings",
    "Every crawl has a budget, so the order of fetching matters. Bowerbird crawls the Web with the "
    "ordering of your choice: its own (lipr, the default) or one from several papers. It stores everything "
    "in WARC files. The lab runs orderings on a web graph or a finished crawl and compares them.",
    "# crawl a thousand pages of a site\nbowerbird crawl https://example.org/ --pages 1000 --contact "
    "you@example.org --out mycrawl\n# see a crawl, a resume, the lab and a report in a minute, without the "
    "Web\nbowerbird demo\n# compare orderings on the crawl\nbowerbird lab mycrawl\n"};

constexpr std::string_view kOneOf = "one of ";  // begins the names of validators

std::map<const CLI::App*, CommandText>& texts() {
  static std::map<const CLI::App*, CommandText> all;
  return all;
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// Whether a command with subcommands (`lab`, with `lab refresh`) also takes arguments.
bool takes_words(const CLI::App& app) {
  const auto options = app.get_options();
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->get_positional(); });
}

struct WrongWord {
  const CLI::App* where = nullptr;
  std::string text;
};

// CLI11 reports unexpected arguments only after everything else; this finds the first wrong word, with a
// suggestion.
WrongWord find_wrong_word(const CLI::App& root, const std::vector<std::string>& args) {
  const CLI::App* app = &root;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "--") break;
    if (arg.size() > 1 && arg[0] == '-') {
      const std::string name = arg.substr(0, arg.find('='));
      const CLI::Option* option = app->get_option_no_throw(name);
      if (option == nullptr) {
        const bool number = arg.find_first_not_of("-.0123456789") == std::string::npos;
        if (number || arg[1] != '-') continue;  // CLI11 itself reports clusters of short options
        return {app, fmt::format("unknown option '{}'{}", printable(name),
                                 did_you_mean(name, option_names(*app)))};
      }
      if (arg.find('=') == std::string::npos && option->get_items_expected_max() > 0) ++i;
    } else if (!app->get_subcommands([](const CLI::App*) { return true; }).empty()) {
      const CLI::App* next = nullptr;
      std::vector<std::string> names;
      for (const CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; })) {
        if (sub->get_name() == arg) next = sub;
        names.push_back(sub->get_name());
      }
      if (next == nullptr && !takes_words(*app)) {
        return {app, fmt::format("unknown command '{}'{}", printable(arg), did_you_mean(arg, names))};
      }
      if (next != nullptr) app = next;
    }
  }
  return {};
}

// Each line of a text is a separate message.
void complain(std::string_view text, std::string_view kind = "") {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    fmt::print(stderr, "{} {}{}\n", red("bowerbird:", colour_on_stderr()), kind,
               printable(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

int usage_error(const CLI::App& app, std::string_view text) {
  complain(text);
  std::fprintf(stderr, "Try '%s --help'.\n", path_of(app).c_str());
  return kExitUsage;
}

// "--as is required: wacz or jsonl"; empty unless an option of few values is missing.
std::string missing_option(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string> words = words_of(*option);
    if (!option->get_required() || option->count() > 0 || words.empty()) continue;
    return fmt::format("{} is required: {}", option->get_name(), fmt::join(words, ", "));
  }
  return "";
}

const CLI::App& deepest(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : deepest(*parsed.front());
}

}  // namespace

CommandText command_text(const CLI::App& app) {
  const auto found = texts().find(&app);
  return found == texts().end() ? CommandText{} : found->second;
}

App::App(const std::string& commit)
    : version_(fmt::format("bowerbird {}{}", BOWERBIRD_VERSION, commit.empty() ? "" : " (" + commit + ")")),
      root_(std::string(kRootText.summary), "bowerbird") {
  texts()[&root_] = kRootText;
  root_.require_subcommand(1);
  root_.set_help_flag("-h,--help", "Show this help");
  root_.set_help_all_flag("--help-all", "Show all options");
  root_.set_version_flag("--version", version_, "Show the version and the commit it was built from");
}

CLI::App& App::add_group(const std::string& name, const CommandText& text) {
  CLI::App* group = root_.add_subcommand(name, std::string(text.summary));
  group->require_subcommand(1);
  texts()[group] = text;
  return *group;
}

CLI::App& App::add_command(CLI::App& parent, const std::string& name, const CommandText& text,
                           std::function<Status(const CommonOptions&)> run, bool reports) {
  CLI::App* command = parent.add_subcommand(name, std::string(text.summary));
  texts()[command] = text;
  if (reports) command->add_flag("--json", common_.json, "Print JSON, one object per line");
  command->add_flag("-q,--quiet", common_.quiet, "Show no progress");
  command->final_callback([this, command, run = std::move(run)] {
    if (command->get_subcommands().empty()) chosen_ = run;
  });
  return *command;
}

int App::run(int argc, const char* const* argv) {
  int code = kExitFailed;
  try {
    code = parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("cannot write to standard output");
    return kExitFailed;
  }
  return code;
}

int App::parse_and_run(int argc, const char* const* argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (const WrongWord wrong = find_wrong_word(root_, args); wrong.where != nullptr) {
    return usage_error(*wrong.where, wrong.text);
  }
  try {
    root_.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    std::puts(version_.c_str());
    return kExitOk;
  } catch (const CLI::CallForHelp&) {
    std::fputs(help_text(deepest(root_), {terminal_width(), colour_on_stdout(), false}).c_str(), stdout);
    return kExitOk;
  } catch (const CLI::CallForAllHelp&) {
    std::fputs(help_text(deepest(root_), {terminal_width(), colour_on_stdout(), true}).c_str(), stdout);
    return kExitOk;
  } catch (const CLI::ParseError& e) {
    const CLI::App& where = deepest(root_);
    const bool lost =
        !where.get_subcommands([](const CLI::App*) { return true; }).empty() && !takes_words(where);
    if (lost && args.empty()) {
      std::fputs(help_text(root_, {terminal_width(), colour_on_stderr(), false}).c_str(), stderr);
      return kExitUsage;
    }
    if (const std::string missing = missing_option(where); !missing.empty() && !lost)
      return usage_error(where, missing);
    return usage_error(where, lost ? "which command? " + command_list(where) : std::string(e.what()));
  }
  CHECK(chosen_);
  try {
    const Status status = chosen_(common_);
    if (status.ok()) return kExitOk;
    if (!status.error().text.empty()) complain(status.error().text);
  } catch (const CLI::ValidationError& e) {
    return usage_error(deepest(root_), e.what());
  }
  return interrupted() ? interrupt_code() : kExitFailed;
}

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string name = fmt::format("{}{}", kOneOf, fmt::join(words, " "));
  return CLI::Validator(
      [words = std::move(words)](std::string& value) {
        if (std::find(words.begin(), words.end(), value) != words.end()) return std::string();
        return fmt::format("'{}' is not {}{}{}", printable(value), words.size() > 1 ? "one of " : "",
                           fmt::join(words, ", "), did_you_mean(value, words));
      },
      "", name);
}

std::vector<std::string> words_of(const CLI::Option& option) {
  try {
    // Not const in CLI11, though nothing is changed.
    const std::string name = const_cast<CLI::Option&>(option).get_validator(0)->get_name();
    if (name.starts_with(kOneOf)) return CLI::detail::split(name.substr(kOneOf.size()), ' ');
  } catch (const CLI::OptionNotFound&) {  // it has no validator
  }
  return {};
}

CLI::Validator is_count() {
  return CLI::Validator(
      [](std::string& value) {
        const auto count = parse_count(value);
        return count.ok() ? std::string() : count.error().text;
      },
      "");
}

CLI::Validator between(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& value) {
        const auto number = parse_number(value);
        if (!number.ok()) return number.error().text;
        if (*number >= low && *number <= high) return std::string();
        return fmt::format("{} is out of range: it must be between {} and {}", value, low, high);
      },
      "");
}

void refuse(const std::string& text) {
  throw CLI::ValidationError(text);
}

void refuse_options(const CLI::App& command, const std::vector<std::string>& names, std::string_view why) {
  for (const std::string& name : names) {
    if (command.get_option(name)->count() > 0) refuse(fmt::format("{}: {}", name, why));
  }
}

void warn(std::string_view text) {
  complain(text, "warning: ");
}

void print_json_line(const std::string& json) {
  std::fputs(json.c_str(), stdout);
  std::fputc('\n', stdout);
}

}  // namespace bowerbird
