#include "parse/text/html_tree.h"

#include <algorithm>

namespace bowerbird {

std::string_view HtmlTree::attribute(std::uint32_t node, Attribute name) const {
  const auto first = std::lower_bound(attributes.begin(), attributes.end(), node,
                                      [](const NodeAttribute& a, std::uint32_t n) { return a.node < n; });
  for (auto at = first; at != attributes.end() && at->node == node; ++at) {
    if (at->name == name) return at->raw;
  }
  return {};
}

void HtmlTree::clear() {
  nodes.clear();
  blocks.clear();
  attributes.clear();
  links.clear();
  scripts.clear();
  formulas.clear();
  text.clear();
  title.clear();
  truncated = false;
}

}  // namespace bowerbird
