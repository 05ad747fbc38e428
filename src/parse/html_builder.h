// Builds an HtmlPage from tags and text: the meaning of each element to a crawler. Used by HtmlScanner and
// XhtmlReader, which find the tags.
//
// Invariant: between begin() and finish() the page belongs to the builder. Threads: one user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parse/css.h"
#include "parse/html_page.h"
#include "parse/html_tag.h"
#include "parse/html_text.h"

namespace bowerbird {

struct HtmlOptions {
  bool text = true;  // text, anchors and weak parts; without them the scan is several times faster
  // images, scripts, media and URLs in inline CSS too (links to style sheets are always included)
  bool requisites = false;
  // its <meta name=...> directives are kept, in addition to those of "robots"
  std::string agent = "bowerbird";
  std::size_t max_bytes = std::size_t{256} << 20;  // the rest of a longer page is ignored; under 1 GiB
  std::size_t max_links = std::size_t{1} << 20;    // further links are dropped
  std::size_t max_requisites = 20'000;             // the same for requisites, which are counted separately
  unsigned frame_depth = 3;                        // how deep pages in attributes, <iframe srcdoc>, are read
};

class PageBuilder {
 public:
  // Whether the values of attributes and the title still contain character references.
  enum class Values : bool { kRaw, kDecoded };

  void begin(HtmlPage& page, const HtmlOptions& options, Values values = Values::kRaw);
  void finish();

  // Which tags HtmlTokenizer reports, and which of their attributes.
  bool wants_text() const { return options_->text || svg_style_open_; }
  bool wants_end_tags() const { return wants_text() || template_depth_ > 0; }
  // Any element may have a style attribute.
  bool reads_attributes(const TagInfo& tag) const {
    return (tag.flags & kept_flags_) != 0 || options_->requisites;
  }
  bool hears(const TagInfo& tag) const { return (tag.flags & told_flags_) != 0 || options_->requisites; }

  // `foreign`: an SVG or MathML element.
  void start_tag(const HtmlTag& tag, bool foreign);
  void end_tag(const HtmlTag& tag);
  // A MathML element other than <a>, which may still be a link (MathML 3, 2.1.6).
  void math_tag(const HtmlTag& tag);
  // A piece of visible text, and of the page's title.
  void text(std::string_view raw, bool references);
  void title(std::string_view piece) { title_.append(piece, values_ == Values::kRaw); }
  void end_of_title() { title_done_ = true; }
  bool wants_title() const { return !title_done_; }
  // A piece of a <style> element.
  void style(std::string_view piece) {
    if (options_->requisites) style_ += piece;
  }
  void end_of_style();
  // A style sheet that an XML document names before its root element.
  void style_sheet(std::string_view href) {
    if (options_->requisites) add(LinkKind::kStyle, href);
  }
  void end_of_svg_style() {
    if (svg_style_open_) end_of_style();
    svg_style_open_ = false;
  }
  // The text of elements whose content is not markup.
  bool wants_raw_text(const TagInfo& tag) const {
    if (tag.id == TagId::kStyle) return options_->requisites;
    return tag.id == TagId::kTitle ? wants_title() : options_->text && (tag.flags & kTagVisible) != 0;
  }
  void raw_text(const TagInfo& tag, std::string_view raw, bool references) {
    if (tag.id == TagId::kStyle) {
      style(raw);
    } else if (tag.id == TagId::kTitle) {
      title(raw);
    } else {
      text(raw, references);
    }
  }
  void end_raw_text(const TagInfo& tag) {
    if (tag.id == TagId::kTitle) end_of_title();
    if (tag.id == TagId::kStyle) end_of_style();
  }

 private:
  void append_value(std::string& out, std::string_view value) const;
  TextSpan keep(std::string_view value);
  TextSpan keep_decoded(std::string_view value);
  std::string_view decoded(const HtmlTag& tag, Attribute attribute, std::string& buffer);
  HtmlLink* add(LinkKind kind, std::string_view href);
  HtmlLink* add_decoded(LinkKind kind, std::string_view href, std::uint32_t delay = 0);
  void anchor(const HtmlTag& tag, bool foreign);
  void link(LinkKind kind, const HtmlTag& tag);
  void meta(const HtmlTag& tag);
  void robots(std::string_view name, std::string_view content);
  void frame(const HtmlTag& tag);
  void requisite(const HtmlTag& tag, bool foreign);
  void source(LinkKind kind, const HtmlTag& tag, Attribute attribute);
  void svg_source(LinkKind kind, const HtmlTag& tag);
  void srcset(const HtmlTag& tag, Attribute attribute);
  void css(std::string_view text, CssPart part);
  void alt(const HtmlTag& tag);
  void close_anchor();
  void break_text(std::uint16_t flags);
  void mark_weak();

  HtmlPage* page_ = nullptr;
  const HtmlOptions* options_ = nullptr;
  Values values_ = Values::kRaw;
  std::uint16_t kept_flags_ = 0;  // attributes of tags with any of these are read
  std::uint16_t told_flags_ = 0;  // tags with any of these mean something
  TextCollector text_;
  TextCollector title_;
  bool title_done_ = false;
  bool anchor_open_ = false;
  std::size_t anchor_link_ = 0;  // the link whose anchor is open
  bool weak_open_ = false;
  std::uint32_t weak_depth_ = 0;
  std::uint32_t template_depth_ = 0;
  std::size_t requisites_ = 0;   // links of the page that are no links to read on
  std::string style_;            // of the <style> that is open
  bool svg_style_open_ = false;  // an SVG one, whose content is text
  std::string value_;            // decoded values, while a tag is looked at
  std::string content_;
};

// The standard's parsing of a refresh (4.2.5.3, "shared declarative refresh steps"): seconds, and the URL if
// there is one; false if the value is not a refresh.
bool parse_refresh(std::string_view value, std::uint32_t& delay, std::string_view& url);

}  // namespace bowerbird
