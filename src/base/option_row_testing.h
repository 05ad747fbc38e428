// A non-default value for each row of an option table, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/option_row.h"

namespace bowerbird {

// by_name: for options without a simple value.
template <typename Options>
std::string other_value(const OptionRow<Options>& row, const std::map<std::string, std::string>& by_name) {
  if (const auto found = by_name.find(std::string(row.name)); found != by_name.end()) return found->second;
  if (row.is_switch()) return row.default_text() == "true" ? "false" : "true";
  for (const std::string& word : row.field.words) {
    if (word != row.default_text()) return word;
  }
  const std::map<std::string_view, std::string> by_unit = {
      {"TIME", "7s"},    {"BYTES", "3MiB"},      {"N", "7"}, {"I", "7"}, {"FACTOR", "3"},
      {"SHARE", "0.25"}, {"SIMILARITY", "0.25"}, {"X", "3"}};
  const auto found = by_unit.find(row.unit);
  return found == by_unit.end() ? "text" : found->second;
}

}  // namespace bowerbird
