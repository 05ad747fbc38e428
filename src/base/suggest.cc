#include "base/suggest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"

namespace bowerbird {

// Damerau-Levenshtein distance (optimal string alignment), row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  CHECK(a.size() <= kLongestWord && b.size() <= kLongestWord);
  std::array<std::array<std::size_t, kLongestWord + 1>, 3> rows;  // of i, i - 1 and i - 2, modulo 3
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
      }
    }
  }
  return rows[a.size() % 3][b.size()];
}

std::vector<std::string> closest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::size_t tolerated = 1 + word.size() / 4;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    std::size_t d = edit_distance(word, candidate);
    if (candidate.starts_with(word) && word.size() >= 2) d = std::min<std::size_t>(d, 1);
    if (d <= tolerated) near.emplace_back(d, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> best;
  for (std::size_t i = 0; i < near.size() && best.size() < 3; ++i) {
    if (std::ranges::find(best, near[i].second) == best.end()) best.push_back(std::move(near[i].second));
  }
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

Result<std::size_t> index_among(std::string_view word, const std::vector<std::string>& names,
                                std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string meant = did_you_mean(word, names);
  return error("unknown {} '{}'{}", what, word,
               meant.empty() ? fmt::format("; choose from: {}", fmt::join(names, ", ")) : meant);
}

}  // namespace bowerbird
