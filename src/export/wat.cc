#include "export/wat.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/json_text.h"
#include "export/derived_record.h"
#include "parse/html_text.h"
#include "parse/sha1.h"

namespace bowerbird {

namespace {

// Writes an object of JSON member by member.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  ~JsonObject() { out_ += '}'; }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  std::string& name(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    append_json_string(out_, name);
    out_ += ':';
    return out_;
  }
  void text(std::string_view name, std::string_view value) { append_json_string(this->name(name), value); }
  void number(std::string_view name, std::uint64_t value) { text(name, fmt::format("{}", value)); }
  void text_if_any(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }

 private:
  std::string& out_;
  bool first_ = true;
};

std::string_view wat_path(LinkKind kind) {
  switch (kind) {
    case LinkKind::kAnchor:
      return "A@/href";
    case LinkKind::kArea:
      return "AREA@/href";
    case LinkKind::kLink:
      return "LINK@/href";
    case LinkKind::kFrame:
      return "FRAME@/src";
    case LinkKind::kIframe:
      return "IFRAME@/src";
    case LinkKind::kImage:
      return "IMG@/src";
    case LinkKind::kScript:
      return "SCRIPT@/src";
    case LinkKind::kRefresh:  // it is among the <meta> elements
    case LinkKind::kMedia:
    case LinkKind::kStyle:  // of a style sheet, as no element
    case LinkKind::kFont:
      break;
  }
  return {};
}

// The size of a head as it stands in the file, if it was written in the usual way.
std::size_t head_size(const WarcHead& head) {
  std::size_t size = head.version.size() + 4;
  for (const auto& [name, value] : head.fields) size += name.size() + value.size() + 4;
  return size;
}

// Fields of a response; values of fields with the same name are joined.
std::vector<std::pair<std::string, std::string>> fields_of(std::string_view head) {
  std::vector<std::pair<std::string, std::string>> fields;
  bool first = true;
  while (!head.empty()) {
    const std::size_t size = std::min(head.find('\n'), head.size());
    const std::string_view line = trimmed(head.substr(0, size), kAsciiSpaces);
    head.remove_prefix(std::min(size + 1, head.size()));
    const std::size_t colon = line.find(':');
    if (!std::exchange(first, false) && colon != line.npos && colon > 0) {
      const std::string name(trimmed(line.substr(0, colon), kAsciiSpaces));
      const std::string_view value = trimmed(line.substr(colon + 1), kAsciiSpaces);
      const auto known = std::find_if(fields.begin(), fields.end(), [&](const auto& field) {
        return equals_ignoring_case(field.first, name);
      });
      if (known == fields.end()) {
        fields.emplace_back(name, value);
      } else {
        known->second += ", ";
        known->second += value;
      }
    }
  }
  return fields;
}

class WatRecords final : public Format {
 public:
  explicit WatRecords(const FormatOptions& options)
      : created_us_(options.created_us), record_(options.compression), reader_(html_options()) {}

  bool packed() const override { return true; }

  std::string prologue(const std::string& file_name) override {
    return record_.warcinfo(created_us_, file_name, "metadata of pages");
  }

  void append(std::string& out, Document& document) override {
    const RecordBody& from = document.record();
    const std::string_view page = from.warc().field("WARC-Record-ID");
    json_.clear();
    {
      JsonObject object(json_);
      add_container(object.name("Container"), from);
      add_envelope(object.name("Envelope"), document);
    }
    record_.begin("metadata", from.warc().field("WARC-Date"),
                  fmt::format("wat {}{}", page, from.url().text()));
    record_.field("WARC-Target-URI", from.url().text());
    if (!page.empty()) record_.field("WARC-Refers-To", page);
    record_.field("WARC-Block-Digest", "sha1:" + base32(sha1(json_)));
    record_.field("Content-Type", "application/json");
    record_.finish(out, json_);
  }

 private:
  static HtmlOptions html_options() {
    HtmlOptions options;
    options.requisites = true;
    return options;
  }

  static void add_container(std::string& out, const RecordBody& from) {
    JsonObject object(out);
    object.text("Filename", std::filesystem::path(from.address().path).filename().string());
    object.name("Compressed") += from.compression() == Compression::kNone ? "false" : "true";
    object.number("Offset", from.address().offset);
  }

  void add_envelope(std::string& out, Document& document) {
    const RecordBody& from = document.record();
    JsonObject object(out);
    object.text("Format", "WARC");
    object.number("WARC-Header-Length", head_size(from.warc()));
    object.text("Block-Digest", "sha1:" + base32(sha1(from.block())));
    object.number("Actual-Content-Length", from.block().size());
    {
      JsonObject fields(object.name("WARC-Header-Metadata"));
      for (const auto& [name, value] : from.warc().fields) fields.text(name, value);
    }
    JsonObject payload(object.name("Payload-Metadata"));
    payload.text("Actual-Content-Type", from.warc().field("Content-Type"));
    payload.number("Trailing-Slop-Length", 4);
    if (!from.head().empty()) add_response(payload.name("HTTP-Response-Metadata"), document);
  }

  void add_response(std::string& out, Document& document) {
    const RecordBody& from = document.record();
    const std::string_view line = std::string_view(from.head()).substr(0, from.head().find_first_of("\r\n"));
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::size_t reason = std::min(line.find(' ', space + 1), line.size());
    const std::string_view body = from.block().substr(std::min(from.head().size(), from.block().size()));
    JsonObject object(out);
    {
      JsonObject message(object.name("Response-Message"));
      message.text("Version", line.substr(0, space));
      message.number("Status", static_cast<std::uint64_t>(std::max(from.status(), 0)));
      message.text("Reason", trimmed(line.substr(reason), kAsciiSpaces));
    }
    {
      JsonObject fields(object.name("Headers"));
      for (const auto& [name, value] : fields_of(from.head())) fields.text(name, value);
    }
    object.number("Headers-Length", from.head().size());
    object.number("Entity-Length", body.size());
    object.text("Entity-Digest", "sha1:" + base32(sha1(body)));
    object.number("Entity-Trailing-Slop-Length", 0);
    if (document.kind() == DocumentKind::kHtml) add_html(object.name("HTML-Metadata"), document);
  }

  void add_html(std::string& out, Document& document) {
    const RecordBody& from = document.record();
    reader_.read(from.body(), {from.charset(), {}, BodyTypes::is_xhtml(from.type())}, page_);
    JsonObject object(out);
    {
      JsonObject head(object.name("Head"));
      head.text("Title", page_.title);
      if (page_.has_base) head.text("Base", page_.string(page_.base));
      add_metas(head, document.extractor().tree());
      add_links(head, "Link", [](LinkKind kind) { return kind == LinkKind::kLink; });
      add_links(head, "Scripts", [](LinkKind kind) { return kind == LinkKind::kScript; });
    }
    add_links(object, "Links", [](LinkKind kind) {
      return kind != LinkKind::kLink && kind != LinkKind::kScript && !wat_path(kind).empty();
    });
  }

  static void add_metas(JsonObject& head, const HtmlTree& tree) {
    bool any = false;
    std::string* out = nullptr;
    for (std::size_t i = 0; i < tree.attributes.size();) {
      const std::uint32_t node = tree.attributes[i].node;
      if (tree.nodes[node].tag != TagId::kMeta) {
        ++i;
        continue;
      }
      if (!std::exchange(any, true)) {
        out = &head.name("Metas");
        *out += '[';
      } else {
        *out += ',';
      }
      JsonObject meta(*out);
      for (; i < tree.attributes.size() && tree.attributes[i].node == node; ++i) {
        const std::string_view name = meta_attribute(tree.attributes[i].name);
        std::string value;
        append_attribute_value(value, tree.attributes[i].raw);
        if (!name.empty()) meta.text(name, value);
      }
    }
    if (any) *out += ']';
  }

  static std::string_view meta_attribute(Attribute name) {
    switch (name) {
      case Attribute::kName:
        return "name";
      case Attribute::kProperty:
        return "property";
      case Attribute::kContent:
        return "content";
      case Attribute::kHttpEquiv:
        return "http-equiv";
      case Attribute::kItemprop:
        return "itemprop";
      default:
        return {};
    }
  }

  template <typename Wanted>
  void add_links(JsonObject& object, std::string_view name, Wanted wanted) {
    std::string* out = nullptr;
    for (const HtmlLink& link : page_.links) {
      if (!wanted(link.kind)) continue;
      if (out == nullptr) {
        out = &object.name(name);
        *out += '[';
      } else {
        *out += ',';
      }
      JsonObject one(*out);
      one.text("path", wat_path(link.kind));
      one.text("url", trimmed(page_.href(link), kAsciiSpaces));
      if (link.kind == LinkKind::kAnchor) one.text_if_any("text", page_.anchor(link));
      one.text_if_any("rel", rel_text(link.rel));
      one.text_if_any("hreflang", page_.string(link.hreflang));
    }
    if (out != nullptr) *out += ']';
  }

  std::int64_t created_us_;
  DerivedRecord record_;
  PageReader reader_;
  HtmlPage page_;
  std::string json_;
};

}  // namespace

std::unique_ptr<Format> make_wat_format(const FormatOptions& options) {
  return std::make_unique<WatRecords>(options);
}

}  // namespace bowerbird
