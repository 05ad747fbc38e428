// Where a page is in SVG or MathML: there the tokenizer knows CDATA sections, <title>, <style>, <script> and
// their kind do not begin raw text, and <link>, <iframe> and their kind are no links (HTML standard 13.2.6.5,
// "in foreign content").
//
// The stack of open elements from the outermost <svg> or <math> on, with the HTML elements in its integration
// points (foreignObject, desc, title, mi ...), where HTML is spoken again. What is open around it is
// not known: an end tag that matches nothing inside ends the whole of it if its name was used before. Depth
// is bounded; deeper elements are not kept. Threads: one user.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/html_tag.h"

namespace bowerbird {

class ForeignContent {
 public:
  void clear() { depth_ = 0; }
  bool empty() const { return depth_ == 0; }
  // Whether the innermost element is of SVG or MathML.
  bool in_foreign() const { return depth_ > 0 && top().language != Language::kHtml; }
  bool in_math() const { return depth_ > 0 && top().language == Language::kMath; }

  // To be told every start tag with kTagForeign and, unless empty(), every other one. Whether the element is
  // of SVG or MathML.
  bool start(const HtmlTag& tag, std::string_view name);
  // To be told every end tag unless empty(). `used`: there was a start tag of this name before the outermost
  // <svg> or <math>.
  void end(const HtmlTag& tag, std::string_view name, bool used);

 private:
  enum class Language : std::uint8_t { kHtml, kSvg, kMath };
  // What is read by the rules of HTML in an element of SVG or MathML.
  enum class Point : std::uint8_t { kNone, kText, kHtml };
  struct Element {
    std::uint64_t name;  // hash of it
    Language language;
    Point point;
    bool bounds_scope;  // an end tag behind it does not reach what is before it (13.2.4.2)
    bool special;       // the standard's category
  };

  const Element& top() const { return stack_[depth_ - 1]; }
  void push(const Element& element) {
    if (depth_ < stack_.size()) stack_[depth_++] = element;
  }
  bool reads_html(std::string_view name) const;
  void start_html(const HtmlTag& tag, std::string_view name);
  void start_foreign(const HtmlTag& tag, std::string_view name, Language language);
  void end_html(const HtmlTag& tag, std::uint64_t name, bool used);
  void break_out();

  std::array<Element, 512> stack_{};
  std::size_t depth_ = 0;
};

}  // namespace bowerbird
