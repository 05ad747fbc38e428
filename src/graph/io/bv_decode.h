// One list of a BVGraph, from bits to page numbers. Private to the reader (graph/io/bv_graph.h).
//
// A list consists of: the outdegree d; unless d = 0, the distance r to the page whose list it refers to (if
// the window is not 0); unless r = 0, which blocks of that list it copies; then, unless that was all, the
// number of intervals (if intervals are enabled), the intervals, and the residuals. docs/formats/bvgraph.md
// has the details.
//
// Invariant: a list that is decoded without a fault has exactly d links, ascending, distinct and below the
// number of pages; nothing is allocated for a link whose bits are not there. The functions are templates over
// a codec, so that the codes which nearly all files use are inlined and any other choice works too. Threads:
// one reader and one scratch each.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/ids.h"
#include "graph/io/bv_codes.h"
#include "graph/io/bv_properties.h"

namespace bowerbird::bv {

// Errors in a list.
enum class Fault : std::uint8_t {
  kNone,
  kNumber,     // not a valid code, or the end of the file
  kDegree,     // more links than pages
  kReference,  // beyond the window or before page 0
  kBlocks,     // longer than the list they copy from, or than this one
  kIntervals,  // longer than this list, or out of range
  kResiduals,  // more than the file has bits
  kRange,      // a link to a page that does not exist
  kTwice,      // a link that is in two parts of the list
  kOffset,     // does not begin or end at the given offset
};

// The codes of files without compressionflags.
struct DefaultCodec {
  std::uint64_t outdegree(BitReader& in) const { return read_gamma(in); }
  std::uint64_t reference(BitReader& in) const { return in.unary(); }
  std::uint64_t block_count(BitReader& in) const { return read_gamma(in); }
  std::uint64_t block(BitReader& in) const { return read_gamma(in); }
  std::uint64_t interval(BitReader& in) const { return read_gamma(in); }
  std::uint64_t residual(BitReader& in) const { return read_zeta3(in); }
};

// Any codes.
class AnyCodec {
 public:
  explicit AnyCodec(const BvOptions& options) : codes_(options.codes), k_(options.zeta_k) {}
  std::uint64_t outdegree(BitReader& in) const { return read_code(in, codes_[BvPart::kOutdegrees], k_); }
  std::uint64_t reference(BitReader& in) const { return read_code(in, codes_[BvPart::kReferences], k_); }
  std::uint64_t block_count(BitReader& in) const { return read_code(in, codes_[BvPart::kBlockCount], k_); }
  std::uint64_t block(BitReader& in) const { return read_code(in, codes_[BvPart::kBlocks], k_); }
  std::uint64_t interval(BitReader& in) const { return read_code(in, codes_[BvPart::kIntervals], k_); }
  std::uint64_t residual(BitReader& in) const { return read_code(in, codes_[BvPart::kResiduals], k_); }

 private:
  BvCodes codes_;
  std::uint32_t k_;
};

struct Shape {
  PageId pages;
  std::uint32_t window;
  std::uint32_t min_interval;
};

struct Head {
  std::uint32_t degree = 0;
  std::uint32_t reference = 0;
};

// Buffers that are reused for every list.
struct Scratch {
  std::vector<std::uint32_t>& blocks;
  std::vector<std::uint32_t>& intervals;  // left, length, left, length ...
  std::vector<PageId>& extras;
};

// The contents of a list, once blocks and intervals are in the scratch.
struct Plan {
  std::uint32_t copied = 0;
  std::uint32_t blocks = 0;  // copied, skipped, copied ...
  std::uint32_t intervals = 0;
  std::uint32_t residuals = 0;
};

// Lists are copied in pieces of this many links, so every buffer has room for one extra piece.
inline constexpr std::size_t kSlack = 8;

// Makes room for n entries and the slack. Buffers only grow, since most lists are short.
inline void make_room(std::vector<std::uint32_t>& buffer, std::size_t n) {
  if (buffer.size() < n + kSlack) buffer.resize(n + n / 2 + kSlack);
}

template <typename Codec>
inline Fault read_head(BitReader& in, const Codec& codec, const Shape& shape, PageId page, Head& head) {
  const std::uint64_t degree = codec.outdegree(in);
  if (degree > shape.pages) return Fault::kDegree;
  head.degree = static_cast<std::uint32_t>(degree);
  head.reference = 0;
  if (degree != 0 && shape.window != 0) {
    const std::uint64_t reference = codec.reference(in);
    if (reference > shape.window || reference > page) return Fault::kReference;
    head.reference = static_cast<std::uint32_t>(reference);
  }
  return in.failed() ? Fault::kNumber : Fault::kNone;
}

template <typename Codec>
inline Fault read_blocks(BitReader& in, const Codec& codec, const Head& head, std::uint32_t source_degree,
                         Scratch& scratch, Plan& plan) {
  const std::uint64_t count = codec.block_count(in);
  // All blocks but the first have at least one link.
  if (count > std::uint64_t{source_degree} + 1) return Fault::kBlocks;
  make_room(scratch.blocks, count + 1);
  std::uint32_t* const blocks = scratch.blocks.data();
  std::uint64_t left = source_degree;
  std::uint64_t copied = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t length = codec.block(in) + (i > 0);
    if (length > left) return Fault::kBlocks;
    left -= length;
    copied += i % 2 == 0 ? length : 0;
    blocks[i] = static_cast<std::uint32_t>(length);
  }
  plan.blocks = static_cast<std::uint32_t>(count);
  if (count % 2 == 0) {  // the rest is copied too
    blocks[plan.blocks++] = static_cast<std::uint32_t>(left);
    copied += left;
  }
  if (copied > head.degree) return Fault::kBlocks;
  plan.copied = static_cast<std::uint32_t>(copied);
  return Fault::kNone;
}

template <typename Codec>
inline Fault read_intervals(BitReader& in, const Codec& codec, const Shape& shape, PageId page,
                            std::uint64_t& extra, Scratch& scratch, Plan& plan) {
  const std::uint64_t count = codec.interval(in);
  if (count == 0) return Fault::kNone;
  if (count > extra / shape.min_interval) return Fault::kIntervals;
  make_room(scratch.intervals, 2 * count);
  std::uint32_t* const intervals = scratch.intervals.data();
  std::uint64_t end = 0;  // of the interval before
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t start = codec.interval(in);
    const std::uint64_t left = i == 0 ? page + static_cast<std::uint64_t>(to_signed(start)) : end + 1 + start;
    const std::uint64_t length = codec.interval(in) + shape.min_interval;
    // A negative left end has wrapped around and is far too large.
    if (left >= shape.pages || length > shape.pages - left) return Fault::kRange;
    if (length > extra) return Fault::kIntervals;
    extra -= length;
    end = left + length;
    intervals[2 * i] = static_cast<std::uint32_t>(left);
    intervals[2 * i + 1] = static_cast<std::uint32_t>(length);
  }
  plan.intervals = static_cast<std::uint32_t>(count);
  return Fault::kNone;
}

// Everything before the residuals.
template <typename Codec>
inline Fault read_plan(BitReader& in, const Codec& codec, const Shape& shape, PageId page, const Head& head,
                       std::uint32_t source_degree, Scratch& scratch, Plan& plan) {
  if (head.reference != 0) {
    const Fault fault = read_blocks(in, codec, head, source_degree, scratch, plan);
    if (fault != Fault::kNone) return fault;
  }
  std::uint64_t extra = head.degree - plan.copied;
  if (extra != 0 && shape.min_interval != 0) {
    const Fault fault = read_intervals(in, codec, shape, page, extra, scratch, plan);
    if (fault != Fault::kNone) return fault;
  }
  if (extra > in.left()) return Fault::kResiduals;
  plan.residuals = static_cast<std::uint32_t>(extra);
  return Fault::kNone;
}

// The residuals of a list, one after the other.
template <typename Codec>
class Residuals {
 public:
  Residuals(BitReader& in, const Codec& codec, PageId page, std::uint32_t count)
      : in_(in), codec_(codec), left_(count) {
    if (count > 0) next_ = page + static_cast<std::uint64_t>(to_signed(codec.residual(in)));
  }
  std::uint32_t left() const { return left_; }
  std::uint64_t next() const { return next_; }
  void advance() {
    if (--left_ > 0) next_ += codec_.residual(in_) + 1;
  }

 private:
  BitReader& in_;
  const Codec& codec_;
  std::uint32_t left_;
  std::uint64_t next_ = 0;
};

// Skips a list without reading its links.
template <typename Codec>
inline Fault skip_body(BitReader& in, const Codec& codec, const Shape& shape, PageId page, const Head& head,
                       std::uint32_t source_degree, Scratch& scratch) {
  Plan plan;
  const Fault fault = read_plan(in, codec, shape, page, head, source_degree, scratch, plan);
  if (fault != Fault::kNone) return fault;
  for (std::uint32_t i = 0; i < plan.residuals; ++i) codec.residual(in);
  return in.failed() ? Fault::kNumber : Fault::kNone;
}

// Copies n links in whole pieces: touches up to kSlack - 1 entries beyond both ends.
inline void copy_links(PageId* to, const PageId* from, std::uint32_t n) {
  for (std::size_t i = 0; i < n; i += kSlack) std::memcpy(to + i, from + i, kSlack * sizeof(PageId));
}

inline void copy_blocks(const PageId* source, const std::vector<std::uint32_t>& blocks, const Plan& plan,
                        PageId* to) {
  for (std::size_t i = 0; i < plan.blocks; i += 2) {
    copy_links(to, source, blocks[i]);
    to += blocks[i];
    if (i + 1 < plan.blocks) source += blocks[i] + blocks[i + 1];
  }
}

// Intervals and residuals in ascending order.
template <typename Codec>
inline Fault read_extras(BitReader& in, const Codec& codec, const Shape& shape, PageId page,
                         const std::vector<std::uint32_t>& intervals, const Plan& plan, PageId* to) {
  Residuals<Codec> residuals(in, codec, page, plan.residuals);
  for (std::size_t i = 0; i < plan.intervals; ++i) {
    const std::uint32_t left = intervals[2 * i];
    const std::uint32_t length = intervals[2 * i + 1];
    for (; residuals.left() > 0 && residuals.next() < left; residuals.advance()) {
      *to++ = static_cast<PageId>(residuals.next());
    }
    if (residuals.left() > 0 && residuals.next() < std::uint64_t{left} + length) return Fault::kTwice;
    for (std::uint32_t j = 0; j < length; ++j) to[j] = left + j;
    to += length;
  }
  for (; residuals.left() > 0; residuals.advance()) {
    if (residuals.next() >= shape.pages) return Fault::kRange;
    *to++ = static_cast<PageId>(residuals.next());
  }
  return Fault::kNone;
}

// Merges the extras into links, whose copied part is already at its end. In place: the next link is never
// written beyond the next copied one.
inline Fault merge_extras(const PageId* extras, std::uint32_t count, std::uint32_t degree, PageId* links) {
  const PageId* copied = links + count;
  const PageId* const end = links + degree;
  for (std::uint32_t i = 0; i < count; ++i) {
    const PageId extra = extras[i];
    while (copied < end && *copied < extra) *links++ = *copied++;
    if (copied < end && *copied == extra) return Fault::kTwice;
    *links++ = extra;
  }
  return Fault::kNone;
}

// The list itself, in links[0 ... degree). The source is the list it refers to, in a buffer with slack.
template <typename Codec>
inline Fault read_body(BitReader& in, const Codec& codec, const Shape& shape, PageId page, const Head& head,
                       std::span<const PageId> source, Scratch& scratch, std::vector<PageId>& links) {
  Plan plan;
  Fault fault =
      read_plan(in, codec, shape, page, head, static_cast<std::uint32_t>(source.size()), scratch, plan);
  if (fault != Fault::kNone) return fault;
  make_room(links, head.degree);
  const std::uint32_t extra = head.degree - plan.copied;
  if (plan.copied != 0) copy_blocks(source.data(), scratch.blocks, plan, links.data() + extra);
  if (extra != 0) {
    if (plan.copied == 0) {
      fault = read_extras(in, codec, shape, page, scratch.intervals, plan, links.data());
    } else {
      make_room(scratch.extras, extra);
      fault = read_extras(in, codec, shape, page, scratch.intervals, plan, scratch.extras.data());
      if (fault == Fault::kNone)
        fault = merge_extras(scratch.extras.data(), extra, head.degree, links.data());
    }
  }
  if (fault == Fault::kNone && in.failed()) fault = Fault::kNumber;
  return fault;
}

}  // namespace bowerbird::bv
