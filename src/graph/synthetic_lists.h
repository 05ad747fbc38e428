// Short lists of links for the synthetic web: on the stack, merged by whole runs, because a page's links are
// few runs (menu, neighbours, the rest of the menu) and most of the time goes into sorting them.
//
// Invariant: lists that are merged are ascending and distinct, and so is the result. Threads: values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/ids.h"
#include "base/rng.h"

namespace bowerbird {

template <std::uint32_t kCapacity>
struct LinkList {
  std::array<PageId, kCapacity> at;
  std::uint32_t size = 0;

  void push(PageId page) { at[size++] = page; }
  PageId last() const { return at[size - 1]; }
};

// Writes all of a and b to out; returns how many they are.
inline std::uint32_t merge_links(const PageId* a, std::uint32_t a_size, const PageId* b, std::uint32_t b_size,
                                 PageId* out) {
  const PageId* const a_end = a + a_size;
  const PageId* const b_end = b + b_size;
  PageId* to = out;
  while (a != a_end && b != b_end) {
    while (a != a_end && *a < *b) *to++ = *a++;
    if (a == a_end) break;
    while (b != b_end && *b < *a) *to++ = *b++;
    if (b == b_end) break;
    if (*a == *b) ++b;
  }
  to = std::copy(a, a_end, to);
  to = std::copy(b, b_end, to);
  return static_cast<std::uint32_t>(to - out);
}

// How many of an ascending list are below `page`. Counting a short list is faster than searching, whose
// branches the processor cannot predict.
inline std::uint32_t links_below(const PageId* list, std::uint32_t size, PageId page) {
  std::uint32_t below = 0;
  for (std::uint32_t i = 0; i < size; ++i) below += list[i] < page;
  return below;
}

// Writes all of a and b to out; b most often fits into one gap of a. Returns how many they are.
inline std::uint32_t join_links(const PageId* a, std::uint32_t a_size, const PageId* b, std::uint32_t b_size,
                                PageId* out) {
  if (b_size == 0) {
    std::copy_n(a, a_size, out);
    return a_size;
  }
  const std::uint32_t gap = links_below(a, a_size, b[0]);
  if (gap < a_size && a[gap] <= b[b_size - 1]) return merge_links(a, a_size, b, b_size, out);
  std::copy_n(a, gap, out);
  std::copy_n(b, b_size, out + gap);
  std::copy_n(a + gap, a_size - gap, out + gap + b_size);
  return a_size + b_size;
}

// Adds `more` to `list`, as far as there is room. Most often it fits into one gap.
template <std::uint32_t kCapacity, std::uint32_t kMore>
void merge_into(LinkList<kCapacity>& list, const LinkList<kMore>& more) {
  const std::uint32_t count = std::min(more.size, kCapacity - list.size);
  if (count == 0) return;
  const std::uint32_t gap = links_below(list.at.data(), list.size, more.at[0]);
  if (gap == list.size || list.at[gap] > more.at[count - 1]) {
    PageId* const at = list.at.data() + gap;
    std::copy_backward(at, at + list.size - gap, at + list.size - gap + count);
    std::copy_n(more.at.data(), count, at);
    list.size += count;
    return;
  }
  std::array<PageId, kCapacity> before;
  std::copy_n(list.at.data(), list.size, before.data());
  list.size = merge_links(before.data(), list.size, more.at.data(), count, list.at.data());
}

// Adds a page to an ascending row, which must have room; returns the new size.
inline std::uint32_t insert_link(PageId page, PageId* row, std::uint32_t size) {
  const std::uint32_t at = links_below(row, size, page);
  if (at < size && row[at] == page) return size;
  std::copy_backward(row + at, row + size, row + size + 1);
  row[at] = page;
  return size + 1;
}

// Removes a page from an ascending row, if present; returns the new size.
inline std::uint32_t erase_link(PageId page, PageId* row, std::uint32_t size) {
  const std::uint32_t at = links_below(row, size, page);
  if (at == size || row[at] != page) return size;
  std::copy(row + at + 1, row + size, row + at);
  return size - 1;
}

// Random draws. Each uses the stated number of low bits.

// count * scale / 256, the fraction decided by 8 bits.
inline std::uint32_t scaled(std::uint32_t count, std::uint32_t scale, std::uint64_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{count} * scale + (bits & 255)) >> 8);
}

// A rank below n, about log-uniform: the k-th most popular is drawn in proportion to 1/k. 48 bits.
inline std::uint32_t popular_rank(std::uint64_t bits, std::uint32_t n) {
  const auto octaves = static_cast<std::uint64_t>(std::bit_width(n));
  const std::uint64_t octave = ((bits & 0xffff) * octaves) >> 16;
  return static_cast<std::uint32_t>((bits >> 16) & ((std::uint64_t{1} << octave) - 1));
}

}  // namespace bowerbird
