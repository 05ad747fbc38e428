// Files that are needed while a command runs: numbers that may not fit into memory.
//
// Problem: a list with an entry per page or link of a large crawl must not have to fit into memory. A
// ScratchFile is in TMPDIR and has no name, so that nothing is left of it, however the process ends. Bytes
// are appended, or the file gets a size at once; then it is mapped, and the system keeps in memory what is
// used and fits. Threads: one user while it is written; mapped bytes as any memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace bowerbird {

class ScratchFile {
 public:
  static Result<std::unique_ptr<ScratchFile>> make();
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  Status append(std::string_view bytes);
  // Reads what was appended, from `offset` on: as many bytes as there are, up to `size`.
  Status read(std::uint64_t offset, char* to, std::size_t size);
  std::uint64_t size() const { return written_ + buffer_.size(); }

  // Makes it `size` bytes long; what was not written is zero.
  Status resize(std::uint64_t size);
  // All its bytes, which may be changed in place. Nothing is appended after this.
  Result<std::span<char>> map();

 private:
  explicit ScratchFile(int fd) : fd_(fd) {}
  Status flush();

  int fd_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  void* mapped_ = nullptr;
  std::size_t mapped_size_ = 0;
};

// An array in a ScratchFile: push_back() and then finish(), or sized() at once.
template <typename T>
class ScratchArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // `count` entries of zero bytes.
  static Result<ScratchArray> sized(std::uint64_t count) {
    ScratchArray array;
    BB_TRY(array.file_, ScratchFile::make());
    BB_TRY_VOID(array.file_->resize(count * sizeof(T)));
    BB_TRY_VOID(array.finish());
    return array;
  }

  Status push_back(const T& entry) {
    if (file_ == nullptr) {
      BB_TRY(file_, ScratchFile::make());
    }
    ++count_;
    return file_->append({reinterpret_cast<const char*>(&entry), sizeof(T)});
  }
  // Of those added so far.
  std::uint64_t count() const { return count_; }
  Status finish() {
    if (file_ == nullptr) return {};
    BB_TRY(const std::span<char> bytes, file_->map());
    all_ = {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    count_ = all_.size();
    return {};
  }

  std::span<T> all() { return all_; }
  std::span<const T> all() const { return all_; }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  T& operator[](std::size_t i) { return all_[i]; }
  const T& operator[](std::size_t i) const { return all_[i]; }
  const T* begin() const { return all_.data(); }
  const T* end() const { return all_.data() + all_.size(); }

 private:
  std::unique_ptr<ScratchFile> file_;
  std::uint64_t count_ = 0;
  std::span<T> all_;
};

}  // namespace bowerbird
