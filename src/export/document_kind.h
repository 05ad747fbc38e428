// Which media types hold documents that can be exported. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string_view>

#include "crawl/judge/body_types.h"
#include "parse/feed.h"

namespace bowerbird {

enum class DocumentKind : std::uint8_t { kNone, kHtml, kText, kPdf, kFeed };

// XML may be a feed: what it is, its root element says.
inline DocumentKind document_kind(std::string_view type) {
  if (BodyTypes::is_html(type)) return DocumentKind::kHtml;
  if (type == "application/pdf") return DocumentKind::kPdf;
  if (type == "text/plain") return DocumentKind::kText;
  if (is_feed_type(type) || type == "text/xml" || type == "application/xml") return DocumentKind::kFeed;
  return DocumentKind::kNone;
}

// A set of kinds: bit by number.
using DocumentKinds = std::uint8_t;
inline constexpr DocumentKinds kAllDocumentKinds = 0xFF;
constexpr DocumentKinds kind_bit(DocumentKind kind) {
  return static_cast<DocumentKinds>(1u << static_cast<unsigned>(kind));
}
inline constexpr DocumentKinds kAllButFeeds =
    static_cast<DocumentKinds>(kAllDocumentKinds ^ kind_bit(DocumentKind::kFeed));

}  // namespace bowerbird
