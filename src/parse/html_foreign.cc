#include "parse/html_foreign.h"

#include "base/ascii.h"

namespace bowerbird {

namespace {

// FNV-1a of the name in lower case. Collisions are harmless, so names are not compared.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(ascii_lower(c))) * 0x100000001b3u;
  return hash;
}

bool is_html_encoding(std::string_view encoding) {
  return equals_ignoring_case(encoding, "text/html") ||
         equals_ignoring_case(encoding, "application/xhtml+xml");
}

// 13.2.6.5: the start tags that end foreign content.
bool breaks_out(const HtmlTag& tag) {
  const bool font = tag.info->id == TagId::kFont &&
                    (tag.has(Attribute::kColor) || tag.has(Attribute::kFace) || tag.has(Attribute::kSize));
  return font || (tag.info->flags & kTagBreakout) != 0;
}

bool is_one_of(std::string_view name, std::string_view a, std::string_view b) {
  return equals_ignoring_case(name, a) || equals_ignoring_case(name, b);
}

}  // namespace

// Pops elements until an integration point, or HTML, is innermost.
void ForeignContent::break_out() {
  while (in_foreign() && top().point == Point::kNone) --depth_;
}

// Whether a start tag is handled by the rules of HTML here (13.2.6, "tree construction dispatcher").
bool ForeignContent::reads_html(std::string_view name) const {
  if (!in_foreign() || top().point == Point::kHtml) return true;
  return top().point == Point::kText && !is_one_of(name, "mglyph", "malignmark");
}

bool ForeignContent::start(const HtmlTag& tag, std::string_view name) {
  const TagId id = tag.info->id;
  if (!reads_html(name)) {
    const bool svg_in_annotation = id == TagId::kSvg && top().name == hash_of("annotation-xml");
    if (!svg_in_annotation && !breaks_out(tag)) {
      start_foreign(tag, name, top().language);
      return true;
    }
    if (!svg_in_annotation) break_out();
  }
  if (id == TagId::kSvg || id == TagId::kMath) {
    start_foreign(tag, name, id == TagId::kSvg ? Language::kSvg : Language::kMath);
    return true;
  }
  if (!empty()) start_html(tag, name);
  return false;
}

void ForeignContent::start_foreign(const HtmlTag& tag, std::string_view name, Language language) {
  if (tag.self_closing) return;
  Element element{hash_of(name), language, Point::kNone, false, false};
  switch (tag.info->id) {
    case TagId::kForeignObject:
    case TagId::kDesc:
    case TagId::kTitle:
      if (language == Language::kSvg) element.point = Point::kHtml;
      break;
    case TagId::kMathText:
      if (language == Language::kMath) element.point = Point::kText;
      break;
    case TagId::kAnnotationXml:
      element.bounds_scope = language == Language::kMath;
      if (language == Language::kMath && is_html_encoding(tag.raw(Attribute::kEncoding))) {
        element.point = Point::kHtml;
      }
      break;
    default:
      break;
  }
  element.bounds_scope |= element.point != Point::kNone;
  element.special = element.bounds_scope;
  push(element);
}

// An element of HTML inside an integration point.
void ForeignContent::start_html(const HtmlTag& tag, std::string_view name) {
  const std::uint16_t flags = tag.info->flags;
  if ((flags & (kTagVoid | kTagTablePart)) != 0) return;
  const bool bounds_scope = tag.info->id == TagId::kTable || tag.info->id == TagId::kObject;
  push({hash_of(name), Language::kHtml, Point::kNone, bounds_scope, (flags & kTagSpecial) != 0});
}

void ForeignContent::end(const HtmlTag& tag, std::string_view name, bool used) {
  const std::uint64_t hash = hash_of(name);
  if (in_foreign() && is_one_of(name, "br", "p")) return break_out();
  for (std::size_t i = depth_; i > 0 && stack_[i - 1].language != Language::kHtml; --i) {
    if (stack_[i - 1].name != hash) continue;
    depth_ = i - 1;
    return;
  }
  end_html(tag, hash, used);
}

// 13.2.6.4.7: an end tag closes the element of its name unless the scope ends before it, or, if it is not a
// special element, one of those comes before it.
void ForeignContent::end_html(const HtmlTag& tag, std::uint64_t name, bool used) {
  const bool special = (tag.info->flags & kTagSpecial) != 0;
  for (std::size_t i = depth_; i > 0; --i) {
    const Element& element = stack_[i - 1];
    if (element.language == Language::kHtml && element.name == name) {
      depth_ = i - 1;
      return;
    }
    if (element.bounds_scope || (element.special && !special)) return;
  }
  if (used && tag.info->id != TagId::kBody && tag.info->id != TagId::kHtml) depth_ = 0;
}

}  // namespace bowerbird
