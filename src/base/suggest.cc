#include "base/suggest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace bowerbird {

namespace {

// Damerau-Levenshtein distance (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> closest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 64;  // nobody mistypes a word of a thousand letters
  if (word.empty() || word.size() > kLongest) return {};
  const std::size_t tolerated = 1 + word.size() / 4;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    std::size_t d = distance(word, candidate);
    if (candidate.starts_with(word) && word.size() >= 2) d = std::min<std::size_t>(d, 1);
    if (d <= tolerated) near.emplace_back(d, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> best;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) best.push_back(std::move(near[i].second));
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string> near = closest(word, candidates);
  if (near.empty()) return {};
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += "'" + near[i] + "'";
  }
  return text + "?";
}

Result<std::size_t> place_among(std::string_view word, const std::vector<std::string>& names,
                                std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string meant = did_you_mean(word, names);
  return error("there is no {} '{}'{}", what, word,
               meant.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : meant);
}

}  // namespace bowerbird
