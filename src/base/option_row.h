// Options as rows of a table: each row has everything about its option.
//
// Problem: the command line, its help, TOML files, completions, the manual, docs/options.md and the checks at
// a resume or in a fleet all need the same facts. OptionColumns has those that do not depend on the type of
// the options; OptionRow<Options> adds how the value is read from text and written as text again. Defaults
// are never typed: default_text() writes a default-constructed Options. Rows are immutable once made;
// threads: any.
#pragma once

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace bowerbird {

enum OptionTrait : unsigned {
  kCommon = 1,       // shown by --help; the others only by --help-all
  kMany = 2,         // may be given several times
  kCommaList = 4,    // one comma-separated text; in TOML also a list
  kFixed = 8,        // the state of a crawl depends on it: it cannot change at a resume
  kAgreed = 16,      // all processes of a fleet must have the same value
  kSecret = 32,      // may contain credentials: never shown
  kLauncher = 64,    // set by `fleet start` for each of its processes
  kStartOnly = 128,  // used when a crawl starts; not kept for a resume
  kWholeFile = 256,  // in an experiment file: applies to all its graphs
  kLive = 512,       // may change while the crawl runs
};

struct OptionColumns {
  std::string_view name;
  std::string_view group;
  std::string_view unit;  // name of the value in the help, TIME or BYTES; empty: a switch
  std::string_view help;
  unsigned traits = 0;
  char letter = 0;  // short name, as in -o; 0: none

  bool is(OptionTrait trait) const { return (traits & trait) != 0; }
  bool is_switch() const { return unit.empty(); }
};

template <typename Options>
struct OptionField {
  std::function<Status(Options&, std::string_view)> read;
  std::function<std::vector<std::string>(const Options&)> texts;  // in the format that read() accepts
  std::function<void(Options&)> clear = {};                       // only for lists
  std::vector<std::string> words = {};                            // all possible values; empty: any
};

template <typename Options>
struct OptionRow : OptionColumns {
  OptionField<Options> field;

  // Replaces the value; for a list, all of it.
  Status set(Options& options, std::span<const std::string> values) const {
    if (field.clear) field.clear(options);
    for (const std::string& text : values) BB_TRY_VOID(field.read(options, text));
    return {};
  }
  Status set(Options& options, const std::string& text) const { return set(options, {&text, 1}); }
  std::vector<std::string> texts(const Options& options) const { return field.texts(options); }
  // The values, without secrets.
  std::vector<std::string> shown(const Options& options) const;
  std::string default_text() const { return fmt::format("{}", fmt::join(texts(Options()), ", ")); }
};

template <typename Options>
const OptionRow<Options>* find_row(std::span<const OptionRow<Options>> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &OptionColumns::name);
  return found == table.end() ? nullptr : &*found;
}

// Splits "a,b" into its words, without empty ones.
std::vector<std::string> split_commas(std::string_view list);

// The value of a secret option without its credentials: "nats://...@host", "example.org=...", "...".
std::string without_secret(std::string_view value);

template <typename Options>
std::vector<std::string> OptionRow<Options>::shown(const Options& options) const {
  std::vector<std::string> all = texts(options);
  if (is(kSecret)) {
    for (std::string& text : all) text = without_secret(text);
  }
  return all;
}

// ---- Fields

// The location of a value in the options.
template <typename Options, typename T>
using OptionAccess = std::function<T&(Options&)>;

template <typename Options, typename T>
OptionAccess<Options, T> at(T Options::*member) {
  return [member](Options& options) -> T& { return options.*member; };
}
template <typename Options, typename Part, typename T>
OptionAccess<Options, T> at(Part Options::*part, T Part::*member) {
  return [part, member](Options& options) -> T& { return options.*part.*member; };
}

template <typename Options, typename T>
const T& look(const std::function<T&(Options&)>& access, const Options& options) {
  return access(const_cast<Options&>(options));
}

// read: Result<T>(string_view); write: the text, in the format of read().
template <typename Options, typename T, typename Read, typename Write>
OptionField<Options> value_field(const std::function<T&(Options&)>& access, Read read, Write write) {
  OptionField<Options> field;
  field.read = [access, read](Options& options, std::string_view text) -> Status {
    BB_TRY(T value, read(text));
    access(options) = std::move(value);
    return {};
  };
  field.texts = [access, write](const Options& options) -> std::vector<std::string> {
    std::string text = write(look(access, options));
    if (text.empty()) return {};
    return {std::move(text)};
  };
  return field;
}

inline Status accept_text(std::string_view /*text*/) {
  return {};
}

// A text that `check` accepts; stored unchanged.
template <typename Options, typename Check = Status (*)(std::string_view)>
OptionField<Options> text_field(const std::function<std::string&(Options&)>& access,
                                Check check = accept_text) {
  const auto read = [check](std::string_view text) -> Result<std::string> {
    BB_TRY_VOID(check(text));
    return std::string(text);
  };
  return value_field(access, read, [](const std::string& text) { return text; });
}

template <typename Options, typename Check = Status (*)(std::string_view)>
OptionField<Options> list_field(const std::function<std::vector<std::string>&(Options&)>& access,
                                Check check = accept_text) {
  OptionField<Options> field;
  field.read = [access, check](Options& options, std::string_view text) -> Status {
    BB_TRY_VOID(check(text));
    access(options).emplace_back(text);
    return {};
  };
  field.texts = [access](const Options& options) { return look(access, options); };
  field.clear = [access](Options& options) { access(options).clear(); };
  return field;
}

// "a,b"; split: Result<vector<string>>(string_view).
template <typename Options, typename Split>
OptionField<Options> comma_field(const std::function<std::vector<std::string>&(Options&)>& access,
                                 Split split) {
  return value_field(access, split, [](const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ","));
  });
}

// A number from least to most.
template <typename Options, typename T, typename Parse>
OptionField<Options> number_field(const std::function<T&(Options&)>& access, Parse parse, T least,
                                  T most = std::numeric_limits<T>::max()) {
  const auto read = [parse, least, most](std::string_view text) -> Result<T> {
    BB_TRY(const auto value, parse(text));
    if (value >= least && value <= most) return static_cast<T>(value);
    if (most == std::numeric_limits<T>::max()) return error("'{}': expected at least {}", text, least);
    return error("'{}': expected a number from {} to {}", text, least, most);
  };
  return value_field(access, read, [](const T& value) { return fmt::format("{}", value); });
}

template <typename Options, typename T>
OptionField<Options> count_field(const std::function<T&(Options&)>& access, T least = 0,
                                 T most = std::numeric_limits<T>::max()) {
  return number_field(access, parse_count, least, most);
}

template <typename Options>
OptionField<Options> bytes_field(const std::function<std::uint64_t&(Options&)>& access) {
  return value_field(access, parse_bytes, exact_bytes);
}

template <typename Options>
OptionField<Options> time_field(const std::function<Seconds&(Options&)>& access) {
  return value_field(access, parse_seconds, exact_seconds);
}

template <typename Options>
OptionField<Options> flag_field(const std::function<bool&(Options&)>& access) {
  const auto read = [](std::string_view text) -> Result<bool> {
    if (text != "true" && text != "false") return error("'{}': expected true or false", text);
    return text == "true";
  };
  return value_field(access, read, [](bool value) { return fmt::format("{}", value); });
}

// One of the names of an enumeration, in its order.
template <typename Options, typename Enum>
OptionField<Options> enum_field(const std::function<Enum&(Options&)>& access,
                                const std::vector<std::string>& names) {
  const auto read = [names](std::string_view text) -> Result<Enum> {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return error("'{}' is not one of {}", text, fmt::join(names, ", "));
    return static_cast<Enum>(found - names.begin());
  };
  OptionField<Options> field =
      value_field(access, read, [names](Enum value) { return names[static_cast<std::size_t>(value)]; });
  field.words = names;
  return field;
}

}  // namespace bowerbird
