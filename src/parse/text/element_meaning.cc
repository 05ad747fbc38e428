#include "parse/text/element_meaning.h"

#include <array>

#include "base/ascii.h"
#include "parse/text/element_traits.h"

namespace bowerbird {

namespace {

struct TagMeaning {
  TagId tag;
  Meaning meaning;
};

constexpr TagMeaning kTagMeanings[] = {
    {TagId::kNav, Meaning::kNav},
    {TagId::kMenu, Meaning::kNav},
    {TagId::kHeader, Meaning::kHeader},
    {TagId::kFooter, Meaning::kFooter},
    {TagId::kAside, Meaning::kAside},
    {TagId::kMain, Meaning::kMain},
    {TagId::kArticle, Meaning::kArticle},
    {TagId::kSection, Meaning::kSection},
    {TagId::kForm, Meaning::kForm},
    {TagId::kSearch, Meaning::kForm},
    {TagId::kUl, Meaning::kList},
    {TagId::kOl, Meaning::kList},
    {TagId::kLi, Meaning::kItem},
    {TagId::kDl, Meaning::kTerms},
    {TagId::kDt, Meaning::kTerms},
    {TagId::kDd, Meaning::kTerms},
    {TagId::kTable, Meaning::kTable},
    {TagId::kTd, Meaning::kCell},
    {TagId::kTh, Meaning::kCell},
    {TagId::kFigure, Meaning::kFigure},
    {TagId::kPicture, Meaning::kFigure},
    {TagId::kFigcaption, Meaning::kFigcaption},
    {TagId::kCaption, Meaning::kFigcaption},
    {TagId::kBlockquote, Meaning::kQuote},
    {TagId::kQ, Meaning::kQuote},
    {TagId::kDetails, Meaning::kDetails},
    {TagId::kSummary, Meaning::kDetails},
    {TagId::kDialog, Meaning::kDialog},
    {TagId::kButton, Meaning::kButton},
    {TagId::kNoscript, Meaning::kNoscript},
    {TagId::kTemplate, Meaning::kTemplate},
    {TagId::kSelect, Meaning::kSelect},
    {TagId::kOption, Meaning::kSelect},
    {TagId::kTextarea, Meaning::kSelect},
    {TagId::kLabel, Meaning::kLabel},
    {TagId::kLegend, Meaning::kLabel},
    {TagId::kA, Meaning::kAnchor},
    {TagId::kH1, Meaning::kHeading},
    {TagId::kH2, Meaning::kHeading},
    {TagId::kH3, Meaning::kHeading},
    {TagId::kH4, Meaning::kHeading},
    {TagId::kH5, Meaning::kHeading},
    {TagId::kH6, Meaning::kHeading},
    {TagId::kP, Meaning::kParagraph},
    {TagId::kPre, Meaning::kPre},
    {TagId::kCode, Meaning::kPre},
    {TagId::kFieldset, Meaning::kFieldset},
    {TagId::kSpan, Meaning::kSpan},
    {TagId::kB, Meaning::kInline},
    {TagId::kStrong, Meaning::kInline},
    {TagId::kEm, Meaning::kInline},
    {TagId::kI, Meaning::kInline},
    {TagId::kSmall, Meaning::kInline},
    {TagId::kTime, Meaning::kTime},
};

constexpr std::array kMeaningOfTag = [] {
  std::array<Meanings, index_of(TagId::kCount)> meanings{};
  for (const TagMeaning& row : kTagMeanings) meanings[index_of(row.tag)] = bit(row.meaning);
  return meanings;
}();

struct RoleMeaning {
  std::string_view role;
  Meaning meaning;
};

constexpr RoleMeaning kRoles[] = {
    {"navigation", Meaning::kNav},     {"menu", Meaning::kNav},           {"menubar", Meaning::kNav},
    {"banner", Meaning::kHeader},      {"contentinfo", Meaning::kFooter}, {"complementary", Meaning::kAside},
    {"main", Meaning::kMain},          {"article", Meaning::kArticle},    {"dialog", Meaning::kDialog},
    {"alertdialog", Meaning::kDialog}, {"button", Meaning::kButton},      {"search", Meaning::kForm},
    {"list", Meaning::kList},          {"listitem", Meaning::kItem},      {"heading", Meaning::kHeading},
    {"tooltip", Meaning::kDialog},     {"tablist", Meaning::kNav},        {"form", Meaning::kForm},
};

}  // namespace

Meanings meaning_of_tag(TagId tag) {
  return kMeaningOfTag[index_of(tag)];
}

Meanings meaning_of_role(std::string_view role) {
  Meanings found = 0;
  for (const RoleMeaning& row : kRoles) {
    if (equals_ignoring_case(role, row.role)) found |= bit(row.meaning);
  }
  return found;
}

float tag_number(TagId tag) {
  const Meanings meaning = kMeaningOfTag[index_of(tag)];
  if (meaning != 0) return static_cast<float>(__builtin_ctzll(meaning) + 1);
  switch (tag) {
    case TagId::kDiv:
      return 50;
    case TagId::kBody:
      return 51;
    case TagId::kTr:
    case TagId::kTbody:
    case TagId::kThead:
    case TagId::kTfoot:
      return 52;
    case TagId::kUnknown:
      return 53;
    default:
      return 0;
  }
}

int heading_level(TagId tag) {
  return has_trait(tag, kHeading) ? static_cast<int>(tag) - static_cast<int>(TagId::kH1) + 1 : 0;
}

}  // namespace bowerbird
