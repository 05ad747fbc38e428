#include "parse/similarity.h"

#include <cmath>

namespace bowerbird {

namespace {

constexpr std::uint64_t kOftenEnough = 10;

}  // namespace

bool is_on_topic(const Topic& topic, const PageTerms& page) {
  std::uint64_t body = 0;
  for (const TermCount& one : page.terms) {
    if (!topic.holds(one.term)) continue;
    if (one.title > 0) return true;
    body += one.body;
  }
  return body >= kOftenEnough;
}

bool anchor_on_topic(const Topic& topic, const PageTerms& page, const AnchorWord& word) {
  return topic.holds(page.terms[word.place].term);
}

void TermStatistics::add(const PageTerms& page) {
  ++pages_;
  for (const TermCount& one : page.terms) ++pages_with_[slot(one.term)];
}

double TermStatistics::idf(Term term) const {
  const std::uint32_t with = std::max(1u, pages_with_[slot(term)]);
  return std::log10(1 + static_cast<double>(pages_) / with);
}

double TermStatistics::similarity(const Topic& topic, const PageTerms& page) const {
  double product = 0, page_square = 0, topic_square = 0;
  for (const TermCount& one : page.terms) {
    const double weight = idf(one.term);
    const double here = (one.body + kTitleWeight * one.title) * weight;
    page_square += here * here;
    if (topic.holds(one.term)) product += here * weight;
  }
  for (const Term term : topic.terms()) topic_square += idf(term) * idf(term);
  return product > 0 ? product / std::sqrt(page_square * topic_square) : 0;
}

}  // namespace bowerbird
