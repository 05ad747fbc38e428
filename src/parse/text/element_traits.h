// What the tree construction rules of the HTML standard (13.2.6.4.7) say about each element, beyond the flags
// of html_tag.h.
//
// Constants; threads: none needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "parse/html_tag.h"

namespace bowerbird {

// A set of bits.
enum ElementTrait : std::uint16_t {
  kScope = 1 << 0,       // ends the search for an element "in scope"
  kTableScope = 1 << 1,  // ends the search "in table scope"
  kClosesP = 1 << 2,     // its start tag closes an open <p>
  kFormatting = 1 << 3,
  kHeading = 1 << 4,
  kBlockEdge = 1 << 5,  // a block of text ends where it begins and where it ends
  kPlain = 1 << 6,      // special, but no barrier between <li>, <dd>, <dt> and the one before
  kList = 1 << 7,       // <ol>, <ul>: ends the search for an open <li>
};

constexpr std::size_t index_of(TagId tag) {
  return static_cast<std::size_t>(tag);
}

using ElementTraits = std::array<std::uint16_t, index_of(TagId::kCount)>;

constexpr ElementTraits make_element_traits() {
  using enum TagId;
  ElementTraits traits{};
  const auto set = [&](std::uint16_t trait, std::initializer_list<TagId> tags) {
    for (const TagId tag : tags) traits[index_of(tag)] |= trait;
  };
  set(kScope, {kApplet, kBody, kCaption, kTable, kTd, kTh, kMarquee, kObject, kTemplate});
  set(kTableScope, {kBody, kTable, kTemplate});
  set(kClosesP, {kAddress, kArticle, kAside, kBlockquote, kCenter,     kDd,     kDetails,   kDialog, kDir,
                 kDiv,     kDl,      kDt,    kFieldset,   kFigcaption, kFigure, kFooter,    kForm,   kH1,
                 kH2,      kH3,      kH4,    kH5,         kH6,         kHeader, kHgroup,    kHr,     kLi,
                 kListing, kMain,    kMenu,  kNav,        kOl,         kP,      kPlaintext, kPre,    kSearch,
                 kSection, kSummary, kTable, kUl,         kXmp});
  set(kFormatting, {kA, kB, kBig, kCode, kEm, kFont, kI, kNobr, kS, kSmall, kStrike, kStrong, kTt, kU});
  set(kHeading, {kH1, kH2, kH3, kH4, kH5, kH6});
  set(kBlockEdge,
      {kAddress, kArticle,  kAside,  kBlockquote, kBody,      kButton,   kCaption,  kCenter,     kDd,
       kDetails, kDialog,   kDir,    kDiv,        kDl,        kDt,       kFieldset, kFigcaption, kFigure,
       kFooter,  kForm,     kH1,     kH2,         kH3,        kH4,       kH5,       kH6,         kHeader,
       kHgroup,  kHr,       kLegend, kLi,         kListing,   kMain,     kMenu,     kNav,        kNoscript,
       kOl,      kOptgroup, kOption, kP,          kPlaintext, kPre,      kSearch,   kSection,    kSelect,
       kSummary, kTable,    kTbody,  kTd,         kTemplate,  kTextarea, kTfoot,    kTh,         kThead,
       kTr,      kUl,       kXmp});
  set(kPlain, {kAddress, kDiv, kP});
  set(kList, {kOl, kUl});
  return traits;
}

inline constexpr ElementTraits kElementTraits = make_element_traits();

constexpr bool has_trait(TagId tag, std::uint16_t traits) {
  return (kElementTraits[index_of(tag)] & traits) != 0;
}

}  // namespace bowerbird
