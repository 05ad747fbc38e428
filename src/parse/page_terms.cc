#include "parse/page_terms.h"

#include <algorithm>

namespace bowerbird {

void TermCounter::begin() {
  if (++turn_ == 0) {
    std::fill(slots_.begin(), slots_.end(), Slot{0, 0});
    turn_ = 1;
  }
  terms_.clear();
  anchors_.clear();
}

void TermCounter::grow() {
  slots_.assign(slots_.size() * 2, Slot{0, 0});
  for (std::uint32_t place = 0; place < terms_.size(); ++place) {
    std::size_t i = terms_[place].term & (slots_.size() - 1);
    while (slots_[i].turn == turn_) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {turn_, place};
  }
}

std::uint32_t TermCounter::place_of(Term term) {
  std::size_t i = term & (slots_.size() - 1);
  for (; slots_[i].turn == turn_; i = (i + 1) & (slots_.size() - 1)) {
    if (terms_[slots_[i].place].term == term) return slots_[i].place;
  }
  if (terms_.size() == kMostTerms) return kNone;
  const auto place = static_cast<std::uint32_t>(terms_.size());
  slots_[i] = {turn_, place};
  terms_.push_back({term, 0, 0});
  if (terms_.size() * 2 > slots_.size()) grow();
  return place;
}

void TermCounter::add_title(std::string_view text) {
  TextWords words(text);
  while (words.next()) {
    if (const std::uint32_t place = place_of(term_of(words)); place != kNone) ++terms_[place].title;
  }
}

void TermCounter::add_text(std::string_view text) {
  TextWords words(text);
  while (words.next()) {
    if (const std::uint32_t place = place_of(term_of(words)); place != kNone) ++terms_[place].body;
  }
}

void TermCounter::add_anchor(std::uint32_t link, std::string_view text) {
  TextWords words(text);
  while (anchors_.size() < kMostAnchors && words.next()) {
    if (const std::uint32_t place = place_of(term_of(words)); place != kNone) {
      anchors_.push_back({link, place});
    }
  }
}

PageTerms TermCounter::finish() {
  PageTerms page;
  page.terms = terms_;
  std::sort(page.terms.begin(), page.terms.end(),
            [](const TermCount& a, const TermCount& b) { return a.term < b.term; });
  page.anchors = anchors_;
  for (AnchorWord& word : page.anchors) {
    const Term term = terms_[word.place].term;
    const auto at = std::partition_point(page.terms.begin(), page.terms.end(),
                                         [=](const TermCount& one) { return one.term < term; });
    word.place = static_cast<std::uint32_t>(at - page.terms.begin());
  }
  std::sort(page.anchors.begin(), page.anchors.end());
  page.anchors.erase(std::unique(page.anchors.begin(), page.anchors.end()), page.anchors.end());
  return page;
}

}  // namespace bowerbird
