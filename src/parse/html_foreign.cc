#include "parse/html_foreign.h"

#include "base/ascii.h"

namespace bowerbird {

void ForeignContent::leave_foreign() {
  while (in_foreign()) --depth_;
}

bool ForeignContent::is_integration_point(const HtmlTag& tag) const {
  const bool svg = stack_[depth_ - 1].language == Language::kSvg;
  switch (tag.info->id) {
    case TagId::kForeignObject:
    case TagId::kDesc:
    case TagId::kTitle:
      return svg;
    case TagId::kMathText:
      return !svg;
    case TagId::kAnnotationXml: {
      const std::string_view encoding = tag.raw(Attribute::kEncoding);
      return !svg && (equals_ignoring_case(encoding, "text/html") ||
                      equals_ignoring_case(encoding, "application/xhtml+xml"));
    }
    default:
      return false;
  }
}

bool ForeignContent::start(const HtmlTag& tag) {
  const TagId id = tag.info->id;
  if (in_foreign()) {
    const bool font = id == TagId::kFont &&
                      (tag.has(Attribute::kColor) || tag.has(Attribute::kFace) || tag.has(Attribute::kSize));
    if (font || (tag.info->flags & kTagBreakout) != 0) {
      leave_foreign();
      return false;
    }
    if (tag.self_closing) return true;
    if (is_integration_point(tag)) {
      push(Language::kHtml, id);
    } else if (id == TagId::kSvg || id == TagId::kMath) {
      push(stack_[depth_ - 1].language, id);
    }
    return true;
  }
  const Language language = id == TagId::kSvg    ? Language::kSvg
                            : id == TagId::kMath ? Language::kMath
                                                 : Language::kHtml;
  if (language != Language::kHtml && !tag.self_closing) push(language, id);
  return language != Language::kHtml;
}

void ForeignContent::end(const HtmlTag& tag) {
  // The start tag of such an element would have broken out, so that what ends here was begun outside.
  if ((tag.info->flags & kTagBreakout) != 0) {
    leave_foreign();
    return;
  }
  if ((tag.info->flags & kTagForeign) == 0) return;
  for (std::size_t i = depth_; i > 0; --i) {
    if (stack_[i - 1].id == tag.info->id) {
      depth_ = i - 1;
      return;
    }
  }
}

}  // namespace bowerbird
