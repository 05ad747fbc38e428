#include "export/text_diff.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace bowerbird {

namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kMostCells = 16'000'000;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// lengths[i * columns + j]: of the longest common subsequence of a[i...] and b[j...].
std::vector<std::uint32_t> common_lengths(std::span<const std::string_view> a,
                                          std::span<const std::string_view> b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::uint32_t> lengths((a.size() + 1) * columns);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      lengths[i * columns + j] = a[i] == b[j]
                                     ? lengths[(i + 1) * columns + j + 1] + 1
                                     : std::max(lengths[(i + 1) * columns + j], lengths[i * columns + j + 1]);
    }
  }
  return lengths;
}

void add_middle(std::span<const std::string_view> a, std::span<const std::string_view> b,
                std::vector<DiffLine>& lines) {
  std::size_t i = 0, j = 0;
  if ((a.size() + 1) * (b.size() + 1) <= kMostCells) {
    const std::vector<std::uint32_t> lengths = common_lengths(a, b);
    const std::size_t columns = b.size() + 1;
    while (i < a.size() && j < b.size()) {
      if (a[i] == b[j]) {
        lines.push_back({DiffKind::kSame, a[i]});
        ++i;
        ++j;
      } else if (lengths[(i + 1) * columns + j] >= lengths[i * columns + j + 1]) {
        lines.push_back({DiffKind::kRemoved, a[i++]});
      } else {
        lines.push_back({DiffKind::kAdded, b[j++]});
      }
    }
  }
  for (; i < a.size(); ++i) lines.push_back({DiffKind::kRemoved, a[i]});
  for (; j < b.size(); ++j) lines.push_back({DiffKind::kAdded, b[j]});
}

}  // namespace

std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after) {
  const Lines a = lines_of(before), b = lines_of(after);
  std::size_t begin = 0, end = 0;
  const std::size_t least = std::min(a.size(), b.size());
  while (begin < least && a[begin] == b[begin]) ++begin;
  while (end < least - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  std::vector<DiffLine> lines;
  for (std::size_t i = 0; i < begin; ++i) lines.push_back({DiffKind::kSame, a[i]});
  add_middle(std::span(a).subspan(begin, a.size() - begin - end),
             std::span(b).subspan(begin, b.size() - begin - end), lines);
  for (std::size_t i = a.size() - end; i < a.size(); ++i) lines.push_back({DiffKind::kSame, a[i]});
  return lines;
}

}  // namespace bowerbird
