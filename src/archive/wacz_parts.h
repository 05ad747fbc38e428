// Plans which bytes of which WARC files go into which WACZ.
//
// Usually all bytes of all files go into one. A package may be split by size, and pages with noarchive
// may be left out; then files are copied in ranges that begin and end between records. A part that does
// not begin with the first byte of a file also gets the file's warcinfo record. Plain data; threads: one
// user.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "archive/captures.h"
#include "base/progress.h"
#include "base/result.h"

namespace bowerbird {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t before = 0;  // bytes in the ranges before it
};

struct PartFile {
  std::size_t file = 0;           // index in the source
  std::vector<ByteRange> ranges;  // ascending

  void add(std::uint64_t begin, std::uint64_t end) { ranges.push_back({begin, end, bytes()}); }
  bool holds(std::uint64_t offset) const { return position(offset).has_value(); }
  // The position of the byte if the ranges are copied one after the other; none: it is in none of them.
  std::optional<std::uint64_t> position(std::uint64_t offset) const;
  std::uint64_t bytes() const {
    return ranges.empty() ? 0 : ranges.back().before + (ranges.back().end - ranges.back().begin);
  }
};

struct WaczPart {
  std::vector<PartFile> files;  // ascending

  const PartFile* find(std::size_t file) const;
  bool holds(const Capture& capture) const;
};

struct PartOptions {
  std::uint64_t split_bytes = 0;   // approximate size of the WARC files of a part; 0: one part
  bool respect_noarchive = false;  // leave out pages with noarchive
};

struct WaczPlan {
  std::vector<WaczPart> parts;
  std::uint64_t left_out = 0;  // captures
};

Result<WaczPlan> plan_parts(CaptureSource& source, const PartOptions& options, const Progress& progress);

}  // namespace bowerbird
