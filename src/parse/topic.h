// A topic: a few words, and whether a text contains one of them.
//
// A word is a run of letters and digits in lower case (parse/text_words.h), stored as 28 bits of its hash: a
// *term*. Two words in a vocabulary of a million are the same term with a chance of 0.4 %, which does no harm
// here. Pure; threads: shared once made.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parse/text_words.h"

namespace bowerbird {

using Term = std::uint32_t;
inline constexpr Term kMaxTerm = (1u << 28) - 1;

inline Term term_of(const TextWords& words) {
  return static_cast<Term>(words.hash() >> 36);
}

class Topic {
 public:
  // The words of a text, separated by anything that is not a letter or digit; fails if there is none.
  static Result<Topic> parse(std::string_view words);

  std::span<const Term> terms() const { return terms_; }  // distinct, ascending
  bool holds(Term term) const;
  bool found_in(std::string_view text) const;
  // Escapes are resolved first; scheme, host, path and query are all searched.
  bool found_in_url(std::string_view url) const;

 private:
  std::vector<Term> terms_;
};

}  // namespace bowerbird
