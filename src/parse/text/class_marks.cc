#include "parse/text/class_marks.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <vector>

#include "base/ascii.h"
#include "base/hash.h"

namespace bowerbird {

namespace {

struct GroupWords {
  ClassGroup group;
  std::string_view words;  // by blanks; '-' is an end of a part of a name
};

constexpr GroupWords kGroupWords[] = {
    {ClassGroup::kArticle, "article story entry- -post- -blog news- single"},
    {ClassGroup::kContent,
     "content -body body- -text- -text text- -copy prose markdown rich-text richtext wysiwyg"},
    {ClassGroup::kMain, "-main main- primary"},
    {ClassGroup::kNavigation, "nav menu"},
    {ClassGroup::kBreadcrumb, "crumb"},
    {ClassGroup::kFooter, "footer -foot- bottom colophon"},
    {ClassGroup::kHeader, "header masthead topbar -top-"},
    {ClassGroup::kSidebar, "sidebar aside -side- -rail secondary"},
    {ClassGroup::kComment, "comment discuss respond"},
    {ClassGroup::kRelated,
     "related recommend similar also- -more more- popular trending latest recent suggest upnext"},
    {ClassGroup::kShare, "share sharing social follow"},
    {ClassGroup::kAdvert, "-ad- -ads- advert sponsor promo banner"},
    {ClassGroup::kConsent, "cookie consent gdpr privacy"},
    {ClassGroup::kPopup,
     "modal popup overlay dialog drawer offcanvas lightbox toast flyout dropdown tooltip"},
    {ClassGroup::kNewsletter, "newsletter subscri signup sign-up optin opt-in mailing -cta"},
    {ClassGroup::kAuthor, "author byline -bio contributor writer"},
    {ClassGroup::kDate, "-date date- -time- -meta published timestamp posted"},
    {ClassGroup::kCategory, "-tag categor taxonomy -label label- badge"},
    {ClassGroup::kPager, "paginat pager -pages -next- -prev"},
    {ClassGroup::kWidget, "widget module plugin"},
    {ClassGroup::kHidden,
     "-hidden hidden- sr-only visually screen-reader screenreader offscreen clipped invisible -hide- d-none"},
    {ClassGroup::kCaption, "caption credit"},
    {ClassGroup::kMedia, "image gallery photo media video slide carousel thumb player figure"},
    {ClassGroup::kProduct, "product -item- sku variant stock shipping -pdp"},
    {ClassGroup::kPrice, "price -buy -cart add-to basket checkout wishlist"},
    {ClassGroup::kReview, "review rating stars testimonial feedback"},
    {ClassGroup::kForum, "thread forum topic board reply replies"},
    {ClassGroup::kMessage, "message bbcode postbody post-body cooked usertext"},
    {ClassGroup::kUser, "user avatar profile member signature account"},
    {ClassGroup::kList, "list items results -feed"},
    {ClassGroup::kCard, "card grid tile teaser -item"},
    {ClassGroup::kTitle, "title headline heading"},
    {ClassGroup::kSearch, "search filter sort facet"},
    {ClassGroup::kForm, "form input field login sign-in signin register button -btn"},
    {ClassGroup::kTab, "-tab accordion collaps panel toggle expand"},
    {ClassGroup::kContents, "-toc contents outline -anchor"},
    {ClassGroup::kDescription,
     "descr -desc summary excerpt abstract intro -lead -dek subtitle standfirst teaser"},
    {ClassGroup::kSpecification, "spec attribute feature detail -info table propert"},
    {ClassGroup::kQuestion, "faq question answer -qa"},
    {ClassGroup::kHero, "hero jumbotron"},
    {ClassGroup::kTool, "toolbar tools action print -edit utility control option"},
    {ClassGroup::kLegal, "copyright legal disclaimer terms license"},
    {ClassGroup::kCode, "code highlight syntax"},
    {ClassGroup::kReference, "footnote reference citation -notes endnote bibliog cite"},
    {ClassGroup::kNotice, "alert notice warning -note- callout -tip"},
    {ClassGroup::kLanguage, "lang- language locale translat"},
    {ClassGroup::kSkip, "skip jump"},
    {ClassGroup::kQuote, "quote"},
};
static_assert(std::size(kGroupWords) == static_cast<std::size_t>(ClassGroup::kCount));

constexpr unsigned kSymbols = 27;  // a to z; 26 is everything else
constexpr unsigned kBoundary = 26;

unsigned symbol_of(char c) {
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'z' ? static_cast<unsigned>(lower - 'a') : kBoundary;
}

// Finds all words in one pass (Aho and Corasick, 1975).
class WordAutomaton {
 public:
  WordAutomaton() {
    add_state();
    for (const GroupWords& row : kGroupWords) {
      std::string_view rest = row.words;
      while (!rest.empty()) {
        const std::size_t size = std::min(rest.find(' '), rest.size());
        add(rest.substr(0, size), group_bit(row.group));
        rest.remove_prefix(std::min(size + 1, rest.size()));
      }
    }
    link();
  }

  std::uint16_t step(std::uint16_t state, unsigned symbol) const { return next_[state][symbol]; }
  ClassGroups found(std::uint16_t state) const { return found_[state]; }

 private:
  void add_state() {
    next_.emplace_back();
    found_.push_back(0);
  }

  void add(std::string_view word, ClassGroups bit) {
    std::size_t state = 0;
    for (const char c : word) {
      if (next_[state][symbol_of(c)] == 0) {
        next_[state][symbol_of(c)] = static_cast<std::uint16_t>(next_.size());
        add_state();
      }
      state = next_[state][symbol_of(c)];
    }
    found_[state] |= bit;
  }

  // Fills in where to go on when a word ends early, breadth first.
  void link() {
    std::vector<std::uint16_t> fallback(next_.size(), 0);
    std::queue<std::uint16_t> order;
    for (const std::uint16_t state : next_[0]) {
      if (state != 0) order.push(state);
    }
    for (; !order.empty(); order.pop()) {
      const std::uint16_t state = order.front();
      found_[state] |= found_[fallback[state]];
      for (unsigned symbol = 0; symbol < kSymbols; ++symbol) {
        std::uint16_t& target = next_[state][symbol];
        const std::uint16_t otherwise = next_[fallback[state]][symbol];
        if (target == 0) {
          target = otherwise;
        } else {
          fallback[target] = otherwise;
          order.push(target);
        }
      }
    }
  }

  std::vector<std::array<std::uint16_t, kSymbols>> next_;
  std::vector<ClassGroups> found_;
};

ClassMarks marks_of(std::string_view value) {
  static const WordAutomaton automaton;
  ClassMarks marks;
  std::uint32_t hash = 2166136261u;
  std::uint16_t state = automaton.step(0, kBoundary);
  char before = '\0';
  const auto read = [&](unsigned symbol) {
    state = automaton.step(state, symbol);
    marks.groups |= automaton.found(state);
  };
  for (const char c : value) {
    if (is_ascii_upper(c) && before >= 'a' && before <= 'z') read(kBoundary);  // camelCase
    read(symbol_of(c));
    if (!is_ascii_digit(c)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    before = c;
  }
  read(kBoundary);
  marks.signature = hash;
  return marks;
}

}  // namespace

ClassMarks ClassMarker::mark(std::string_view value) {
  if (value.empty()) return {};
  const std::uint64_t hash = hash64(value);
  Seen& seen = seen_[hash % seen_.size()];
  if (seen.hash != hash) seen = {hash, marks_of(value)};
  return seen.marks;
}

}  // namespace bowerbird
