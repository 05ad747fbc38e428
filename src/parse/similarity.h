// How similar a page is to a topic. [004], metric 1.
//
// IS: page and topic are vectors with one dimension per term: its number of occurrences, with words of the
// title counting four times, times its idf; IS is the cosine between them. The paper leaves idf open: here it
// is log10(1 + N / n), with N pages seen and n of them with the term; a live crawl estimates it from the
// pages crawled so far. Pages are counted by the low 22 bits of a term, so that memory does not grow with the
// vocabulary (16 MB). The other measure of the paper: a page is *on* the topic if the title contains a word
// of it, or the text contains its words ten times. Threads: one user at a time for add(), many for the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/page_terms.h"

namespace bowerbird {

bool is_on_topic(const Topic& topic, const PageTerms& page);
bool anchor_on_topic(const Topic& topic, const PageTerms& page, const AnchorWord& word);

class TermStatistics {
 public:
  static constexpr double kTitleWeight = 4;

  TermStatistics() : pages_with_(std::size_t{1} << kBits, 0) {}

  void add(const PageTerms& page);
  std::uint64_t pages() const { return pages_; }
  double idf(Term term) const;
  double similarity(const Topic& topic, const PageTerms& page) const;

 private:
  static constexpr unsigned kBits = 22;
  static std::size_t slot(Term term) { return term & ((1u << kBits) - 1); }

  std::uint64_t pages_ = 0;
  std::vector<std::uint32_t> pages_with_;
};

}  // namespace bowerbird
