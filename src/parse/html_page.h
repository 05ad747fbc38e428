// The content of an HTML page for a crawler: links, directives, title, text.
//
// A plain result, filled by HtmlScanner and reusable for the next page: its buffers keep their memory. Spans
// point into `strings` (attribute values) or `text`; every string in it is valid UTF-8. Links are in page
// order; hrefs are as written (references resolved, not trimmed, not made absolute). Threads: as a
// std::vector.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "encoding/encoding.h"

namespace bowerbird {

struct TextSpan {
  std::uint32_t at = 0;
  std::uint32_t size = 0;
};

enum class LinkKind : std::uint8_t {
  kAnchor,   // a href (in SVG also xlink:href); any element of MathML with one
  kArea,     // area href
  kLink,     // link href: canonical, alternate, next, stylesheet ..., depending on rel
  kFrame,    // frame src
  kIframe,   // iframe src
  kRefresh,  // meta http-equiv=refresh
  kImage,    // img src and srcset, picture's source, link imagesrcset, input type=image, video poster,
             // background, SVG's image and use, url() of inline CSS: requisites
  kScript,   // script src: a requisite
  kMedia,    // audio, video, track, embed, object, data-src of an iframe: requisites
  kStyle,    // @import of a <style>: a requisite
  kFont,     // @font-face of a <style>: a requisite
};

// The relevant link types in `rel`; a set of bits.
enum Rel : std::uint32_t {
  kRelNofollow = 1 << 0,
  kRelUgc = 1 << 1,
  kRelSponsored = 1 << 2,
  kRelCanonical = 1 << 3,
  kRelAlternate = 1 << 4,
  kRelStylesheet = 1 << 5,
  kRelIcon = 1 << 6,
  kRelNext = 1 << 7,
  kRelPrev = 1 << 8,
  kRelAmphtml = 1 << 9,
  kRelHint = 1 << 10,     // dns-prefetch, preconnect: names a host, not a page
  kRelPreload = 1 << 11,  // preload, modulepreload
  kRelPrefetch = 1 << 12,
  kRelManifest = 1 << 13,
  kRelNoopener = 1 << 14,
  kRelNoreferrer = 1 << 15,
  kRelExternal = 1 << 16,
  kRelTag = 1 << 17,
  kRelLicense = 1 << 18,
  kRelAuthor = 1 << 19,
  kRelBookmark = 1 << 20,
  kRelHelp = 1 << 21,
  kRelSearch = 1 << 22,
  kRelMe = 1 << 23,
  kRelShortlink = 1 << 24,
};

// The link types in a rel attribute; types not listed above are ignored.
std::uint32_t parse_rel(std::string_view rel);
// "nofollow ugc", in the order of the bits.
std::string rel_text(std::uint32_t rel);
std::string_view link_kind_name(LinkKind kind);

struct HtmlLink {
  LinkKind kind = LinkKind::kAnchor;
  bool in_frame = false;  // of a page in an attribute, <iframe srcdoc>, which is always UTF-8
  bool in_css = false;    // of a style attribute or a <style>; CSS escapes are resolved
  bool is_feed = false;   // kLink: rel=alternate with the media type of a feed
  std::uint32_t rel = 0;
  std::uint32_t delay = 0;  // kRefresh: seconds
  TextSpan href;            // in strings
  TextSpan hreflang;        // in strings; kAnchor, kArea and kLink
  TextSpan anchor;          // in text; kAnchor: the text between <a> and </a>, with the alt of images

  // Whether it is fetched to display the page, not as another page.
  bool is_requisite() const {
    return kind >= LinkKind::kImage ||
           (kind == LinkKind::kLink && (rel & (kRelStylesheet | kRelIcon | kRelPreload | kRelManifest)) != 0);
  }
};

// <meta name="robots" content="...">, or with the name of another robot.
struct RobotsMeta {
  TextSpan name;  // lower case
  TextSpan content;
};

// An HTML page in an attribute, <iframe srcdoc>. Its links are included in those of the page.
struct HtmlFrame {
  TextSpan html;
  std::size_t links_before = 0;  // of the page
};

struct HtmlPage {
  Encoding encoding = Encoding::kUtf8;  // of its bytes
  bool xhtml = false;                   // it was read as XML
  std::vector<HtmlLink> links;
  std::vector<RobotsMeta> robots;
  std::vector<HtmlFrame> frames;
  bool has_base = false;
  TextSpan base;               // href of the first <base> that has one, in strings
  TextSpan charset;            // first label in a <meta>, in strings
  TextSpan language;           // lang of <html>, in strings
  std::string title;           // of the first <title>, white space collapsed
  std::string text;            // visible text, white space collapsed; only on request
  std::vector<TextSpan> weak;  // parts of text in links, menus, footers and similar; ascending, disjoint
  std::string strings;
  bool truncated = false;  // a limit of HtmlOptions was reached

  std::string_view string(TextSpan span) const {
    return std::string_view(strings).substr(span.at, span.size);
  }
  std::string_view href(const HtmlLink& link) const { return string(link.href); }
  Encoding query_encoding(const HtmlLink& link) const { return link.in_frame ? Encoding::kUtf8 : encoding; }
  std::string_view anchor(const HtmlLink& link) const {
    return std::string_view(text).substr(link.anchor.at, link.anchor.size);
  }
  void clear();
};

}  // namespace bowerbird
