// "Did you mean": the candidates that come closest to a word somebody typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Candidates within a few typing errors of `word` (insert, delete, replace, swap neighbours) or beginning
// with it, the closest first, at most three; empty if none is close.
std::vector<std::string> closest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'a' or 'b'?", or an empty string.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// The place of `word` among the names of an enumeration, or an error that says what there is.
Result<std::size_t> place_among(std::string_view word, const std::vector<std::string>& names,
                                std::string_view what);

}  // namespace bowerbird
