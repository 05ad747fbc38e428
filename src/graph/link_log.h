// The links of a growing crawl, packed and in the order of the crawl, for passes from front to back.
//
// Problem: what is computed over the known graph again and again (the refresh of an ordering) reads every row
// once, in any order. So a row needs no address, and its numbers can be stored as differences: with nodes
// numbered as they are discovered, the links of a page lie close to each other and most take one byte.
//
// A row is the page's node, the number of its links, and the links: each as the difference to the one before
// (the first to the page's node), zigzag, seven bits a byte. The log is cut into pieces of about 64 KiB at
// row ends, so that threads can share a pass; where it is cut depends on the rows alone.
//
// Threads: const members from many threads, append from one.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/lazy_array.h"

namespace bowerbird {

class LinkLog {
 public:
  using Node = std::uint32_t;

  void append(Node page, std::span<const Node> links);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t links() const { return links_; }

  // Every row whose piece is among those of `part` out of `parts`, in order. head(page, links) is called
  // first, then link(node) for each.
  template <typename Head, typename Link>
  void scan(unsigned part, unsigned parts, Head&& head, Link&& link) const {
    const std::uint8_t* at = bytes_.data() + start_of(part, parts);
    const std::uint8_t* const end = bytes_.data() + start_of(part + 1, parts);
    while (at < end) {
      Node node = get(at);
      std::uint32_t count = get(at);
      head(node, count);
      for (; count > 0; --count) {
        node += unzigzag(get(at));
        link(node);
      }
    }
  }

  std::uint64_t bytes() const { return bytes_.size() + pieces_.size() * sizeof(std::uint64_t); }
  void save(ByteWriter& out) const;
  // Rejects what append() could not have written for nodes below `nodes`.
  void load(ByteReader& in, std::uint32_t nodes);

 private:
  static std::uint32_t zigzag(std::uint32_t difference) {
    return difference << 1 ^ (difference >> 31 != 0 ? ~0u : 0u);
  }
  static std::uint32_t unzigzag(std::uint32_t code) { return code >> 1 ^ (0u - (code & 1)); }
  static std::uint32_t get(const std::uint8_t*& at) {
    std::uint32_t value = *at++;
    if (value < 0x80) return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
      const std::uint32_t byte = *at++;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::uint64_t start_of(unsigned part, unsigned parts) const {
    const std::uint64_t piece = pieces_.size() * part / parts;
    return piece < pieces_.size() ? pieces_[piece] : bytes_.size();
  }
  static void put(std::uint8_t*& at, std::uint32_t value);
  void cut();

  LazyArray<std::uint8_t> bytes_;
  LazyArray<std::uint64_t> pieces_;  // where each begins
  std::uint64_t rows_ = 0;
  std::uint64_t links_ = 0;
};

}  // namespace bowerbird
