// "Did you mean": the candidates most similar to a mistyped word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Typing errors (insert, delete, replace, swap neighbours) between two words of at most kLongestWord bytes.
inline constexpr std::size_t kLongestWord = 64;  // longer words are not compared
std::size_t edit_distance(std::string_view a, std::string_view b);

// Candidates within a few typing errors of `word` or beginning with it, the closest first, at most three;
// empty if none is close.
std::vector<std::string> closest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'a' or 'b'?", or an empty string.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// The index of `word` among the names of an enumeration, or an error that lists them.
Result<std::size_t> index_among(std::string_view word, const std::vector<std::string>& names,
                                std::string_view what);

}  // namespace bowerbird
