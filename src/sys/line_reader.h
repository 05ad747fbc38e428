// Reads the lines of a stream one by one, without copying them.
//
// A line ends in LF or CRLF; the last one may lack its end. A UTF-8 byte order mark before the first line is
// skipped. The buffer grows with the longest line seen, up to a limit beyond which the line is an error (so
// that a binary file does not fill the memory). Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/stream.h"

namespace bowerbird {

class LineReader {
 public:
  static constexpr std::size_t kDefaultLimit = std::size_t{1} << 30;

  explicit LineReader(InputStream& in, std::size_t longest_line = kDefaultLimit);

  // The next line, without its end, into `line`; false at the end. The view is valid until the next call.
  Result<bool> next(std::string_view& line);
  // Applies from the next line on.
  void set_longest_line(std::size_t limit) { limit_ = limit; }
  // The number of the last line that next() returned; the first is 1.
  std::uint64_t line_number() const { return line_number_; }
  // "file: line 12", for errors in that line.
  std::string where() const;
  InputStream& stream() { return in_; }

 private:
  Status more();
  Error too_long() const;
  Status skip_mark();
  std::string_view take(std::size_t length, std::size_t with_end);

  InputStream& in_;
  std::size_t limit_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;  // the bytes [begin_, end_) of the buffer have not been returned yet
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
};

}  // namespace bowerbird
