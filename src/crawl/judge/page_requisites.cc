// What a page, a frame or a style sheet needs to be displayed.
#include <algorithm>

#include "base/ascii.h"
#include "crawl/judge/page_parser.h"
#include "parse/css.h"
#include "parse/header_links.h"
#include "parse/http_head.h"
#include "parse/web_manifest.h"
#include "store/known_urls.h"

namespace bowerbird {

namespace {

bool is_frame(const HtmlLink& link) {
  return link.kind == LinkKind::kFrame || link.kind == LinkKind::kIframe;
}

}  // namespace

// A redirect leads to the requisite. A style sheet, a frame and a manifest name further ones. Other types
// are not parsed, except for manifests: browsers do not check their type either.
void PageParser::read_requisite(ParsedPage& result) {
  const RequisiteKind kind = *result.page.requisite;
  FetchOutcome& fetch = result.page.fetch;
  if (result.outcome == Outcome::kRedirect) {
    if (redirect_target(fetch.head, own_, link_)) add_requisite(link_, kind, false, result);
    return;
  }
  if (result.outcome != Outcome::kFetched) return;
  const ContentType type = content_type_of(fetch.head);
  const bool sheet = type.type == "text/css" || (type.type.empty() && kind == RequisiteKind::kSheet);
  const bool manifest = kind == RequisiteKind::kManifest;
  const bool svg = type.type == "image/svg+xml";
  const bool frame = kind == RequisiteKind::kFrame && (BodyTypes::is_html(type.type) || svg);
  if (!sheet && !frame && !manifest) return;
  std::string_view bytes;
  result.outcome = decode(fetch, bytes);
  if (result.outcome != Outcome::kFetched) return;
  if (manifest) return read_manifest_body(bytes, result);
  if (sheet) return read_css_body(bytes, type, result);
  plain_.read(bytes, {type.charset, {}, svg || BodyTypes::is_xhtml(type.type)}, html_);
  take_directives();
  add_header_links(fetch.head, own_, html_);
  gather_requisites(result);
}

void PageParser::read_css_body(std::string_view bytes, const ContentType& type, ParsedPage& result) {
  std::string converted;
  bytes = css_text(bytes, type.charset, converted);
  read_css(bytes, CssPart::kSheet, [&](const CssReference& reference) {
    if (canonical_url(reference.url, &own_, link_) != UrlFault::kNone) return;
    const bool import = reference.use == CssUse::kImport;
    add_requisite(link_, import ? RequisiteKind::kSheet : RequisiteKind::kLeaf, false, result);
  });
}

void PageParser::read_manifest_body(std::string_view bytes, ParsedPage& result) {
  read_manifest_icons(bytes, [&](std::string_view icon) {
    if (canonical_url(icon, &own_, link_) == UrlFault::kNone)
      add_requisite(link_, RequisiteKind::kLeaf, false, result);
  });
}

// Browsers request /favicon.ico if the page names no icon.
void PageParser::add_default_icon(ParsedPage& result) {
  const bool named = std::ranges::any_of(html_.links, [](const HtmlLink& link) {
    return link.kind == LinkKind::kLink && (link.rel & kRelIcon) != 0 && !link.in_frame;
  });
  if (!named && canonical_url("/favicon.ico", &own_, link_) == UrlFault::kNone)
    add_requisite(link_, RequisiteKind::kLeaf, false, result);
}

// Expects that links were gathered before.
void PageParser::gather_requisites(ParsedPage& result) {
  const auto wanted = [this](const HtmlLink& link) {
    const bool names_something = !trimmed(html_.href(link), kAsciiSpaces).empty();
    return names_something && (is_frame(link) || (link.is_requisite() && (link.rel & kRelHint) == 0));
  };
  const auto add = [&](const HtmlLink& link, const Url& url) -> std::uint32_t {
    add_requisite(url, requisite_kind_of(link), is_frame(link), result);
    return 0;
  };
  resolver_.resolve(html_, own_, wanted, add, [](const HtmlLink&, std::uint32_t) {});
}

// frame: a frame in scope is a page of the crawl, unless its URL suggests a type that is not in --types.
void PageParser::add_requisite(const Url& url, RequisiteKind kind, bool frame, ParsedPage& result) {
  if (result.requisites.size() >= settings_.max_requisites || result.texts.size() >= settings_.max_texts)
    return;
  const std::uint64_t fingerprint = KnownUrls::fingerprint(url.text());
  if (url.text() == own_.text() || !requisites_seen_.insert(fingerprint).second) return;
  if (frame && settings_.types != nullptr && settings_.types->leaves_out_path(url.path())) frame = false;
  if (scope() != nullptr && scope()->excludes(url)) {
    ++result.requisites_excluded;
    return;
  }
  if (frame && (scope() == nullptr || scope()->judge(url, scope_cache_) == ScopeVerdict::kIn))
    kind = RequisiteKind::kPage;
  result.requisites.push_back({found_link(url, fingerprint, result), kind});
}

}  // namespace bowerbird
