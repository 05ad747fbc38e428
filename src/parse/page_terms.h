// The words of a page with their counts, and the words of its links.
//
// A TermCounter is reused for one page after the other and keeps its memory: begin(), add_title() and
// add_text(), then add_anchor() for the links, then finish(). Hostile pages cannot make it grow without
// limit: terms beyond kMostTerms, and anchor words beyond kMostAnchors, are dropped. Threads: one user at a
// time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/topic.h"

namespace bowerbird {

struct TermCount {
  Term term = 0;
  std::uint32_t body = 0;
  std::uint32_t title = 0;
  friend bool operator==(const TermCount&, const TermCount&) = default;
};

struct AnchorWord {
  std::uint32_t link = 0;   // index of the link on its page
  std::uint32_t place = 0;  // index of the word in `terms`
  friend auto operator<=>(const AnchorWord&, const AnchorWord&) = default;
};

struct PageTerms {
  std::vector<TermCount> terms;     // by term, ascending
  std::vector<AnchorWord> anchors;  // ascending, without duplicates
  friend bool operator==(const PageTerms&, const PageTerms&) = default;
};

class TermCounter {
 public:
  static constexpr std::size_t kMostTerms = 1 << 16;
  static constexpr std::size_t kMostAnchors = 1 << 18;

  void begin();
  void add_title(std::string_view text);
  void add_text(std::string_view text);
  void add_anchor(std::uint32_t link, std::string_view text);
  PageTerms finish();

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // The index of the term in terms_, to which it is added if it is new; kNone: there is no room.
  std::uint32_t place_of(Term term);
  void grow();

  struct Slot {
    std::uint32_t turn;
    std::uint32_t place;
  };
  // open addressing; a slot is valid if it has the page's turn
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::uint32_t turn_ = 0;
  std::vector<TermCount> terms_;  // in order of appearance
  std::vector<AnchorWord> anchors_;
};

}  // namespace bowerbird
