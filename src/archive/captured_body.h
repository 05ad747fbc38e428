// A captured response whose body is read in pieces, without transfer and content codings: for bodies that
// do not fit into memory (CaptureLibrary::load reads the others), and for bodies as files.
//
// The declared codings may be wrong. A body that cannot be decoded from the start is passed on unchanged;
// one that is damaged later ends there. Errors are those of the archive. Afterwards the reader may be
// anywhere in its record. Threads: one.
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
  // reader: at the block of a response or resource record. head: of the revisit that refers to this record,
  // for status() and head(); the body has the codings of the record itself.
  static Result<std::unique_ptr<CapturedBody>> open(std::shared_ptr<WarcReader> reader,
                                                    std::string head = {});

  unsigned status() const { return status_; }
  const std::string& head() const { return head_; }
  // The length of the whole body; nullopt: it has a coding, so its length is unknown until it is read.
  std::optional<std::uint64_t> length() const { return length_; }
  // After the first bytes: whether a coding could not be undone.
  bool undecoded() const { return decoded_ != nullptr && decoded_->undecoded(); }
  // Appends `most` bytes; fewer only at the end.
  Status append(std::string& out, std::size_t most);
  // Skips bytes; fewer only at the end.
  Status skip(std::uint64_t bytes);

 private:
  CapturedBody() = default;
  Result<std::size_t> read_stored(char* to, std::size_t size);
  void take_head(std::string head);

  std::shared_ptr<WarcReader> reader_;
  unsigned status_ = 200;
  std::string head_;
  std::string first_;  // the start of the body, read together with the header
  std::size_t first_used_ = 0;
  std::optional<std::uint64_t> length_;
  std::shared_ptr<DecodedSource> decoded_;  // null: no content coding
  ByteSource source_;
};

}  // namespace bowerbird
