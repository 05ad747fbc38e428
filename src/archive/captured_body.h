// A captured response whose body is read piece by piece, without transfer and content codings: for bodies
// that do not fit into memory (CaptureLibrary::load reads the others), and for bodies as files.
//
// What an archive of a stranger says about codings may be wrong: a body that is not coded from its first
// bytes on is passed on as it is, and one that is damaged ends there. Errors are those of the archive.
// The reader is at the end of its record, or in it, when the body is no longer needed. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fetch/coding_stream.h"
#include "store/warc_reader.h"

namespace bowerbird {

class CapturedBody {
 public:
  // reader: at the block of a response or resource record.
  static Result<std::unique_ptr<CapturedBody>> open(std::shared_ptr<WarcReader> reader);

  unsigned status() const { return status_; }
  const std::string& head() const { return head_; }
  // Of the whole body; nullopt: it has a coding, so that only reading it tells.
  std::optional<std::uint64_t> length() const { return length_; }
  // After the first bytes: a coding could not be undone.
  bool undecoded() const { return decoded_ != nullptr && decoded_->undecoded(); }
  // Appends `most` bytes; fewer only at the end.
  Status append(std::string& out, std::size_t most);
  // Passes over bytes; fewer only at the end.
  Status skip(std::uint64_t bytes);

 private:
  CapturedBody() = default;
  Result<std::size_t> read_stored(char* to, std::size_t size);

  std::shared_ptr<WarcReader> reader_;
  unsigned status_ = 200;
  std::string head_;
  std::string first_;  // of the body, read together with the head
  std::size_t first_used_ = 0;
  std::optional<std::uint64_t> length_;
  std::shared_ptr<DecodedSource> decoded_;  // null: no content coding
  ByteSource source_;
};

}  // namespace bowerbird
