// Copies records from a WARC or ARC file to one with another compression, each compressed separately.
//
// Records of up to 8 MiB are compressed at once, larger ones in pieces, so that a record of any size needs
// little memory. Threads: one user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/record_compressor.h"
#include "store/warc_reader.h"

namespace bowerbird {

class RecordPacker {
 public:
  static constexpr std::size_t kWhole = std::size_t{8} << 20;

  using Write = std::function<Status(std::string_view)>;

  explicit RecordPacker(Compression compression) : compressor_(compression, 0) {}

  // The current record of the reader, whose block was not read yet. Returns its stored length.
  Result<std::uint64_t> copy(WarcReader& reader, const Write& write);
  // The beginning of the block of the last record: all of it, or kWhole bytes.
  std::string_view beginning() const { return block_; }

 private:
  RecordCompressor compressor_;
  std::string block_;
};

}  // namespace bowerbird
