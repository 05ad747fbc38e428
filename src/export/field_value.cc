#include "export/field_value.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json_text.h"

namespace bowerbird {

namespace {

struct JsonWriter {
  std::string& out;

  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { fmt::format_to(std::back_inserter(out), "{}", value); }
  void operator()(double value) const { fmt::format_to(std::back_inserter(out), "{:.6g}", value); }
  void operator()(const std::string& value) const { append_json_string(out, value); }
  void operator()(const std::vector<std::string>& values) const {
    out += '[';
    for (const std::string& value : values) {
      if (out.back() != '[') out += ',';
      append_json_string(out, value);
    }
    out += ']';
  }
};

struct CsvWriter {
  std::string& out;

  void operator()(std::monostate) const {}
  void operator()(const std::string& value) const { append_csv_text(out, value); }
  void operator()(const std::vector<std::string>& values) const {
    append_csv_text(out, fmt::format("{}", fmt::join(values, "; ")));
  }
  template <typename Number>
  void operator()(Number value) const {
    JsonWriter{out}(value);
  }
};

}  // namespace

FieldValue text_value(std::string text) {
  return text.empty() ? FieldValue() : FieldValue(std::move(text));
}

void append_json(std::string& out, const FieldValue& value) {
  std::visit(JsonWriter{out}, value);
}

void append_csv(std::string& out, const FieldValue& value) {
  std::visit(CsvWriter{out}, value);
}

void append_csv_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace bowerbird
