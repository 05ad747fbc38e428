// A value of a document's field, and how JSON and CSV write it. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bowerbird {

// The first alternative is "not known": null in JSON, nothing in CSV.
using FieldValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>>;

// Not known where the text is empty.
FieldValue text_value(std::string text);

void append_json(std::string& out, const FieldValue& value);

// RFC 4180: text always in quotes, lists joined by "; ".
void append_csv(std::string& out, const FieldValue& value);
void append_csv_text(std::string& out, std::string_view text);

}  // namespace bowerbird
