#include "cmd/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmd/app.h"
#include "cmd/terminal.h"

namespace bowerbird {

namespace {

constexpr ExitStatus kExitStatus[] = {
    {"0",
     "Success. A crawl ended because it was complete, reached a budget or received a stop command, and it "
     "has fetched at least one page. Failed seeds are named.",
     "Success."},
    {"1",
     "Failure: an operation failed (unreadable file, full disk), or the crawl has never fetched a page. The "
     "reason is on standard error.",
     "Failure: an operation failed (unreadable file, full disk). The reason is on standard error."},
    {"2",
     "Usage error: an invalid command, option, URL or regular expression (on the command line or in a file), "
     "an option that cannot change on a resume, or a folder that contains something else. The reason is on "
     "standard error.",
     "Usage error: an invalid command, option, URL or regular expression, or a folder that contains "
     "something else. The reason is on standard error."},
    {"130", "Interrupted by Ctrl-C (SIGINT). Completed work is kept; a crawl can be resumed.",
     "Interrupted by Ctrl-C (SIGINT)."},
    {"143", "Interrupted by SIGTERM. Completed work is kept; a crawl can be resumed.",
     "Interrupted by SIGTERM."},
};

std::vector<const CLI::App*> children(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

// A command that crawls, or the program itself.
bool may_crawl(const CLI::App& app) {
  const auto has = [&](const char* name) { return app.get_option_no_throw(name) != nullptr; };
  return app.get_parent() == nullptr || (has("--contact") && has("--pages"));
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

// "HOST:PORT". CLI11 appends the descriptions of its validators, each after a colon.
std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  try {
    for (int i = 0;; ++i) {
      // Not const in CLI11, though nothing is changed.
      const std::string says = const_cast<CLI::Option&>(option).get_validator(i)->get_description();
      if (!says.empty()) return name.substr(0, name.find(":" + says));
    }
  } catch (const CLI::OptionNotFound&) {  // it was the last one
  }
  return name;
}

// "-k, --top N" for an option, "GRAPH" for a positional.
std::string option_label(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::string label;
  for (const std::string& name : option.get_snames()) label += (label.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) label += (label.empty() ? "--" : ", --") + name;
  if (takes_value(option)) label += " " + value_name(option);
  return label;
}

std::string option_about(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::string value = option.get_default_str();
  if (!value.empty() && takes_value(option)) text += fmt::format(" (default {})", value);
  return text;
}

// CLI11 stores only the group of an option, so the mark is part of the group.
constexpr std::string_view kRareMark = " (rare)";

bool is_rare(const CLI::Option& option) {
  return option.get_group().ends_with(kRareMark);
}

std::string heading_of(const CLI::Option& option) {
  std::string group = option.get_group();
  if (is_rare(option)) group.resize(group.size() - kRareMark.size());
  return group;
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  std::vector<const CLI::Option*> all = app.get_options();
  std::erase_if(all, [](const CLI::Option* option) { return !option->get_positional(); });
  return all;
}

struct OptionGroup {
  std::string heading;
  std::vector<const CLI::Option*> options;
};

bool has_rare_options(const CLI::App& app) {
  return std::ranges::any_of(app.get_options(), [](const CLI::Option* option) { return is_rare(*option); });
}

// In the order of declaration.
std::vector<OptionGroup> groups_of(const CLI::App& app, bool with_rare) {
  const bool any_rare = has_rare_options(app);
  std::vector<OptionGroup> groups;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || (is_rare(*option) && !with_rare)) continue;
    if (option == app.get_help_all_ptr() && !any_rare) continue;
    const std::string heading = heading_of(*option);
    auto found = std::ranges::find(groups, heading, &OptionGroup::heading);
    if (found == groups.end()) found = groups.insert(groups.end(), {heading, {}});
    found->options.push_back(option);
  }
  return groups;
}

// The text above an example, from its line "# ...".
std::string introduction(const std::string& line) {
  return line.ends_with('?') ? line.substr(2) : line.substr(2) + ":";
}

std::string synopsis(const CLI::App& app) {
  std::string line = path_of(app);
  if (!children(app).empty() && arguments_of(app).empty()) return line + " COMMAND ...";
  for (const CLI::Option* option : arguments_of(app)) {
    std::string name = option->get_name(true, false);
    if (option->get_items_expected_max() > 1) name += " ...";
    line += option->get_required() ? " " + name : " [" + name + "]";
  }
  return line + " [OPTIONS]";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Wraps one paragraph to `width` columns, each line indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::string line(indent, ' ');
  bool empty = true;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(indent, ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  return out + line + "\n";
}

// A line that is not wrapped; text after a gap of two or more spaces is a separate column, and is wrapped
// within it.
std::string kept(const std::string& line, std::size_t indent, std::size_t width) {
  const std::size_t word = line.find_first_not_of(' ');
  const std::size_t gap = word == std::string::npos ? word : line.find("  ", word);
  const std::size_t column = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  if (column == std::string::npos) return std::string(indent, ' ') + line + "\n";
  std::string text = wrapped(std::string_view(line).substr(column), indent + column, width);
  return text.replace(indent, column, line, 0, column);
}

std::string paragraphs(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) {
      out += "\n";
    } else if (line.starts_with("  ")) {
      out += kept(line, indent, width);
    } else {
      out += wrapped(line, indent, width);
    }
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::string definition(const std::string& label, std::string_view about, std::size_t width, bool colour) {
  return fmt::format("    {}\n{}", bold(label, colour), wrapped(about, 10, width));
}

}  // namespace

std::string command_list(const CLI::App& app) {
  std::string list;
  const auto subs = children(app);
  for (std::size_t i = 0; i < subs.size(); ++i) {
    if (i > 0) list += i + 1 == subs.size() ? " or " : ", ";
    list += subs[i]->get_name();
  }
  return list;
}

void set_group(CLI::Option& option, std::string_view group, bool is_common) {
  option.group(fmt::format("{}{}", group, is_common ? "" : kRareMark));
}

std::string help_text(const CLI::App& app, const HelpOptions& how) {
  const auto columns = static_cast<std::size_t>(std::clamp(how.width, 40, 100));
  const bool colour = how.colour;
  const CommandText text = command_text(app);
  const auto heading = [&](std::string_view name) { return bold(name, colour) + "\n"; };
  std::string out = heading("NAME") + wrapped(fmt::format("{} - {}", path_of(app), text.summary), 4, columns);
  out += "\n" + heading("SYNOPSIS") + "    " + synopsis(app) + "\n";
  if (!text.about.empty()) out += "\n" + heading("DESCRIPTION") + paragraphs(text.about, 4, columns);
  if (const auto subs = children(app); !subs.empty()) {
    out += "\n" + heading("COMMANDS");
    for (const CLI::App* sub : subs)
      out += definition(sub->get_name(), sub->get_description(), columns, colour);
  }
  if (const auto arguments = arguments_of(app); !arguments.empty()) {
    out += "\n" + heading("ARGUMENTS");
    for (const CLI::Option* o : arguments)
      out += definition(option_label(*o), option_about(*o), columns, colour);
  }
  for (const OptionGroup& group : groups_of(app, how.all)) {
    out += "\n" + heading(upper(group.heading));
    for (const CLI::Option* o : group.options)
      out += definition(option_label(*o), option_about(*o), columns, colour);
  }
  if (!how.all && has_rare_options(app)) {
    out += "\n" +
           wrapped(fmt::format("These are the most common options. `{} --help-all` shows all.", path_of(app)),
                   4, columns);
  }
  if (!text.examples.empty()) {
    out += "\n" + heading("EXAMPLES");
    for (const std::string& line : lines_of(text.examples)) {
      out += line.starts_with("# ") ? wrapped(introduction(line), 4, columns)
                                    : fmt::format("        {}\n", line);
    }
  }
  out += "\n" + heading("EXIT STATUS");
  const bool crawls = may_crawl(app);
  for (const ExitStatus& row : kExitStatus)
    out += definition(std::string(row.code), crawls ? row.meaning : row.without_crawl, columns, colour);
  return out;
}

namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string roff_paragraphs(std::string_view text) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) {
      out += ".PP\n";
    } else if (line.starts_with("  ")) {
      out += ".br\n\\ \\ " + roff(line.substr(2)) + "\n";
    } else {
      out += roff(line) + "\n";
    }
  }
  return out;
}

void roff_command(const CLI::App& app, std::string& out) {
  const CommandText text = command_text(app);
  if (children(app).empty() || !arguments_of(app).empty()) {
    out += fmt::format(".SS {}\n{}.\n.PP\n.B {}\n.PP\n{}", roff(path_of(app)), roff(text.summary),
                       roff(synopsis(app)), roff_paragraphs(text.about));
    const auto define = [&](const CLI::Option& option) {
      out += fmt::format(".TP\n.B {}\n{}\n", roff(option_label(option)), roff(option_about(option)));
    };
    for (const CLI::Option* option : arguments_of(app)) define(*option);
    const std::vector<OptionGroup> groups = groups_of(app, true);
    for (const OptionGroup& group : groups) {
      if (groups.size() > 1) out += fmt::format(".PP\n.I {}\n", roff(group.heading));
      for (const CLI::Option* option : group.options) define(*option);
    }
    if (!text.examples.empty()) out += ".PP\nExamples:\n";
    for (const std::string& line : lines_of(text.examples)) {
      out += line.starts_with("# ") ? fmt::format(".PP\n{}\n", roff(introduction(line)))
                                    : fmt::format(".RS\n.nf\n{}\n.fi\n.RE\n", roff(line));
    }
  }
  for (const CLI::App* sub : children(app)) roff_command(*sub, out);
}

}  // namespace

std::span<const ExitStatus> exit_status() {
  return kExitStatus;
}

std::string man_page(const CLI::App& root) {
  const CommandText text = command_text(root);
  std::string out = ".TH BOWERBIRD 1 \"\" \"" + roff(root.version()) + "\" \"User Commands\"\n";
  out += fmt::format(".SH NAME\nbowerbird \\- {}\n.SH SYNOPSIS\n.B {}\n.SH DESCRIPTION\n{}.SH COMMANDS\n",
                     roff(text.summary), roff(synopsis(root)), roff_paragraphs(text.about));
  roff_command(root, out);
  out += ".SH EXIT STATUS\n";
  for (const ExitStatus& row : kExitStatus)
    out += fmt::format(".TP\n.B {}\n{}\n", row.code, roff(row.meaning));
  out += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colours, even on a terminal.\n";
  return out;
}

}  // namespace bowerbird
