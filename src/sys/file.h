// Files: mapped for reading, and written completely or not at all.
//
// Errors name the path and the system's error. Threads: a MappedFile may be read by many; an OutputFile has
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

// A whole file as read-only memory; the view is valid as long as the object.
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

// A destination for bytes. finish() makes them permanent; without it nothing is kept.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
  virtual Status finish() = 0;
};

// Writes to an unnamed file in path's folder (to "path.tmp-PID" if the file system does not support those);
// finish() flushes it to disk and moves it to path. Destroyed without finish(), or killed, it leaves nothing.
// Buffered. "-" is standard output, written directly.
class OutputFile final : public ByteSink {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path, mode_t mode = 0644);
  // For our own files: a link at `path` is replaced instead of followed, since anybody may have put it there.
  static Result<std::unique_ptr<OutputFile>> replace(const std::string& path, mode_t mode = 0644);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Status write(std::string_view bytes) override;
  Status finish() override;
  // Overwrites bytes already written (a header whose counts come last). Not for directly written files.
  Status rewrite(std::uint64_t offset, std::string_view bytes);
  std::uint64_t size() const { return flushed_ + buffer_.size(); }

 private:
  OutputFile(std::string path, std::string temporary, int fd);
  Status flush();
  // Gives the unnamed file a name. False: something has this name.
  Result<bool> link_to(const std::string& name);

  std::string path_;
  std::string temporary_;  // empty for directly written files
  bool named_ = false;     // temporary_ exists
  int fd_;
  std::uint64_t flushed_ = 0;
  std::string buffer_;
};

// A pipe, a device, a socket: it exists and is neither a regular file nor a folder.
bool is_special_file(const std::string& path);
bool file_exists(const std::string& path);

}  // namespace bowerbird
