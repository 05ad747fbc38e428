// What an element's class names and id hint at: sets of common words for parts of a page ("sidebar",
// "comment").
//
// Words are looked for anywhere in the value, in lower case; where a word must begin or end a part of a name
// the table says so. A signature identifies elements made by the same template: a hash of the tag and its
// class names, digits left out. Values repeat on a page, so the last ones seen are remembered. Threads: one
// user at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bowerbird {

// A group of words; the number of its bit.
enum class ClassGroup : std::uint8_t {
  kArticle,
  kContent,
  kMain,
  kNavigation,
  kBreadcrumb,
  kFooter,
  kHeader,
  kSidebar,
  kComment,
  kRelated,
  kShare,
  kAdvert,
  kConsent,
  kPopup,
  kNewsletter,
  kAuthor,
  kDate,
  kCategory,
  kPager,
  kWidget,
  kHidden,
  kCaption,
  kMedia,
  kProduct,
  kPrice,
  kReview,
  kForum,
  kMessage,
  kUser,
  kList,
  kCard,
  kTitle,
  kSearch,
  kForm,
  kTab,
  kContents,
  kDescription,
  kSpecification,
  kQuestion,
  kHero,
  kTool,
  kLegal,
  kCode,
  kReference,
  kNotice,
  kLanguage,
  kSkip,
  kQuote,
  kCount,
};

using ClassGroups = std::uint64_t;

constexpr ClassGroups group_bit(ClassGroup group) {
  return ClassGroups{1} << static_cast<unsigned>(group);
}

struct ClassMarks {
  ClassGroups groups = 0;
  std::uint32_t signature = 0;
};

class ClassMarker {
 public:
  // The marks of one attribute value.
  ClassMarks mark(std::string_view value);

 private:
  struct Seen {
    std::uint64_t hash = 0;  // of the value
    ClassMarks marks;
  };
  std::array<Seen, 1024> seen_{};
};

}  // namespace bowerbird
