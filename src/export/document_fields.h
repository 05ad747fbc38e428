// The fields of a document, by name: what `jsonl`, `csv` and `bulk` write, and what their JSON Schema says.
//
// One table: a new field is a new row. docs/formats/page.schema.json is made from it. Pure but for the texts
// that a document makes when they are asked for; threads: as Document.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "export/document.h"
#include "export/field_value.h"
#include "parse/text/page_facts.h"

namespace bowerbird {

// The version of the schema: raised when a field changes its meaning or goes away.
inline constexpr int kSchemaVersion = 1;

// A fact that a page states about itself.
struct FactField {
  std::string_view name;
  std::string_view json_type;  // of the schema, besides null: "string", "array"
  std::string_view about;
  FieldValue (*value)(const DocumentFacts& facts);
};
std::span<const FactField> fact_fields();

struct DocumentField {
  std::string_view name;
  std::string_view json_type;
  std::string_view about;
  bool by_default = true;
  FieldValue (*value)(Document& document) = nullptr;  // or
  FieldValue (*fact)(const DocumentFacts& facts) = nullptr;

  FieldValue of(Document& document) const { return fact ? fact(document.facts()) : value(document); }
};

using FieldList = std::vector<const DocumentField*>;

// All of them, in the order of the output.
const std::vector<DocumentField>& document_fields();
FieldList default_fields();
// Names, as a user gives them.
Result<FieldList> parse_fields(const std::vector<std::string>& names);

// One object on one line, without the line end. It begins with the version of the schema.
void append_document_json(std::string& out, Document& document, const FieldList& fields);

// JSON Schema (2020-12) of those objects.
std::string document_schema();

}  // namespace bowerbird
