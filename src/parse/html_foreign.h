// Where a page is in SVG or MathML: there the tokenizer knows CDATA sections, and <title>, <style>, <script>
// and their kind do not begin raw text (HTML standard 13.2.6.5, "in foreign content").
//
// A stack of the <svg> and <math> elements and of the integration points in them (foreignObject, desc, title,
// mi
// ...), where HTML is spoken again. Nothing else of the tree is kept, so that wrongly nested pages may be
// read otherwise than by a tree builder. Depth is bounded; deeper nesting is taken for the level above.
// Threads: one user.
#pragma once

#include <array>
#include <cstddef>

#include "parse/html_tag.h"

namespace bowerbird {

class ForeignContent {
 public:
  void clear() { depth_ = 0; }
  bool empty() const { return depth_ == 0; }
  // Whether the next tag is of SVG or MathML rather than HTML.
  bool in_foreign() const { return depth_ > 0 && stack_[depth_ - 1].language != Language::kHtml; }

  // To be told every start tag with kTagForeign and, unless empty(), every other one. Whether the element is
  // of SVG or MathML.
  bool start(const HtmlTag& tag);
  // To be told every end tag unless empty().
  void end(const HtmlTag& tag);

 private:
  enum class Language : unsigned char { kHtml, kSvg, kMath };
  struct Level {
    Language language;
    TagId id;
  };

  void push(Language language, TagId id) {
    if (depth_ < stack_.size()) stack_[depth_++] = {language, id};
  }
  void leave_foreign();
  bool is_integration_point(const HtmlTag& tag) const;

  std::array<Level, 64> stack_{};
  std::size_t depth_ = 0;
};

}  // namespace bowerbird
