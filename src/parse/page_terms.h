// Which words a page uses, and how often; and the words of its links.
//
// TermCounter serves one page after the other and keeps its memory: begin(), add_title() and add_text(), then
// add_anchor() for the links, then finish(). What a hostile page can make of it is bounded: terms beyond
// kMostTerms, and anchor words beyond kMostAnchors, are left out. Threads: one user at a time.
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
  std::uint32_t link = 0;   // place of the link among those of its page
  std::uint32_t place = 0;  // of the word in `terms`
  friend auto operator<=>(const AnchorWord&, const AnchorWord&) = default;
};

struct PageTerms {
  std::vector<TermCount> terms;     // by term, ascending
  std::vector<AnchorWord> anchors;  // ascending, each once
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
  // The place of the term in terms_, which it gets if it has none yet; kNone: there is no room.
  std::uint32_t place_of(Term term);
  void grow();

  struct Slot {
    std::uint32_t turn;
    std::uint32_t place;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // an open table, marked by the page's turn
  std::uint32_t turn_ = 0;
  std::vector<TermCount> terms_;  // in the order of their appearance
  std::vector<AnchorWord> anchors_;
};

}  // namespace bowerbird
