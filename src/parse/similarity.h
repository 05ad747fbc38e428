// How much a page has to do with a topic. [004], metric 1.
//
// IS: page and topic are vectors, one dimension a term: how often it occurs, a word of the title counting
// four times, by its idf; IS is the cosine between them. The paper leaves idf open: log10(1 + N / n) here, N
// pages seen and n of them with the term; live it is estimated from the pages crawled so far. Pages are
// counted by the low 22 bits of a term, so that memory does not grow with the vocabulary (16 MB). The other
// measure of the paper: a page is *on* the topic if the title holds a word of it, or the text holds its words
// ten times. Threads: one user at a time for add(), many for the rest.
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
