#include "parse/fingerprint.h"

#include <algorithm>
#include <bit>

#include "base/rng.h"
#include "parse/text_words.h"

namespace bowerbird {

namespace {

// For each byte value, eight lanes of one byte: lane i is bit i.
constexpr std::array<std::uint64_t, 256> kLanes = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) table[byte] |= std::uint64_t{1} << (8 * bit);
    }
  }
  return table;
}();

// Votes on each of 64 bits. Votes for 1 are counted in lanes of a byte, eight at a time, and moved to wide
// counters before a lane can overflow; the rest are votes for 0.
class Votes {
 public:
  void add(std::uint64_t hash) {
    for (unsigned i = 0; i < 8; ++i) lanes_[i] += kLanes[hash >> (8 * i) & 0xFF];
    if (++pending_ == 255) flush();
  }

  void flush() {
    for (unsigned i = 0; i < 64; ++i) ones_[i] += lanes_[i / 8] >> (8 * (i % 8)) & 0xFF;
    lanes_ = {};
    total_ += pending_;
    pending_ = 0;
  }

  // After flush().
  std::int64_t total() const { return total_; }
  std::int64_t lead(unsigned bit) const { return 2 * ones_[bit] - total_; }

 private:
  std::array<std::uint64_t, 8> lanes_{};
  std::array<std::int64_t, 64> ones_{};
  std::int64_t total_ = 0;
  std::int64_t pending_ = 0;
};

// The bits with a majority of the weight. The weak votes together have the weight that the own ones lack.
std::uint64_t majority(const Votes& own, const Votes& weak, const SimhashOptions& options) {
  const std::int64_t lacking = std::max<std::int64_t>(0, std::int64_t{options.enough} - own.total());
  const std::int64_t weak_weight = own.total() == 0 ? weak.total() : std::min(lacking, weak.total());
  const std::int64_t scale =
      std::max<std::int64_t>(1, weak.total());  // weights are counted in units of 1/scale
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 64; ++i) {
    if (own.lead(i) * scale + weak.lead(i) * weak_weight > 0) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

// Whether positions, given in ascending order, are in one of the spans.
class SpanCursor {
 public:
  explicit SpanCursor(std::span<const TextSpan> spans) : spans_(spans) {}
  bool holds(std::size_t position) {
    while (at_ < spans_.size() && spans_[at_].at + spans_[at_].size <= position) ++at_;
    return at_ < spans_.size() && spans_[at_].at <= position;
  }

 private:
  std::span<const TextSpan> spans_;
  std::size_t at_ = 0;
};

constexpr std::uint64_t shingle(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix64(a + 0x9e3779b97f4a7c15u * (b + 0x9e3779b97f4a7c15u * c));
}

}  // namespace

// A text of fewer than three words is one shingle, padded with zeros.
TextFingerprint fingerprint_text(std::string_view text, std::span<const TextSpan> weak,
                                 const SimhashOptions& options) {
  Votes own_votes, weak_votes;
  SpanCursor weak_at(weak);
  TextWords words(text);
  std::uint64_t older = 0, old = 0;
  int weak_left = 0;  // shingles, from this one on, that contain the last weak word
  TextFingerprint result;
  while (words.next()) {
    ++result.words;
    weak_left = weak_at.holds(words.begin()) ? 3 : weak_left - 1;
    if (result.words >= 3) {
      (weak_left > 0 ? weak_votes : own_votes).add(shingle(older, old, words.hash()));
    }
    older = old;
    old = words.hash();
  }
  if (result.words < 3) own_votes.add(shingle(0, older, old));
  own_votes.flush();
  weak_votes.flush();
  result.simhash = majority(own_votes, weak_votes, options);
  return result;
}

int hamming_distance(std::uint64_t a, std::uint64_t b) {
  return std::popcount(a ^ b);
}

}  // namespace bowerbird
