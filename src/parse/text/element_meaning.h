// What the tag or the role of an element says about its content: navigation, a list, a quote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/html_tag.h"

namespace bowerbird {

enum class Meaning : std::uint8_t {
  kNav,
  kHeader,
  kFooter,
  kAside,
  kMain,
  kArticle,
  kSection,
  kForm,
  kList,
  kItem,
  kTerms,
  kTable,
  kCell,
  kFigure,
  kFigcaption,
  kQuote,
  kDetails,
  kDialog,
  kButton,
  kNoscript,
  kTemplate,
  kSelect,
  kLabel,
  kAnchor,
  kHeading,
  kParagraph,
  kPre,
  kFieldset,
  kSpan,
  kInline,
  kTime,
  kHidden,
  kAriaHidden,
  kCount,
};
constexpr std::size_t kMeanings = static_cast<std::size_t>(Meaning::kCount);

// A set of meanings: bit by number.
using Meanings = std::uint64_t;
constexpr Meanings bit(Meaning meaning) {
  return Meanings{1} << static_cast<unsigned>(meaning);
}

Meanings meaning_of_tag(TagId tag);
// Of the value of a role attribute.
Meanings meaning_of_role(std::string_view role);

// Tags in an order of our own, because numbers of TagId may change.
float tag_number(TagId tag);
// Heading 1 to 6, or 0.
int heading_level(TagId tag);

}  // namespace bowerbird
