// What differs between two texts, line by line.
//
// The longest common subsequence of lines is kept; where the texts are so long that finding it would take too
// long, everything between their common beginning and end counts as replaced. Pure; threads: any.
#pragma once

#include <string_view>
#include <vector>

namespace bowerbird {

enum class DiffKind : char { kSame = ' ', kRemoved = '-', kAdded = '+' };

struct DiffLine {
  DiffKind kind = DiffKind::kSame;
  std::string_view text;  // of one of the two texts, which outlive it
};

std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after);

}  // namespace bowerbird
