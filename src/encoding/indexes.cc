#include "encoding/indexes.h"

#include <algorithm>

namespace bowerbird {

#include "encoding/indexes.inc"

namespace {

// Without the final 0.
template <typename Unit, std::size_t size>
std::basic_string_view<Unit> view(const Unit (&index)[size]) {
  return {index, size - 1};
}

}  // namespace

template <typename Unit>
ReverseIndex<Unit>::ReverseIndex(std::basic_string_view<Unit> index, std::size_t skip, std::size_t skip_end)
    : index_(index) {
  for (std::size_t pointer = 0; pointer < index.size(); ++pointer) {
    const bool skipped = pointer >= skip && pointer < skip_end;
    if (index[pointer] != 0 && !skipped) pointers_.push_back(static_cast<std::uint16_t>(pointer));
  }
  std::stable_sort(pointers_.begin(), pointers_.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return index[a] < index[b]; });
}

template <typename Unit>
std::optional<unsigned> ReverseIndex<Unit>::first(char32_t code_point) const {
  const auto at = std::partition_point(pointers_.begin(), pointers_.end(),
                                       [&](std::uint16_t pointer) { return index_[pointer] < code_point; });
  if (at == pointers_.end() || index_[*at] != code_point) return {};
  return *at;
}

template <typename Unit>
std::optional<unsigned> ReverseIndex<Unit>::last(char32_t code_point) const {
  const auto at = std::partition_point(pointers_.begin(), pointers_.end(),
                                       [&](std::uint16_t pointer) { return index_[pointer] <= code_point; });
  if (at == pointers_.begin() || index_[at[-1]] != code_point) return {};
  return at[-1];
}

template class ReverseIndex<char16_t>;
template class ReverseIndex<char32_t>;

const ReverseIndex<char16_t>& gb18030_pointers() {
  static const ReverseIndex<char16_t> pointers(view(kGb18030Index));
  return pointers;
}

// "Index Big5 pointer": without the Hong Kong Supplementary Character Set.
const ReverseIndex<char32_t>& big5_pointers() {
  static const ReverseIndex<char32_t> pointers(view(kBig5Index), 0, (0xA1 - 0x81) * 157);
  return pointers;
}

const ReverseIndex<char16_t>& jis0208_pointers() {
  static const ReverseIndex<char16_t> pointers(view(kJis0208Index));
  return pointers;
}

// "Index Shift_JIS pointer": without NEC's duplicates of IBM characters.
const ReverseIndex<char16_t>& shift_jis_pointers() {
  static const ReverseIndex<char16_t> pointers(view(kJis0208Index), 8272, 8836);
  return pointers;
}

const ReverseIndex<char16_t>& euc_kr_pointers() {
  static const ReverseIndex<char16_t> pointers(view(kEucKrIndex));
  return pointers;
}

}  // namespace bowerbird
