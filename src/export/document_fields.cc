#include "export/document_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bowerbird {

namespace {

constexpr std::string_view kJsonText = "string", kJsonNumber = "number", kJsonCount = "integer",
                           kJsonFlag = "boolean", kJsonList = "array";

FieldValue list_value(const std::vector<std::string>& list) {
  return list;
}

FieldValue opt_outs(const DocumentFacts& facts) {
  std::vector<std::string> names;
  if (facts.opt_outs.noindex) names.emplace_back("noindex");
  if (facts.opt_outs.noarchive) names.emplace_back("noarchive");
  if (facts.opt_outs.noai) names.emplace_back("noai");
  if (facts.opt_outs.tdm_reserved) names.emplace_back("tdm-reservation");
  return names;
}

template <typename Number>
FieldValue number_value(const std::optional<Number>& number) {
  if (!number) return {};
  if constexpr (std::is_floating_point_v<Number>) return static_cast<double>(*number);
  return static_cast<std::int64_t>(*number);
}

constexpr FactField kFacts[] = {
    {"title", kJsonText, "Title of the page, without the name of the site",
     [](const DocumentFacts& f) { return text_value(f.title); }},
    {"language", kJsonText, "Language of the main text, detected (ISO 639-1 where there is such a code)",
     [](const DocumentFacts& f) { return text_value(f.language); }},
    {"author", kJsonText, "Authors, comma-separated",
     [](const DocumentFacts& f) { return text_value(fmt::format("{}", fmt::join(f.authors, ", "))); }},
    {"published", kJsonText, "Date of publication (ISO 8601)",
     [](const DocumentFacts& f) { return text_value(f.published); }},
    {"modified", kJsonText, "Date of the last change (ISO 8601)",
     [](const DocumentFacts& f) { return text_value(f.modified); }},
    {"description", kJsonText, "Summary of the page",
     [](const DocumentFacts& f) { return text_value(f.description); }},
    {"canonical", kJsonText, "Canonical URL", [](const DocumentFacts& f) { return text_value(f.canonical); }},
    {"site_name", kJsonText, "Name of the site",
     [](const DocumentFacts& f) { return text_value(f.site_name); }},
    {"section", kJsonText, "Section of the site",
     [](const DocumentFacts& f) { return text_value(f.section); }},
    {"keywords", kJsonList, "Keywords", [](const DocumentFacts& f) { return list_value(f.keywords); }},
    {"license", kJsonText, "Licence: a URL or its name",
     [](const DocumentFacts& f) { return text_value(f.license); }},
    {"opt_outs", kJsonList,
     "What the page asks of those who use it: noindex, noarchive, noai, tdm-reservation", opt_outs},
    {"tdm_policy", kJsonText, "URL of the policy for text and data mining",
     [](const DocumentFacts& f) { return text_value(f.opt_outs.tdm_policy); }},
};

const DocumentField kOriginFields[] = {
    {"url", kJsonText, "URL of the page", true, [](Document& d) { return FieldValue(d.url().text()); }},
    {"fetched", kJsonText, "When it was fetched (ISO 8601, UTC)", true,
     [](Document& d) { return text_value(std::string(d.record().warc().field("WARC-Date"))); }},
    {"status", kJsonCount, "HTTP status", true,
     [](Document& d) { return FieldValue(std::int64_t{d.record().status()}); }},
    {"type", kJsonText, "Media type of the response", true,
     [](Document& d) { return text_value(d.record().type()); }},
    {"bytes", kJsonCount, "Size of the body without content coding", true,
     [](Document& d) { return FieldValue(static_cast<std::int64_t>(d.record().body().size())); }},
    {"digest", kJsonText, "Digest of the body as stored, WARC-Payload-Digest", true,
     [](Document& d) { return text_value(std::string(d.record().warc().field("WARC-Payload-Digest"))); }},
    {"simhash", kJsonText,
     "Simhash of the text: 64 bits, hexadecimal; near-duplicates differ in 3 bits at most", true,
     [](Document& d) { return FieldValue(fmt::format("{:016x}", d.fingerprint().simhash)); }},
    {"depth", kJsonCount, "Links from a seed to the page", true,
     [](Document& d) { return number_value(d.numbers().depth); }},
    {"in_links", kJsonCount, "Crawled pages that link to it", true,
     [](Document& d) { return number_value(d.numbers().in_links); }},
    {"score", kJsonNumber, "Score that the ordering gave it when it was chosen", false,
     [](Document& d) { return number_value(d.companions().score); }},
    {"anchors", kJsonList, "Texts of links to it from other pages, the most frequent first, at most 20",
     false,
     [](Document& d) { return d.numbers().anchors ? FieldValue(*d.numbers().anchors) : FieldValue(); }},
    {"cluster", kJsonCount, "Near-duplicate cluster: pages with the same number have nearly the same text",
     false, [](Document& d) { return number_value(d.numbers().cluster); }},
    {"pagerank", kJsonNumber, "PageRank on the graph of the crawl; the sum over all its pages is 1", true,
     [](Document& d) { return number_value(d.numbers().pagerank); }},
};

const DocumentField kTextFields[] = {
    {"words", kJsonCount, "Words of main_text", true,
     [](Document& d) { return FieldValue(std::int64_t{d.words()}); }},
    {"main_found", kJsonFlag, "Whether main content was found; if not, main_text and markdown have all text",
     true, [](Document& d) { return FieldValue(d.main_found()); }},
    {"main_text", kJsonText, "Main content as plain text, without title, captions and link targets", true,
     [](Document& d) { return FieldValue(d.main_text()); }},
    {"markdown", kJsonText, "Main content as Markdown, under the title", false,
     [](Document& d) { return FieldValue(d.markdown()); }},
    {"text", kJsonText, "All text of the page", false, [](Document& d) { return FieldValue(d.all_text()); }},
};

std::vector<DocumentField> make_fields() {
  std::vector<DocumentField> fields(std::begin(kOriginFields), std::end(kOriginFields));
  for (const FactField& fact : kFacts) {
    DocumentField field{fact.name, fact.json_type, fact.about};
    field.fact = fact.value;
    fields.push_back(field);
  }
  fields.insert(fields.end(), std::begin(kTextFields), std::end(kTextFields));
  return fields;
}

}  // namespace

std::span<const FactField> fact_fields() {
  return kFacts;
}

const std::vector<DocumentField>& document_fields() {
  static const std::vector<DocumentField> fields = make_fields();
  return fields;
}

FieldList default_fields() {
  FieldList list;
  for (const DocumentField& field : document_fields()) {
    if (field.by_default) list.push_back(&field);
  }
  return list;
}

Result<FieldList> parse_fields(const std::vector<std::string>& names) {
  FieldList list;
  for (const std::string& name : names) {
    const auto& all = document_fields();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const DocumentField& field) { return field.name == name; });
    if (found == all.end()) {
      std::vector<std::string_view> known;
      for (const DocumentField& field : all) known.push_back(field.name);
      return error("no field '{}'; there are {}", name, fmt::join(known, ", "));
    }
    list.push_back(&*found);
  }
  return list;
}

void append_document_json(std::string& out, Document& document, const FieldList& fields) {
  fmt::format_to(std::back_inserter(out), "{{\"schema\":{}", kSchemaVersion);
  for (const DocumentField* const field : fields) {
    fmt::format_to(std::back_inserter(out), ",\"{}\":", field->name);
    append_json(out, field->of(document));
  }
  out += '}';
}

std::string document_schema() {
  using Json = nlohmann::ordered_json;
  Json properties;
  properties["schema"] = {{"const", kSchemaVersion}, {"description", "Version of this schema"}};
  for (const DocumentField& field : document_fields()) {
    Json type;
    type["description"] = field.about;
    type["type"] = {field.json_type, "null"};
    if (field.json_type == kJsonList) type["items"] = {{"type", "string"}};
    properties[std::string(field.name)] = type;
  }
  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "A page exported by Bowerbird";
  schema["type"] = "object";
  schema["required"] = {"schema"};
  schema["properties"] = properties;
  schema["additionalProperties"] = false;
  return schema.dump(2) + "\n";
}

}  // namespace bowerbird
