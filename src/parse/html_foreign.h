// Tracks SVG and MathML in a page: there the tokenizer accepts CDATA sections, <title>, <style>, <script> and
// similar do not begin raw text, and <link>, <iframe> and similar are not links (HTML standard 13.2.6.5, "in
// foreign content").
//
// The stack of open elements from the outermost <svg> or <math> on, with the HTML elements in its integration
// points (foreignObject, desc, title, mi ...), where the rules of HTML apply again. The elements around it
// are unknown: an end tag that matches nothing inside ends all of it if its name was used before. Depth is
// limited; deeper elements are ignored. Threads: one user.
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
  // Whether the innermost element is SVG or MathML.
  bool in_foreign() const { return depth_ > 0 && top().language != Language::kHtml; }
  bool in_math() const { return depth_ > 0 && top().language == Language::kMath; }

  // Call for every start tag with kTagForeign and, unless empty(), every other one. Returns whether the
  // element is SVG or MathML.
  bool start(const HtmlTag& tag, std::string_view name);
  // Call for every end tag unless empty(). `used`: there was a start tag of this name before the outermost
  // <svg> or <math>.
  void end(const HtmlTag& tag, std::string_view name, bool used);

 private:
  enum class Language : std::uint8_t { kHtml, kSvg, kMath };
  // What is handled by the rules of HTML in an SVG or MathML element.
  enum class Point : std::uint8_t { kNone, kText, kHtml };
  struct Element {
    std::uint64_t name;  // its hash
    Language language;
    Point point;
    bool bounds_scope;  // an end tag after it does not close elements before it (13.2.4.2)
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
