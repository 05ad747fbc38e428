// Gumbo (Google's HTML5 parser) as the oracle of our scanner: the same links from its tree.
#pragma once

#include <gumbo.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "parse/html_builder.h"
#include "parse/html_page.h"

namespace bowerbird::bench {

struct OracleLink {
  LinkKind kind;
  std::string href;
  std::uint32_t rel;
  std::size_t at;  // byte in the page
  bool in_foreign;

  bool operator==(const OracleLink& other) const {
    return kind == other.kind && href == other.href && rel == other.rel;
  }
};

struct OraclePage {
  std::vector<OracleLink> links;
  bool has_base = false;
  std::string base;
};

inline const char* attribute(const GumboElement& element, const char* name) {
  const GumboAttribute* found = gumbo_get_attribute(&element.attributes, name);
  return found == nullptr ? nullptr : found->value;
}

// The links of one element, if it has any. The content of a template is not in the document.
inline void add_links(const GumboNode& node, bool in_template, OraclePage& page) {
  const GumboElement& element = node.v.element;
  const bool foreign = element.tag_namespace != GUMBO_NAMESPACE_HTML;
  const auto add = [&](LinkKind kind, const char* href) {
    if (href == nullptr) return;
    const char* rel = attribute(element, "rel");
    const bool with_rel = kind == LinkKind::kAnchor || kind == LinkKind::kArea || kind == LinkKind::kLink;
    page.links.push_back(
        {kind, href, with_rel && rel != nullptr ? parse_rel(rel) : 0, element.start_pos.offset, foreign});
  };
  if (element.tag == GUMBO_TAG_A) {
    const char* href = attribute(element, "href");
    if (href == nullptr && foreign) {
      for (unsigned i = 0; i < element.attributes.length; ++i) {
        const auto* a = static_cast<const GumboAttribute*>(element.attributes.data[i]);
        if (a->attr_namespace == GUMBO_ATTR_NAMESPACE_XLINK && std::string_view(a->name) == "href")
          href = a->value;
      }
    }
    add(LinkKind::kAnchor, href);
    return;
  }
  if (foreign) return;
  switch (element.tag) {
    case GUMBO_TAG_AREA:
      add(LinkKind::kArea, attribute(element, "href"));
      break;
    case GUMBO_TAG_LINK:
      add(LinkKind::kLink, attribute(element, "href"));
      break;
    case GUMBO_TAG_FRAME:
      add(LinkKind::kFrame, attribute(element, "src"));
      break;
    case GUMBO_TAG_IFRAME:
      add(LinkKind::kIframe, attribute(element, "src"));
      break;
    case GUMBO_TAG_BASE:
      if (const char* href = attribute(element, "href"); href != nullptr && !page.has_base && !in_template) {
        page.has_base = true;
        page.base = href;
      }
      break;
    case GUMBO_TAG_META: {
      const char* what = attribute(element, "http-equiv");
      const char* content = attribute(element, "content");
      std::uint32_t delay = 0;
      std::string_view url;
      if (what != nullptr && content != nullptr && strcasecmp(what, "refresh") == 0 &&
          parse_refresh(content, delay, url) && !url.empty()) {
        add(LinkKind::kRefresh, std::string(url).c_str());
      }
      break;
    }
    default:
      break;
  }
}

// In the order of the page's bytes, without the copies that the tree builder makes of wrongly nested
// elements.
inline OraclePage gumbo_links(std::string_view html) {
  OraclePage page;
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  GumboOutput* output = gumbo_parse_with_options(&options, html.data(), html.size());
  struct Open {
    const GumboNode* node;
    bool in_template;
  };
  std::vector<Open> open = {{output->document, false}};
  while (!open.empty()) {
    const auto [node, in_template] = open.back();
    open.pop_back();
    const GumboVector* children = nullptr;
    if (node->type == GUMBO_NODE_DOCUMENT) {
      children = &node->v.document.children;
    } else if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) {
      constexpr unsigned kCopy =
          GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT | GUMBO_INSERTION_ADOPTION_AGENCY_CLONED;
      if ((node->parse_flags & kCopy) == 0) add_links(*node, in_template, page);
      children = &node->v.element.children;
    }
    for (unsigned i = children == nullptr ? 0 : children->length; i > 0; --i) {
      open.push_back({static_cast<const GumboNode*>(children->data[i - 1]),
                      in_template || node->type == GUMBO_NODE_TEMPLATE});
    }
  }
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  std::stable_sort(page.links.begin(), page.links.end(),
                   [](const OracleLink& a, const OracleLink& b) { return a.at < b.at; });
  return page;
}

}  // namespace bowerbird::bench
