// The indexes of the Encoding Standard (section 5): code points by pointer, 0 where there is none; and the
// way back, from a code point to its pointer.
//
// The tables are made by tools/encodings. A ReverseIndex is sorted when it is first asked for: few pages need
// one. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "encoding/encoding.h"

namespace bowerbird {

struct Gb18030Range {
  std::uint16_t pointer;
  std::uint16_t code_point;
};

// Each ends with a 0 that is not part of it.
extern const char16_t kSingleByteIndexes[28][129];  // in the order of Encoding, from kIbm866
extern const char16_t kGb18030Index[23941];
extern const char32_t kBig5Index[19783];
extern const char16_t kJis0208Index[11281];
extern const char16_t kJis0212Index[8837];
extern const char16_t kEucKrIndex[23751];
extern const char16_t kKatakanaIndex[64];  // index ISO-2022-JP katakana

// Of the pointers up to 39419, those that begin a run of consecutive code points.
extern const Gb18030Range kGb18030Ranges[206];

inline std::u16string_view single_byte_index(Encoding encoding) {
  return {
      kSingleByteIndexes[static_cast<std::size_t>(encoding) - static_cast<std::size_t>(Encoding::kIbm866)],
      128};
}

// The pointers of an index by their code points.
template <typename Unit>
class ReverseIndex {
 public:
  // Leaves out the pointers of [skip, skip_end).
  explicit ReverseIndex(std::basic_string_view<Unit> index, std::size_t skip = 0, std::size_t skip_end = 0);

  std::optional<unsigned> first(char32_t code_point) const;
  std::optional<unsigned> last(char32_t code_point) const;

 private:
  std::basic_string_view<Unit> index_;
  std::vector<std::uint16_t> pointers_;  // by code point, then by pointer
};

const ReverseIndex<char16_t>& gb18030_pointers();
const ReverseIndex<char32_t>& big5_pointers();
const ReverseIndex<char16_t>& jis0208_pointers();
const ReverseIndex<char16_t>& shift_jis_pointers();
const ReverseIndex<char16_t>& euc_kr_pointers();

}  // namespace bowerbird
