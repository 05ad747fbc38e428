// Reads WARC files of any origin: plain, gzip or zstd, from a file or a pipe, record by record, in
// constant memory. ARC files, the predecessor of WARC, are converted: each record gets a WARC header
// (arc_head.h).
//
// Problem: archives are large and may be hostile. The block of a record is streamed, no allocation is
// sized by a number in the file, and headers have a size limit. Errors have the file name and the stored
// position. Use: while (next()) { look at head(); read() the block or skip it }. The rest of a block is
// skipped. Threads: one user at a time. ISO 28500:2017 (WARC 1.1), also 1.0 and 0.x files with the same
// syntax.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/stream.h"

namespace bowerbird {

struct WarcHead {
  std::string version;                                      // "WARC/1.1"
  std::vector<std::pair<std::string, std::string>> fields;  // in the order of the record
  std::uint64_t content_length = 0;

  // The first field of this name, case-insensitively; empty: none.
  std::string_view field(std::string_view name) const;
  std::string_view type() const { return field("WARC-Type"); }
};

class WarcReader {
 public:
  static constexpr std::size_t kLargestHead = std::size_t{1} << 20;

  // "-" is standard input. Starts at the record at `offset`.
  static Result<std::unique_ptr<WarcReader>> open(const std::string& path, std::uint64_t offset = 0);
  explicit WarcReader(std::unique_ptr<InputStream> in);

  // The next record; false at the end of the file.
  Result<bool> next();
  const WarcHead& head() const { return head_; }
  // The stored position of the record: of its gzip member or zstd frame, which starts with this record
  // only if packed_alone().
  std::uint64_t offset() const { return offset_; }
  bool packed_alone() const { return packed_alone_; }
  // The stored position up to which the file was read; after a block, at most one buffer beyond its end.
  std::uint64_t position() const { return in_->position(); }
  // Reads at least one byte of the block; 0 at its end.
  Result<std::size_t> read(char* to, std::size_t size);
  // The rest of the block. An error: it is larger than `limit`.
  Result<std::string> read_all(std::size_t limit);
  std::uint64_t stored_size() const { return in_->stored_size(); }
  const std::string& name() const { return in_->name(); }
  // Whether the record is from an ARC file.
  bool is_arc() const { return arc_; }
  Compression compression() const { return in_->compression(); }

 private:
  Result<bool> refill();
  Result<std::size_t> available();
  void use(std::size_t size);
  Status finish_record();
  Result<bool> skip_line_ends();
  Result<std::string> take_head();
  Status parse_head(std::string_view text);
  // Parses the header of an ARC record, which is one line. False: there is none.
  Result<bool> take_arc_head();
  Error bad(std::string_view what) const;

  std::unique_ptr<InputStream> in_;
  WarcHead head_;
  std::uint64_t offset_ = 0;
  bool packed_alone_ = true;
  bool started_ = false;
  bool arc_ = false;
  std::uint64_t left_ = 0;  // unread bytes of the block
  std::unique_ptr<char[]> piece_;
  std::string buffer_;  // decoded; unread from used_ on
  std::size_t used_ = 0;
  std::uint64_t piece_at_ = 0;  // stored position of the piece that started with buffer_[0]
  bool piece_begins_member_ = true;
  std::uint64_t last_member_ = ~std::uint64_t{0};
};

}  // namespace bowerbird
