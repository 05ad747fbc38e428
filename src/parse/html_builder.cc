#include "parse/html_builder.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "parse/charset.h"
#include "parse/feed.h"

namespace bowerbird {

namespace {

// A media type without its parameters.
std::string_view essence_of(std::string_view type) {
  return trimmed(type.substr(0, type.find(';')), kAsciiSpaces);
}

// Normal pages have a handful.
constexpr std::size_t kMaxRobotsMetas = 256;

}  // namespace

void PageBuilder::begin(HtmlPage& page, const HtmlOptions& options, Values values) {
  page.clear();
  page_ = &page;
  options_ = &options;
  values_ = values;
  kept_flags_ = kTagLinks;
  if (options.requisites) kept_flags_ |= kTagRequisite;
  if (options.text) kept_flags_ |= kTagAlt;
  told_flags_ = kept_flags_;
  if (options.text) told_flags_ |= kTagBlock | kTagSpace | kTagWeak;
  text_.begin(page.text);
  title_.begin(page.title);
  title_done_ = false;
  anchor_open_ = false;
  weak_open_ = false;
  weak_depth_ = 0;
  template_depth_ = 0;
  requisites_ = 0;
  style_.clear();
  svg_style_open_ = false;
}

void PageBuilder::text(std::string_view raw, bool references) {
  if (svg_style_open_ && references) append_attribute_value(style_, raw);
  if (svg_style_open_ && !references) style_ += raw;
  if (options_->text) text_.append(raw, references);
}

void PageBuilder::start_tag(const HtmlTag& tag, bool foreign) {
  end_of_svg_style();
  // XML readers call style().
  svg_style_open_ = foreign && options_->requisites && values_ == Values::kRaw &&
                    tag.info->id == TagId::kStyle && !tag.self_closing;
  const std::uint16_t flags = tag.info->flags;
  if (options_->text && (flags & (kTagBlock | kTagSpace | kTagWeak)) != 0) {
    break_text(flags);
    if ((flags & kTagWeak) != 0 && !foreign) {
      ++weak_depth_;
      mark_weak();
    }
  }
  if (tag.info->id == TagId::kA) {
    anchor(tag, foreign);
  } else if ((flags & kTagLinks) != 0 && !foreign) {
    switch (tag.info->id) {
      case TagId::kArea:
        link(LinkKind::kArea, tag);
        break;
      case TagId::kLink:
        link(LinkKind::kLink, tag);
        break;
      case TagId::kFrame:
        source(LinkKind::kFrame, tag, Attribute::kSrc);
        break;
      case TagId::kIframe:
        frame(tag);
        break;
      case TagId::kTemplate:
        ++template_depth_;
        break;
      case TagId::kBase:
        // The content of a template is not part of the document.
        if (tag.has(Attribute::kHref) && !page_->has_base && template_depth_ == 0) {
          page_->has_base = true;
          page_->base = keep(tag.raw(Attribute::kHref));
        }
        break;
      case TagId::kHtml:
        if (page_->language.size == 0) page_->language = keep(tag.raw(Attribute::kLang));
        break;
      case TagId::kMeta:
        meta(tag);
        break;
      default:
        break;
    }
  }
  if (options_->requisites && (flags & kTagRequisite) != 0) requisite(tag, foreign);
  if (options_->requisites && tag.has(Attribute::kStyle))
    css(decoded(tag, Attribute::kStyle, content_), CssPart::kDeclarations);
  if (anchor_open_ && (flags & kTagAlt) != 0) alt(tag);
}

void PageBuilder::end_tag(const HtmlTag& tag) {
  end_of_svg_style();
  if (tag.info->id == TagId::kTemplate && template_depth_ > 0) --template_depth_;
  if (!options_->text) return;
  const std::uint16_t flags = tag.info->flags;
  if (tag.info->id == TagId::kA) close_anchor();
  if ((flags & (kTagBlock | kTagSpace)) != 0) break_text(flags);
  if ((flags & kTagWeak) != 0 && weak_depth_ > 0) {
    --weak_depth_;
    mark_weak();
  }
}

void PageBuilder::finish() {
  end_of_style();
  if (!options_->text) return;
  close_anchor();
  weak_depth_ = 0;
  mark_weak();
}

void PageBuilder::append_value(std::string& out, std::string_view value) const {
  if (values_ == Values::kRaw) {
    append_attribute_value(out, value);
  } else {
    out += value;
  }
}

TextSpan PageBuilder::keep(std::string_view value) {
  const std::size_t at = page_->strings.size();
  append_value(page_->strings, value);
  return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(page_->strings.size() - at)};
}

TextSpan PageBuilder::keep_decoded(std::string_view value) {
  const std::size_t at = page_->strings.size();
  page_->strings += value;
  return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(value.size())};
}

// The value of an attribute, in `buffer`.
std::string_view PageBuilder::decoded(const HtmlTag& tag, Attribute attribute, std::string& buffer) {
  buffer.clear();
  append_value(buffer, tag.raw(attribute));
  return buffer;
}

HtmlLink* PageBuilder::add(LinkKind kind, std::string_view href) {
  const bool requisite = kind >= LinkKind::kImage;
  if (requisite ? requisites_ >= options_->max_requisites
                : page_->links.size() - requisites_ >= options_->max_links) {
    page_->truncated = true;
    return nullptr;
  }
  if (requisite) ++requisites_;
  HtmlLink& link = page_->links.emplace_back();
  link.kind = kind;
  link.href = keep(href);
  return &link;
}

HtmlLink* PageBuilder::add_decoded(LinkKind kind, std::string_view href, std::uint32_t delay) {
  HtmlLink* added = add(kind, {});
  if (added == nullptr) return nullptr;
  added->delay = delay;
  added->href = keep_decoded(href);
  return added;
}

void PageBuilder::link(LinkKind kind, const HtmlTag& tag) {
  if (!tag.has(Attribute::kHref)) return;
  HtmlLink* added = add(kind, tag.raw(Attribute::kHref));
  if (added == nullptr) return;
  if (tag.has(Attribute::kRel)) added->rel = parse_rel(decoded(tag, Attribute::kRel, value_));
  if (kind == LinkKind::kLink && (added->rel & kRelAlternate) != 0 && tag.has(Attribute::kType))
    added->is_feed = is_feed_type(essence_of(decoded(tag, Attribute::kType, value_)));
  if (tag.has(Attribute::kHreflang)) added->hreflang = keep(tag.raw(Attribute::kHreflang));
}

// An <a> ends an open one, link or not (13.2.6.4.7).
void PageBuilder::anchor(const HtmlTag& tag, bool foreign) {
  if (options_->text) close_anchor();
  const std::size_t before = page_->links.size();
  if (foreign && !tag.has(Attribute::kHref) && tag.has(Attribute::kXlinkHref)) {
    add(LinkKind::kAnchor, tag.raw(Attribute::kXlinkHref));
  } else {
    link(LinkKind::kAnchor, tag);
  }
  if (!options_->text || page_->links.size() == before || (foreign && tag.self_closing)) return;
  anchor_open_ = true;
  page_->links.back().anchor.at = static_cast<std::uint32_t>(text_.size());
  anchor_link_ = before;
  mark_weak();
}

void PageBuilder::close_anchor() {
  if (!anchor_open_) return;
  anchor_open_ = false;
  TextSpan& span = page_->links[anchor_link_].anchor;
  // The white space before the first word was written together with it.
  while (span.at < text_.size() && is_ascii_space(page_->text[span.at])) ++span.at;
  span.size = static_cast<std::uint32_t>(text_.size() - span.at);
  mark_weak();
}

void PageBuilder::mark_weak() {
  const bool weak = anchor_open_ || weak_depth_ > 0;
  if (weak == weak_open_) return;
  weak_open_ = weak;
  const auto here = static_cast<std::uint32_t>(text_.size());
  if (weak) {
    page_->weak.push_back({here, 0});
    return;
  }
  TextSpan& span = page_->weak.back();
  span.size = here - span.at;
  if (span.size == 0) page_->weak.pop_back();
}

void PageBuilder::break_text(std::uint16_t flags) {
  if ((flags & kTagBlock) != 0) {
    text_.break_line();
  } else {
    text_.break_word();
  }
}

// The alternative text of an image is part of the link text.
void PageBuilder::alt(const HtmlTag& tag) {
  if (!tag.has(Attribute::kAlt)) return;
  text_.append(tag.raw(Attribute::kAlt), values_ == Values::kRaw);
  text_.break_word();
}

void PageBuilder::meta(const HtmlTag& tag) {
  const bool no_charset = page_->charset.size == 0;
  if (no_charset && tag.has(Attribute::kCharset)) {
    page_->charset = keep_decoded(trimmed(decoded(tag, Attribute::kCharset, value_), kAsciiSpaces));
  }
  if (!tag.has(Attribute::kContent)) return;
  const std::string_view content = decoded(tag, Attribute::kContent, content_);
  const std::string_view what = decoded(tag, Attribute::kHttpEquiv, value_);
  if (equals_ignoring_case(what, "refresh")) {
    std::uint32_t delay = 0;
    std::string_view url;
    if (parse_refresh(content, delay, url) && !url.empty()) add_decoded(LinkKind::kRefresh, url, delay);
  } else if (no_charset && equals_ignoring_case(what, "content-type")) {
    page_->charset = keep_decoded(charset_in_content(content));
  }
  robots(trimmed(decoded(tag, Attribute::kName, value_), kAsciiSpaces), content);
}

void PageBuilder::robots(std::string_view name, std::string_view content) {
  const bool robot = equals_ignoring_case(name, "robots") || equals_ignoring_case(name, options_->agent) ||
                     (name.size() > 3 && equals_ignoring_case(name.substr(name.size() - 3), "bot"));
  if (!robot) return;
  if (page_->robots.size() >= kMaxRobotsMetas) {
    page_->truncated = true;
    return;
  }
  const TextSpan kept = keep_decoded(name);
  for (std::size_t i = kept.at; i < page_->strings.size(); ++i) {
    page_->strings[i] = ascii_lower(page_->strings[i]);
  }
  page_->robots.push_back({kept, keep_decoded(content)});
}

void PageBuilder::frame(const HtmlTag& tag) {
  source(LinkKind::kIframe, tag, Attribute::kSrc);
  if (!tag.has(Attribute::kSrcdoc) || options_->frame_depth == 0) return;
  page_->frames.push_back({keep(tag.raw(Attribute::kSrcdoc)), page_->links.size()});
}

void PageBuilder::math_tag(const HtmlTag& tag) {
  source(LinkKind::kAnchor, tag, tag.has(Attribute::kHref) ? Attribute::kHref : Attribute::kXlinkHref);
}

void PageBuilder::source(LinkKind kind, const HtmlTag& tag, Attribute attribute) {
  if (tag.has(attribute)) add(kind, tag.raw(attribute));
}

// A reference in SVG to another file; one that begins with '#' is within the page.
void PageBuilder::svg_source(LinkKind kind, const HtmlTag& tag) {
  const Attribute attribute = tag.has(Attribute::kHref) ? Attribute::kHref : Attribute::kXlinkHref;
  if (!trimmed(tag.raw(attribute), kAsciiSpaces).starts_with('#')) source(kind, tag, attribute);
}

void PageBuilder::requisite(const HtmlTag& tag, bool foreign) {
  if (foreign) {
    const TagId id = tag.info->id;
    if (id == TagId::kScript) svg_source(LinkKind::kScript, tag);
    if (id == TagId::kImage || id == TagId::kSvgReference) svg_source(LinkKind::kImage, tag);
    return;
  }
  switch (tag.info->id) {
    case TagId::kScript:
      source(LinkKind::kScript, tag, Attribute::kSrc);
      return;
    case TagId::kImage:
    case TagId::kImg:
      source(LinkKind::kImage, tag, Attribute::kSrc);
      source(LinkKind::kImage, tag, Attribute::kDataSrc);
      srcset(tag, Attribute::kSrcset);
      srcset(tag, Attribute::kDataSrcset);
      return;
    case TagId::kIframe:
      source(LinkKind::kMedia, tag, Attribute::kDataSrc);
      return;
    case TagId::kLink:
      srcset(tag, Attribute::kImagesrcset);
      return;
    case TagId::kSource:
      source(LinkKind::kMedia, tag, Attribute::kSrc);
      source(LinkKind::kMedia, tag, Attribute::kDataSrc);
      srcset(tag, Attribute::kSrcset);
      srcset(tag, Attribute::kDataSrcset);
      return;
    case TagId::kInput:
      if (equals_ignoring_case(decoded(tag, Attribute::kType, value_), "image"))
        source(LinkKind::kImage, tag, Attribute::kSrc);
      return;
    case TagId::kVideo:
      source(LinkKind::kImage, tag, Attribute::kPoster);
      [[fallthrough]];
    case TagId::kAudio:
    case TagId::kEmbed:
    case TagId::kTrack:
      source(LinkKind::kMedia, tag, Attribute::kSrc);
      source(LinkKind::kMedia, tag, Attribute::kDataSrc);
      return;
    case TagId::kObject:
      source(LinkKind::kMedia, tag, Attribute::kData);
      return;
    case TagId::kBody:
    case TagId::kTable:
    case TagId::kTd:
    case TagId::kTh:
      source(LinkKind::kImage, tag, Attribute::kBackground);
      return;
    default:
      return;
  }
}

void PageBuilder::end_of_style() {
  if (!style_.empty()) css(style_, CssPart::kSheet);
  style_.clear();
}

// What inline CSS names, as links of the page.
void PageBuilder::css(std::string_view text, CssPart part) {
  read_css(text, part, [this](const CssReference& reference) {
    value_.clear();
    append_as_valid_utf8(value_, reference.url);
    HtmlLink* const added = add_decoded(reference.use == CssUse::kImport ? LinkKind::kStyle
                                        : reference.use == CssUse::kFont ? LinkKind::kFont
                                                                         : LinkKind::kImage,
                                        value_);
    if (added != nullptr) added->in_css = true;
  });
}

// 4.8.4.3.10, "parse a srcset attribute": the URLs; the descriptors are skipped.
void PageBuilder::srcset(const HtmlTag& tag, Attribute attribute) {
  std::string_view rest = decoded(tag, attribute, value_);
  for (;;) {
    while (!rest.empty() && (is_ascii_space(rest.front()) || rest.front() == ',')) rest.remove_prefix(1);
    if (rest.empty()) return;
    std::size_t size = 0;
    while (size < rest.size() && !is_ascii_space(rest[size])) ++size;
    std::string_view url = rest.substr(0, size);
    rest.remove_prefix(size);
    const bool no_descriptor = url.back() == ',';
    while (!url.empty() && url.back() == ',') url.remove_suffix(1);
    add_decoded(LinkKind::kImage, url);
    if (no_descriptor) continue;
    bool in_parentheses = false;
    while (!rest.empty() && (rest.front() != ',' || in_parentheses)) {
      if (rest.front() == '(') in_parentheses = true;
      if (rest.front() == ')') in_parentheses = false;
      rest.remove_prefix(1);
    }
  }
}

}  // namespace bowerbird
