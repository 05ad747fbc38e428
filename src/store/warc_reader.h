// Reads WARC files, ours and others': plain, gzip or zstd, from a file or a pipe, record by record, in a
// fixed amount of memory. ARC files, which came before WARC, are read as if they were WARC: each record gets
// the head that it would have there (arc_head.h).
//
// Problem: archives are large and come from strangers. A record's block is streamed; nothing is allocated by
// a number in the file; heads have a size limit. Errors name the file and the place as stored. Use: while
// (next()) { look at head(); read() its block or leave it }. What is left of a block is skipped. Threads: one
// user at a time. ISO 28500:2017 (WARC 1.1), also 1.0 and 0.x files that keep to its syntax.
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
  std::vector<std::pair<std::string, std::string>> fields;  // as they stand, in order
  std::uint64_t content_length = 0;

  // The first of that name, in any case of letters; empty where there is none.
  std::string_view field(std::string_view name) const;
  std::string_view type() const { return field("WARC-Type"); }
};

class WarcReader {
 public:
  static constexpr std::size_t kLargestHead = std::size_t{1} << 20;

  // "-" is standard input. From the record at `offset` on.
  static Result<std::unique_ptr<WarcReader>> open(const std::string& path, std::uint64_t offset = 0);
  explicit WarcReader(std::unique_ptr<InputStream> in);

  // The next record; false at the end of the file.
  Result<bool> next();
  const WarcHead& head() const { return head_; }
  // Where it begins in the file as stored: at its gzip member or zstd frame, which begins with this record
  // only where packed_alone() says so.
  std::uint64_t offset() const { return offset_; }
  bool packed_alone() const { return packed_alone_; }
  // Where in the file as stored reading has come to; after a block was read, at most a buffer behind its end.
  std::uint64_t position() const { return in_->position(); }
  // At least one byte of the block, or 0 at its end.
  Result<std::size_t> read(char* to, std::size_t size);
  // The rest of the block; an error where it is larger than `limit`.
  Result<std::string> read_all(std::size_t limit);
  std::uint64_t stored_size() const { return in_->stored_size(); }
  const std::string& name() const { return in_->name(); }
  // The record is one of an ARC file.
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
  // Whether a record of an ARC file begins here: its head is one line.
  Result<bool> take_arc_head();
  Error bad(std::string_view what) const;

  std::unique_ptr<InputStream> in_;
  WarcHead head_;
  std::uint64_t offset_ = 0;
  bool packed_alone_ = true;
  bool started_ = false;
  bool arc_ = false;
  std::uint64_t left_ = 0;  // of the block
  std::unique_ptr<char[]> piece_;
  std::string buffer_;  // decoded and not yet used from used_ on
  std::size_t used_ = 0;
  std::uint64_t piece_at_ = 0;  // where the piece that began with buffer_[0] lies as stored
  bool piece_begins_member_ = true;
  std::uint64_t last_member_ = ~std::uint64_t{0};
};

}  // namespace bowerbird
