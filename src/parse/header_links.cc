#include "parse/header_links.h"

#include "parse/feed.h"
#include "parse/html_builder.h"
#include "parse/http_head.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

// Whether the link belongs to the page at `own`.
bool is_of_page(const LinkField& field, const Url& own) {
  Url anchor;
  return !field.anchor ||
         (canonical_url(reference_in_field(*field.anchor), &own, anchor) == UrlFault::kNone &&
          anchor.text() == own.text());
}

}  // namespace

void add_header_links(std::string_view head, const Url& own, HtmlPage& page) {
  std::vector<HtmlLink> links;
  const auto add = [&](LinkKind kind, std::string_view reference) -> HtmlLink* {
    Url url;
    if (parse_url(reference_in_field(reference), &own, url) != UrlFault::kNone) return nullptr;
    HtmlLink& link = links.emplace_back();
    link.kind = kind;
    link.href = {static_cast<std::uint32_t>(page.strings.size()),
                 static_cast<std::uint32_t>(url.text().size())};
    page.strings += url.text();
    return &link;
  };
  each_field(head, "link", [&](std::string_view value) {
    for (const LinkField& field : parse_link(value)) {
      if (!is_of_page(field, own)) continue;
      HtmlLink* const link = add(LinkKind::kLink, field.target);
      if (link == nullptr) continue;
      link->rel = parse_rel(field.rel);
      link->is_feed = (link->rel & kRelAlternate) != 0 && is_feed_type(field.type);
    }
  });
  std::uint32_t delay = 0;
  std::string_view target;
  if (parse_refresh(head_field(head, "refresh"), delay, target) && !target.empty()) {
    if (HtmlLink* const link = add(LinkKind::kRefresh, target)) link->delay = delay;
  }
  page.links.insert(page.links.begin(), links.begin(), links.end());
}

}  // namespace bowerbird
