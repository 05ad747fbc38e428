// TOML for our option files: keys with a value or a list of values, and lists of tables, each with its
// position in the file.
//
// Problem: a mistake in an options file must be reported with line and column, and all mistakes at once.
// Values are stored as texts in the format of the command line, so that one table of options
// (base/option_row.h) reads both. Plain data; threads: as a struct.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/option_row.h"
#include "base/result.h"

namespace bowerbird {

struct TomlPosition {
  std::size_t line = 0;
  std::size_t column = 0;
};

struct TomlValue {
  enum class Kind : std::uint8_t { kText, kPlain, kOther };  // in quotes; number or boolean; date, table ...
  Kind kind = Kind::kOther;
  std::string text;
  TomlPosition position;
};

struct TomlTable {
  struct Entry {
    std::string key;
    TomlPosition position;  // of the key
    TomlPosition value_position;
    std::vector<TomlValue> values;  // of the list, or the only one
    bool is_list = false;
    std::vector<TomlTable> tables;  // [[key]]
  };
  std::vector<Entry> entries;
  TomlPosition position;
};

// name: that of the file, for errors.
Result<TomlTable> parse_toml(std::string_view text, const std::string& name);

// The mistakes in one file.
class TomlErrors {
 public:
  explicit TomlErrors(std::string name) : name_(std::move(name)) {}
  void add(TomlPosition position, std::string_view what);
  void add_unknown(const TomlTable::Entry& entry, std::string_view where,
                   const std::vector<std::string>& known);
  Status status() const;

 private:
  std::string name_;
  std::vector<std::string> errors_;
};

// The values of an entry, for an option that may be a list; errors are added.
std::vector<TomlValue> values_for(const OptionColumns& row, const TomlTable::Entry& entry,
                                  TomlErrors& errors);

// Sets the option to the values of the entry.
template <typename Options>
void read_entry(const OptionRow<Options>& row, const TomlTable::Entry& entry, Options& options,
                TomlErrors& errors) {
  if (row.field.clear) row.field.clear(options);
  for (const TomlValue& value : values_for(row, entry, errors)) {
    const Status read = row.field.read(options, value.text);
    if (!read.ok()) errors.add(value.position, read.error().text);
  }
}

// `key = value` lines, in this order; without values a line is omitted. A switch is written as a boolean.
struct TomlLine {
  const OptionColumns* row;
  std::vector<std::string> values;
};
std::string write_toml(const std::vector<TomlLine>& lines);

}  // namespace bowerbird
