// The words of a text, for similarity: runs of letters and digits, lower case, each as a 64-bit hash.
//
// Letters are those of ASCII and all characters beyond it but spaces and punctuation; of scripts written
// without spaces (Chinese, Japanese, Thai ...) each character is a word. Lower case is ASCII's alone. Input
// is UTF-8; invalid bytes count as letters. Pure; threads: none needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bowerbird {

class TextWords {
 public:
  explicit TextWords(std::string_view text) : text_(text) {}

  // Moves to the next word; false at the end.
  bool next();
  std::uint64_t hash() const { return hash_; }
  std::size_t begin() const { return begin_; }

 private:
  bool next_beyond_ascii(std::size_t at);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace bowerbird
