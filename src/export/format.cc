#include "export/format.h"

#include <algorithm>
#include <array>

#include "base/json_text.h"
#include "export/wat.h"
#include "export/wet.h"
#include "parse/page_links.h"
#include "parse/sha1.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

class JsonLines final : public Format {
 public:
  explicit JsonLines(FieldList fields) : fields_(std::move(fields)) {}
  void append(std::string& out, Document& document) override {
    append_document_json(out, document, fields_);
    out += '\n';
  }

 private:
  FieldList fields_;
};

// Lines for the _bulk interface of OpenSearch and Elasticsearch. Ids are digests of the URL, since those have
// a length limit: a second import replaces the first.
class BulkLines final : public Format {
 public:
  explicit BulkLines(FieldList fields) : fields_(std::move(fields)) {}
  void append(std::string& out, Document& document) override {
    out += "{\"index\":{\"_id\":\"" + base32(sha1(document.url().text())) + "\"}}\n";
    append_document_json(out, document, fields_);
    out += '\n';
  }

 private:
  FieldList fields_;
};

class CsvRows final : public Format {
 public:
  explicit CsvRows(FieldList fields) : fields_(std::move(fields)) {}
  std::string prologue(const std::string&) override {
    std::string out;
    for (const DocumentField* const field : fields_) {
      if (!out.empty()) out += ',';
      out += field->name;
    }
    return out + "\r\n";
  }
  void append(std::string& out, Document& document) override {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (i > 0) out += ',';
      append_csv(out, fields_[i]->of(document));
    }
    out += "\r\n";
  }

 private:
  FieldList fields_;
};

// Texts separated by form feeds, as pdftotext separates pages.
class PlainTexts final : public Format {
 public:
  void append(std::string& out, Document& document) override {
    out += document.main_text();
    out += '\f';
  }
};

// Every document begins with its facts as YAML; strings of JSON are strings of YAML.
class MarkdownPages final : public Format {
 public:
  void append(std::string& out, Document& document) override {
    static constexpr std::array<std::string_view, 2> kOrigin = {"url", "fetched"};
    out += "---\n";
    for (const DocumentField& field : document_fields()) {
      const bool origin = std::find(kOrigin.begin(), kOrigin.end(), field.name) != kOrigin.end();
      if (origin || field.fact != nullptr) add(out, field.name, field.of(document));
    }
    out += "---\n\n" + document.markdown() + "\n";
  }

 private:
  static void add(std::string& out, std::string_view name, const FieldValue& value) {
    const auto* const list = std::get_if<std::vector<std::string>>(&value);
    if (std::holds_alternative<std::monostate>(value) || (list != nullptr && list->empty())) return;
    out += name;
    out += ": ";
    append_json(out, value);
    out += '\n';
  }
};

// Edges of the Web graph, with anchor texts.
class LinkCsv final : public Format {
 public:
  std::string prologue(const std::string&) override { return "from,to,kind,rel,anchor\r\n"; }
  void append(std::string& out, Document& document) override {
    const HtmlPage& page = document.page();
    Url storage, to;
    const Url& base = document_base(page, document.url(), storage);
    for (const HtmlLink& link : page.links) {
      if (link.is_requisite()) continue;
      if (canonical_url(page.href(link), &base, to, {}, page.query_encoding(link)) != UrlFault::kNone)
        continue;
      append_csv_text(out, document.url().text());
      out += ',';
      append_csv_text(out, to.text());
      out += fmt::format(",{},", link_kind_name(link.kind));
      append_csv_text(out, rel_text(link.rel));
      out += ',';
      append_csv_text(out, link.kind == LinkKind::kAnchor ? page.anchor(link) : "");
      out += "\r\n";
    }
  }
};

// One object per piece: for retrieval.
class ChunkLines final : public Format {
 public:
  explicit ChunkLines(const ChunkOptions& options) : options_(options) {}
  void append(std::string& out, Document& document) override {
    std::int64_t number = 0;
    for (const Chunk& chunk : cut_markdown(document.markdown(), options_)) {
      out += fmt::format("{{\"schema\":{},\"url\":", kSchemaVersion);
      append_json_string(out, document.url().text());
      out += fmt::format(",\"chunk\":{},\"title\":", number++);
      append_json(out, text_value(document.facts().title));
      out += ",\"language\":";
      append_json(out, text_value(document.facts().language));
      out += ",\"headings\":";
      append_json(out, chunk.headings);
      out += ",\"text\":";
      append_json_string(out, chunk.text);
      out += "}\n";
    }
  }

 private:
  ChunkOptions options_;
};

}  // namespace

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> all = {
      {"jsonl", ".jsonl", "one JSON object per page: metadata and main text"},
      {"markdown", ".md", "main text as Markdown, metadata as YAML front matter", true},
      {"text", ".txt", "main text", true},
      {"csv", ".csv", "a table of the fields in --fields"},
      {"chunks", ".jsonl", "pieces of pages for retrieval, one JSON object each"},
      {"bulk", ".ndjson", "lines for the _bulk interface of OpenSearch and Elasticsearch"},
      {"links", ".csv", "links between pages, with anchor texts"},
      {"wet", ".warc.wet.gz", "text of pages as WARC records, like Common Crawl's WET files"},
      {"wat", ".warc.wat.gz", "metadata and links of pages as WARC records, like Common Crawl's WAT files"},
  };
  return all;
}

const FormatInfo* find_format(std::string_view name) {
  for (const FormatInfo& format : formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::unique_ptr<Format> make_format(const FormatOptions& options) {
  if (options.name == "jsonl") return std::make_unique<JsonLines>(options.fields);
  if (options.name == "bulk") return std::make_unique<BulkLines>(options.fields);
  if (options.name == "csv") return std::make_unique<CsvRows>(options.fields);
  if (options.name == "text") return std::make_unique<PlainTexts>();
  if (options.name == "markdown") return std::make_unique<MarkdownPages>();
  if (options.name == "links") return std::make_unique<LinkCsv>();
  if (options.name == "chunks") return std::make_unique<ChunkLines>(options.chunks);
  if (options.name == "wat") return make_wat_format(options);
  CHECK(options.name == "wet");
  return make_wet_format(options);
}

}  // namespace bowerbird
