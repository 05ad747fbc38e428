#include "sys/toml.h"

#include <fmt/ranges.h>

#include <sstream>

#include "base/suggest.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace bowerbird {

namespace {

TomlPosition position_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

TomlValue value_of(const toml::node& node) {
  using Kind = TomlValue::Kind;
  const TomlPosition position = position_of(node.source());
  if (const auto value = node.value_exact<std::string>()) return {Kind::kText, *value, position};
  if (const auto value = node.value_exact<std::int64_t>())
    return {Kind::kPlain, fmt::format("{}", *value), position};
  if (const auto value = node.value_exact<double>())
    return {Kind::kPlain, fmt::format("{}", *value), position};
  if (const auto value = node.value_exact<bool>()) return {Kind::kPlain, *value ? "true" : "false", position};
  return {Kind::kOther, "", position};
}

TomlTable table_of(const toml::table& table) {
  TomlTable made;
  made.position = position_of(table.source());
  for (const auto& [key, node] : table) {
    TomlTable::Entry& entry = made.entries.emplace_back();
    entry.key = key.str();
    entry.position = position_of(key.source());
    entry.value_position = position_of(node.source());
    const toml::array* const list = node.as_array();
    entry.is_list = list != nullptr;
    if (list == nullptr) {
      entry.values.push_back(value_of(node));
      continue;
    }
    for (const toml::node& item : *list) {
      if (const toml::table* const inner = item.as_table()) {
        entry.tables.push_back(table_of(*inner));
      } else {
        entry.values.push_back(value_of(item));
      }
    }
  }
  return made;
}

}  // namespace

Result<TomlTable> parse_toml(std::string_view text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& e = parsed.error();
    return error("{}:{}:{}: {}", name, e.source().begin.line, e.source().begin.column, e.description());
  }
  return table_of(parsed.table());
}

void TomlErrors::add(TomlPosition position, std::string_view what) {
  errors_.push_back(fmt::format("{}:{}:{}: {}", name_, position.line, position.column, what));
}

void TomlErrors::add_unknown(const TomlTable::Entry& entry, std::string_view where,
                             const std::vector<std::string>& known) {
  add(entry.position, fmt::format("unknown key '{}'{}{}", entry.key, where, did_you_mean(entry.key, known)));
}

Status TomlErrors::status() const {
  if (errors_.empty()) return {};
  return Error{fmt::format("{}", fmt::join(errors_, "\n"))};
}

std::vector<TomlValue> values_for(const OptionColumns& row, const TomlTable::Entry& entry,
                                  TomlErrors& errors) {
  if (entry.is_list && !row.is(kMany) && !row.is(kCommaList)) {
    errors.add(entry.value_position, fmt::format("'{}' takes one value", row.name));
    return {};
  }
  std::vector<TomlValue> values;
  for (const TomlValue& value : entry.values) {
    if (value.kind == TomlValue::Kind::kOther) {
      errors.add(value.position, "expected a string, a number, true or false");
    } else {
      values.push_back(value);
    }
  }
  for (const TomlTable& table : entry.tables) errors.add(table.position, "expected a string or a number");
  if (!row.is(kCommaList) || values.empty()) return values;
  TomlValue all = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) all.text += "," + values[i].text;
  return {all};
}

std::string write_toml(const std::vector<TomlLine>& lines) {
  std::ostringstream out;
  for (const auto& [row, values] : lines) {
    if (values.empty()) continue;
    if (row->is_switch()) {
      out << row->name << " = " << values.front() << "\n";
    } else if (row->is(kMany)) {
      toml::array list;
      for (const std::string& value : values) list.push_back(value);
      out << row->name << " = " << list << "\n";
    } else {
      out << row->name << " = " << toml::value<std::string>(values.front()) << "\n";
    }
  }
  return out.str();
}

}  // namespace bowerbird
