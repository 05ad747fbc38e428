// The kinds of requisites, by the element that names them. Plain data.
#pragma once

#include <cstdint>

#include "parse/html_page.h"

namespace bowerbird {

enum class RequisiteKind : std::uint8_t {
  kLeaf,   // has no requisites of its own: an image, a script, a font
  kSheet,  // CSS
  kFrame,  // a page out of scope, or an object that may be one
  kManifest,
  kPage,  // a frame in scope: a page of the crawl, fetched as one
};
// The last kind that is fetched as a requisite.
constexpr RequisiteKind kLastRequisiteKind = RequisiteKind::kManifest;

inline RequisiteKind requisite_kind_of(const HtmlLink& link) {
  switch (link.kind) {
    case LinkKind::kStyle:
      return RequisiteKind::kSheet;
    case LinkKind::kLink:
      if ((link.rel & kRelStylesheet) != 0) return RequisiteKind::kSheet;
      return (link.rel & kRelManifest) != 0 ? RequisiteKind::kManifest : RequisiteKind::kLeaf;
    case LinkKind::kFrame:
    case LinkKind::kIframe:
    case LinkKind::kMedia:
      return RequisiteKind::kFrame;
    default:
      return RequisiteKind::kLeaf;
  }
}

}  // namespace bowerbird
