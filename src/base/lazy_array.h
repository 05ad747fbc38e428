// An array of plain numbers for very large sizes: zero until written, memory allocated on first use, growth
// without a second copy.
//
// A vector that doubles at a billion entries holds both copies at once and writes zeros that are never read.
// Here the system provides zeroed pages on first use (large ones, if it can) and moves page tables instead of
// bytes when the array grows. Invariant: the entries below size() that were never written are all zero bytes.
// Pointers are valid until the next growth; data() is aligned to a memory page. Throws std::bad_alloc if the
// system has no more memory. Threads: one owner.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace bowerbird {

template <typename T>
class LazyArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LazyArray() = default;
  explicit LazyArray(std::size_t size) { resize(size); }
  ~LazyArray() { release(); }
  LazyArray(LazyArray&& other) noexcept { swap(other); }
  LazyArray& operator=(LazyArray&& other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<const T> view() const { return {data_, size_}; }

  // Reserves address space for this many entries, so that growing up to it never moves them.
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) map(capacity);
  }
  // Never shrinks.
  void grow_to(std::size_t size) {
    if (size <= size_) return;
    if (size > capacity_) map(size > 2 * capacity_ ? size : 2 * capacity_);
    size_ = size;
  }
  void resize(std::size_t size) {
    grow_to(size);
    size_ = size;
  }
  // Never grows; releases the memory after the new end.
  void shrink_to(std::size_t size) {
    if (size >= size_) return;
    size_ = size;
    const std::size_t bytes = (size * sizeof(T) + kSmallPage - 1) / kSmallPage * kSmallPage;
    if (bytes >= mapped_) return;
    munmap(reinterpret_cast<char*>(data_) + bytes, mapped_ - bytes);
    if (bytes == 0) data_ = nullptr;
    mapped_ = bytes;
    capacity_ = bytes / sizeof(T);
  }
  void push_back(const T& value) {
    const T copy = value;
    grow_to(size_ + 1);
    data_[size_ - 1] = copy;
  }
  void append(std::span<const T> values) {
    const std::size_t from = size_;
    grow_to(from + values.size());
    std::copy(values.begin(), values.end(), data_ + from);
  }

 private:
  static constexpr std::size_t kSmallPage = std::size_t{1} << 12;
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;

  void swap(LazyArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(mapped_, other.mapped_);
  }
  void map(std::size_t capacity) {
    if (capacity > ~std::size_t{0} / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t unit = capacity * sizeof(T) < 4 * kLargePage ? kSmallPage : kLargePage;
    const std::size_t bytes = (capacity * sizeof(T) + unit - 1) / unit * unit;
    void* const at = data_ == nullptr ? fresh(bytes) : moved(bytes);
    if (at == MAP_FAILED) throw std::bad_alloc();
    if (unit == kLargePage) madvise(at, bytes, MADV_HUGEPAGE);
    data_ = static_cast<T*>(at);
    mapped_ = bytes;
    capacity_ = bytes / sizeof(T);
  }
  static void* fresh(std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  void* moved(std::size_t bytes) {
#ifdef __SANITIZE_THREAD__
    // The thread sanitizer does not track mremap(), and would report a race with an earlier use of the new
    // address by another thread.
    void* const at = fresh(bytes);
    if (at == MAP_FAILED) return at;
    std::memcpy(at, data_, std::min(bytes, mapped_));
    munmap(data_, mapped_);
    return at;
#else
    return mremap(data_, mapped_, bytes, MREMAP_MAYMOVE);
#endif
  }
  void release() {
    if (data_ != nullptr) munmap(data_, mapped_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t mapped_ = 0;
};

}  // namespace bowerbird
