#include "parse/xhtml_reader.h"

// Expat's header declares the limits of expansion only with this.
#define XML_DTD
#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "parse/html_entities.h"
#include "parse/html_scanner.h"
#include "parse/html_text.h"
#include "parse/xml_style_sheet.h"

namespace bowerbird {

namespace {

constexpr std::string_view kXhtml = "http://www.w3.org/1999/xhtml";
constexpr std::string_view kSvg = "http://www.w3.org/2000/svg";
constexpr std::string_view kMathMl = "http://www.w3.org/1998/Math/MathML";
constexpr std::string_view kXlink = "http://www.w3.org/1999/xlink";
constexpr std::string_view kXml = "http://www.w3.org/XML/1998/namespace";

constexpr char kSeparator = '\n';  // between the namespace and the name of an element or attribute

// Expat keeps each open element, and recurses for each entity within an entity.
constexpr std::size_t kMaxDepth = 2000;
constexpr std::size_t kMaxEntities = 1000;
// Limit of the text from expanded entities: this many times the page, but a small page may have more.
constexpr float kMaxAmplification = 10;
constexpr unsigned long long kFreeExpansion = 1 << 20;

struct QualifiedName {
  std::string_view space;
  std::string_view local;
};

QualifiedName split_name(std::string_view name) {
  const std::size_t at = name.rfind(kSeparator);
  if (at == name.npos) return {{}, name};
  return {name.substr(0, at), name.substr(at + 1)};
}

bool has_upper(std::string_view name) {
  return std::any_of(name.begin(), name.end(), is_ascii_upper);
}

bool is_predefined(std::string_view name) {
  return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos";
}

// Declarations of HTML's named references that occur in the page, which Expat reads as its DTD.
std::string entity_declarations(std::string_view page) {
  std::string declarations;
  std::set<std::string_view> seen;
  for (std::size_t at = page.find('&'); at != page.npos; at = page.find('&', at + 1)) {
    const CharacterReference reference = read_character_reference(page.substr(at), /*in_attribute=*/false);
    const std::string_view name = page.substr(at + 1, std::max(reference.size, 2u) - 2);
    const bool named = reference.size > 2 && page[at + 1] != '#' && page[at + reference.size - 1] == ';';
    if (!named || is_predefined(name) || !seen.insert(name).second) continue;
    // "&#38;#60;": a '<' or '&' must not be read as markup when the entity is used.
    const auto value = [](char32_t c) { return fmt::format("&#38;#{};", static_cast<std::uint32_t>(c)); };
    declarations += fmt::format("<!ENTITY {} \"{}{}\">", name, value(reference.first),
                                reference.second != 0 ? value(reference.second) : "");
  }
  return declarations;
}

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using OwnedParser = std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser>;

OwnedParser checked(XML_Parser parser) {
  if (parser == nullptr) throw std::bad_alloc();
  return OwnedParser(parser);
}

XML_Status parse_whole(XML_Parser parser, std::string_view text) {
  return XML_Parse(parser, text.data(), static_cast<int>(text.size()), XML_TRUE);
}

}  // namespace

// One page being read.
class XhtmlReader::Parse {
 public:
  Parse(PageBuilder& builder, const HtmlOptions& options)
      : builder_(builder), options_(options), parser_(checked(XML_ParserCreateNS("UTF-8", kSeparator))) {
    XML_Parser parser = parser_.get();
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetProcessingInstructionHandler(parser, on_instruction);
    XML_SetEntityDeclHandler(parser, on_entity);
    XML_SetSkippedEntityHandler(parser, on_skipped);
    // The declarations of HTML's entities replace any DTD outside the page.
    XML_UseForeignDTD(parser, XML_TRUE);
    XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_ALWAYS);
    XML_SetExternalEntityRefHandler(parser, on_external);
    XML_SetExternalEntityRefHandlerArg(parser, this);
    XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, kMaxAmplification);
    XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, kFreeExpansion);
  }

  bool run(std::string_view page) {
    declarations_ = entity_declarations(page);
    return parse_whole(parser_.get(), page) == XML_STATUS_OK;
  }

 private:
  struct Element {
    const TagInfo* info;
    bool foreign;
  };

  static Parse& self(void* data) { return *static_cast<Parse*>(data); }
  static void on_start(void* data, const char* name, const char** attributes) {
    self(data).start(name, attributes);
  }
  static void on_end(void* data, const char*) { self(data).end(); }
  static void on_text(void* data, const char* text, int size) {
    self(data).text({text, static_cast<std::size_t>(size)});
  }
  static void on_instruction(void* data, const char* target, const char* content) {
    self(data).instruction(target, content);
  }
  static void on_entity(void* data, const char*, int, const char*, int, const char*, const char*, const char*,
                        const char*) {
    if (++self(data).entities_ > kMaxEntities) self(data).stop();
  }
  static void on_skipped(void* data, const char*, int is_parameter_entity) {
    if (is_parameter_entity == 0) self(data).stop();  // not declared: not well-formed
  }
  static int on_external(XML_Parser data, const char* context, const char*, const char*, const char*) {
    return self(data).external(context) ? XML_STATUS_OK : XML_STATUS_ERROR;
  }

  void stop() { XML_StopParser(parser_.get(), XML_FALSE); }

  // The DTD (`context` is null), real or not, is replaced by our declarations; other entities are empty.
  bool external(const char* context) {
    if (context != nullptr || declarations_.empty()) return true;
    const OwnedParser child = checked(XML_ExternalEntityParserCreate(parser_.get(), context, "UTF-8"));
    XML_SetEntityDeclHandler(child.get(), nullptr);
    const std::string declarations = std::move(declarations_);
    declarations_.clear();
    return parse_whole(child.get(), declarations) == XML_STATUS_OK;
  }

  void instruction(std::string_view target, std::string_view content) {
    if (target != kXmlStyleSheet || root_seen_) return;
    std::string href;
    append_attribute_value(href, style_sheet_href(content));
    if (!href.empty() && href.front() != '#') builder_.style_sheet(href);
  }

  void start(std::string_view qualified, const char** attributes) {
    root_seen_ = true;
    if (open_.size() == kMaxDepth) return stop();
    const QualifiedName name = split_name(qualified);
    const bool html = name.space.empty() || name.space == kXhtml;
    const bool foreign = name.space == kSvg || name.space == kMathMl;
    // A name in another namespace or with capitals is unknown; SVG's have capitals.
    const bool known = foreign || (html && !has_upper(name.local));
    const std::string_view local = known ? name.local : std::string_view();
    tag_.info = find_tag(local, local.data() + local.size());
    tag_.present = 0;
    for (; *attributes != nullptr; attributes += 2) attribute(split_name(attributes[0]), attributes[1]);
    open_.push_back({tag_.info, foreign});
    if (is_hidden(open_.back())) ++hidden_;
    if (name.space == kMathMl && tag_.info->id != TagId::kA) builder_.math_tag(tag_);
    builder_.start_tag(tag_, foreign);
  }

  void attribute(QualifiedName name, std::string_view value) {
    if (name.space == kXlink && name.local == "href") {
      tag_.set(Attribute::kXlinkHref, value);
    } else if (name.space == kXml && name.local == "lang") {
      tag_.set(Attribute::kLang, value);
    } else if (name.space.empty() && !has_upper(name.local)) {
      tag_.set(find_attribute(name.local, name.local.data() + name.local.size()), value);
    }
  }

  void end() {
    const Element element = open_.back();
    open_.pop_back();
    if (is_hidden(element)) --hidden_;
    if (is_title(element)) builder_.end_of_title();
    if (element.info->id == TagId::kStyle) builder_.end_of_style();
    tag_.info = element.info;
    builder_.end_tag(tag_);
  }

  void text(std::string_view piece) {
    if (open_.back().info->id == TagId::kStyle) {
      builder_.style(piece);
    } else if (is_title(open_.back())) {
      if (builder_.wants_title()) builder_.title(piece);
    } else if (options_.text && hidden_ == 0) {
      builder_.text(piece, /*references=*/false);
    }
  }

  static bool is_title(const Element& element) {
    return element.info->id == TagId::kTitle && !element.foreign;
  }
  // Invisible content: scripts, style sheets, the title, replacements for frames.
  static bool is_hidden(const Element& element) {
    constexpr std::uint16_t kText = kTagRawText | kTagRcdata | kTagScript;
    return !element.foreign && (element.info->flags & kText) != 0 && (element.info->flags & kTagVisible) == 0;
  }

  PageBuilder& builder_;
  const HtmlOptions& options_;
  OwnedParser parser_;
  std::string declarations_;
  std::size_t entities_ = 0;  // that the page declares
  std::vector<Element> open_;
  bool root_seen_ = false;
  std::size_t hidden_ = 0;  // open elements whose text is not shown
  HtmlTag tag_;
};

bool XhtmlReader::read(std::string_view utf8, HtmlPage& page) {
  builder_.begin(page, options_, PageBuilder::Values::kDecoded);
  if (utf8.size() > options_.max_bytes) return false;
  const bool well_formed = Parse(builder_, options_).run(utf8);
  builder_.finish();
  if (well_formed && !page.frames.empty()) read_frames(page, options_);
  return well_formed;
}

bool has_xhtml_root(std::string_view bytes) {
  constexpr std::size_t kLongestProlog = 1 << 16;
  bytes = bytes.substr(0, kLongestProlog);
  for (;;) {
    bytes.remove_prefix(std::min(bytes.find('<'), bytes.size()));
    const std::string_view close = bytes.starts_with("<!--")                                      ? "-->"
                                   : bytes.starts_with("<?")                                      ? "?>"
                                   : bytes.starts_with("<!") && bytes.find('[') < bytes.find('>') ? "]>"
                                                                                                  : ">";
    const std::size_t end = bytes.find(close);
    if (end == bytes.npos) return false;
    if (bytes[1] != '!' && bytes[1] != '?') return bytes.substr(0, end).find(kXhtml) != bytes.npos;
    bytes.remove_prefix(end + close.size());
  }
}

}  // namespace bowerbird
