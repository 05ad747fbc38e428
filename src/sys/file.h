// Files: mapped for reading, and written whole or not at all.
//
// Errors name the path and what the system said. Threads: a MappedFile may be read by many; an OutputFile has
// one user at a time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// A whole file as read-only memory; the view lives as long as the object.
class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }

 private:
  MappedFile(std::string path, const std::uint8_t* data, std::size_t size)
      : path_(std::move(path)), data_(data), size_(size) {}

  std::string path_;
  const std::uint8_t* data_;
  std::size_t size_;
};

// Where bytes go. finish() makes them final; without it nothing is left behind.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
  virtual Status finish() = 0;
};

// Writes to a file without a name in path's folder (to "path.tmp-PID" where the file system has none such);
// finish() flushes it to disk and puts it at path. Dropped without finish(), or killed, it leaves nothing.
// Buffered. "-" is standard output, written as it comes.
class OutputFile final : public ByteSink {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path, mode_t mode = 0644);
  // For files of our own: a link at `path` is replaced instead of followed, since anybody may have put it
  // there.
  static Result<std::unique_ptr<OutputFile>> replace(const std::string& path, mode_t mode = 0644);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Status write(std::string_view bytes) override;
  Status finish() override;
  // Overwrites bytes already written (a header whose counts come last). Not for what is written as it comes.
  Status rewrite(std::uint64_t offset, std::string_view bytes);
  std::uint64_t size() const { return flushed_ + buffer_.size(); }

 private:
  OutputFile(std::string path, std::string temporary, int fd);
  Status flush();

  std::string path_;
  std::string temporary_;  // empty for what is written as it comes
  bool named_ = false;     // temporary_ exists
  int fd_;
  std::uint64_t flushed_ = 0;
  std::string buffer_;
};

// A pipe, a device, a socket: something that is there and neither a regular file nor a folder.
bool is_special_file(const std::string& path);
bool file_exists(const std::string& path);

}  // namespace bowerbird
