// docs/options.md, from the option tables.
#include <fmt/ranges.h>

#include "cmd/help.h"
#include "crawl/config/option_table.h"
#include "crawl/config/site_table.h"
#include "lab/lab_options.h"

namespace bowerbird {

namespace {

constexpr std::string_view kIntroduction = R"(# Options

All options of `bowerbird crawl` and `bowerbird lab`. This page is written by `bowerbird man --options`; a test checks
that it is up to date.

- Every option of `crawl` can be set in a TOML file (`--config FILE`) under its name without the dashes, for example
  `delay = "2s"`. The key `seeds` lists the seeds. Options on the command line override the file.
- Every option of `lab` can be set in an experiment file ([lab.md](lab.md)) in the same way.
- `--no-NAME` turns a switch off; in a file, write `NAME = false`.
- TIME is in seconds, or has a unit: `300ms`, `90s`, `10m`, `2h`, `1d`. BYTES may have a unit too: `500MB`, `2GiB`. N
  may be `10k` or `1.5M`.
- The crawl folder remembers the options of the last run in `options.toml`, which only its owner can read. A resumed
  crawl uses them, except those that you give again.
- `bowerbird crawl --dry-run` shows every option with its value and where the value comes from. It does not show
  passwords.

Notes in the tables: *fixed*: cannot change when the crawl is resumed. *Fleet*: all processes of a fleet must have the
same value. *Set by fleet start*: `fleet start` sets it for each process. *Not kept*: applies to one run, and is not
remembered. *Secret*: never shown in `--dry-run`, reports or logs; `@FILE` reads it from a file. *Live*: can change while
the crawl runs (`bowerbird ctl DIR set`). *Repeat*: may be given several times. *All graphs*: in an experiment file,
applies to all graphs.
)";

std::string notes_of(const OptionColumns& row) {
  constexpr std::pair<OptionTrait, std::string_view> kNotes[] = {
      {kFixed, "fixed"},        {kAgreed, "fleet"},        {kLauncher, "set by fleet start"},
      {kStartOnly, "not kept"}, {kLive, "live"},           {kMany, "repeat"},
      {kSecret, "secret"},      {kWholeFile, "all graphs"}};
  std::vector<std::string_view> notes;
  for (const auto& [trait, note] : kNotes) {
    if (row.is(trait)) notes.push_back(note);
  }
  return fmt::format("{}", fmt::join(notes, ", "));
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string default_of(const OptionColumns& row, const std::string& text) {
  if (row.is_switch()) return text == "true" ? "on" : "off";
  return text.empty() ? "" : fmt::format("`{}`", text);
}

template <typename Options>
std::string tables(std::span<const OptionRow<Options>> rows) {
  std::string out;
  std::string_view group;
  for (const OptionRow<Options>& row : rows) {
    if (row.group != group) {
      group = row.group;
      out += fmt::format("\n### {}\n\n| option | default | meaning | notes |\n|---|---|---|---|\n", group);
    }
    const std::string letter = row.letter == 0 ? "" : fmt::format("-{}, ", row.letter);
    out +=
        fmt::format("| `{}--{}{}{}` | {} | {} | {} |\n", letter, row.name, row.is_switch() ? "" : " ",
                    cell(row.unit), cell(default_of(row, row.default_text())), cell(row.help), notes_of(row));
  }
  return out;
}

// The keys of a [[site]] table, which have no flags and no defaults.
std::string site_keys() {
  std::string out =
      "\n### Settings of a site\n\nThese are keys of a `[[site]]` table in the options file "
      "([sites.md](sites.md)), not flags.\n\n| key | value | meaning | notes |\n|---|---|---|---|\n";
  for (const SiteOptionRow& row : site_option_table()) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", row.name,
                       row.is_switch() ? "true, false" : cell(row.unit), cell(row.help), notes_of(row));
  }
  return out;
}

}  // namespace

std::string options_page() {
  return fmt::format("{}\n## bowerbird crawl\n{}{}\n## bowerbird lab\n{}", kIntroduction,
                     tables(crawl_option_table()), site_keys(), tables(lab_option_table()));
}

}  // namespace bowerbird
