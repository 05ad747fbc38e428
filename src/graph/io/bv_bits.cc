#include "graph/io/bv_bits.h"

namespace bowerbird {

std::uint64_t BitReader::load_tail() const {
  std::uint64_t word = 0;
  for (std::uint64_t i = next_; i < next_ + 8; ++i) word = word << 8 | (i < size_ ? data_[i] : 0);
  return word;
}

std::uint64_t BitReader::long_unary() {
  std::uint64_t zeros = 0;
  while ((window_ >> (64 - kFilled)) == 0) {
    drop(kFilled);
    zeros += kFilled;
    if (position() >= size_in_bits()) {
      fail();
      return 0;
    }
    fill();
  }
  const unsigned rest = static_cast<unsigned>(std::countl_zero(window_));
  drop(rest + 1);
  return zeros + rest;
}

void BitWriter::spill() {
  used_ -= 32;
  const std::uint32_t word = static_cast<std::uint32_t>(pending_ >> used_);
  const char four[] = {static_cast<char>(word >> 24), static_cast<char>(word >> 16),
                       static_cast<char>(word >> 8), static_cast<char>(word)};
  bytes_.append(four, sizeof four);
  written_ += 32;
  if (bytes_.size() >= kChunk) flush();
}

void BitWriter::flush() {
  if (status_.ok()) status_ = sink_.write(bytes_);
  bytes_.clear();
}

Status BitWriter::finish() {
  while (used_ > 0) {
    const unsigned n = used_ < 8 ? used_ : 8;
    used_ -= n;
    bytes_.push_back(static_cast<char>((pending_ >> used_) << (8 - n)));
    written_ += n;
  }
  flush();
  return status_;
}

}  // namespace bowerbird
