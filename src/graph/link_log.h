// The links of a growing crawl, compressed and in the order of the crawl, for sequential passes. They are in
// memory up to a limit, and on disk beyond it.
//
// Problem: repeated computations over the known graph (the recomputation of an ordering) read every row once,
// in any order. So a row needs no address, and its numbers can be stored as differences: with nodes numbered
// as they are discovered, the links of a page are close to each other and most take one byte.
//
// A row is the page's node, the number of its links, and the links: each as the difference from the previous
// one (the first from the page's node), zigzag, seven bits per byte. The log is split into pieces of about 64
// KiB at row ends, so that threads can share a pass. The split depends on the rows alone, so the result of a
// pass does not depend on what is in memory. With a limit the oldest pieces go to a SpillStore, a block each,
// in runs that only grow; each pass reads them back in order.
//
// A piece that cannot be read back is lost. A pass skips it, rebuild_lost() rebuilds its rows if a source is
// available (the crawl's own log of links), and take_troubles() describes its contents.
//
// Ownership: the store outlives this object. Threads: scan() of different parts from many threads, all else
// from one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/result.h"
#include "base/spill_store.h"

namespace bowerbird {

struct LinkLogOptions {
  SpillStore* spill = nullptr;               // null: everything is in memory
  std::uint64_t memory = ~std::uint64_t{0};  // bytes of pieces in memory; the last piece always is
};

class LinkLog {
 public:
  using Node = std::uint32_t;
  struct Row {
    Node page = 0;
    std::vector<Node> links;
  };
  // Reads the row of this number again, counted from 0 in the order of append().
  using Source = std::function<Status(std::uint64_t number, Row& row)>;

  explicit LinkLog(const LinkLogOptions& options = {});

  void append(Node page, std::span<const Node> links);
  // Changes the limit; no effect without a store.
  void limit(std::uint64_t bytes);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t links() const { return links_; }

  // Every row of the pieces of `part` out of `parts`, in order, except those of lost pieces. head(page,
  // links) is called first, then link(node) for each.
  template <typename Head, typename Link>
  void scan(unsigned part, unsigned parts, Head&& head, Link&& link) {
    const std::size_t end = pieces_.size() * (part + 1) / parts;
    for (std::size_t i = pieces_.size() * part / parts; i < end; ++i) {
      Piece& piece = pieces_[i];
      if (piece.storage == Storage::kMemory) {
        CHECK(read_rows(piece.bytes, bound_, head, link));
      } else if (const auto bytes = read(piece); bytes.ok()) {
        if (!read_rows(*bytes, bound_, head, link)) lose(piece, "the block is invalid");
      }
    }
  }
  // The same for the rows in `bytes`. Stops and returns false at bytes that are not rows of nodes below
  // `nodes`.
  template <typename Head, typename Link>
  static bool read_rows(std::string_view bytes, Node nodes, Head&& head, Link&& link);

  // After a pass: rebuilds lost pieces. True if there were any; then the pass must be repeated.
  bool rebuild_lost(const Source& source);
  // An error: the limit cannot be kept.
  const Status& status() const { return retry_.status(); }
  // Read and write errors since the last call, and how they were handled.
  std::vector<std::string> take_troubles();

  struct Use {
    std::uint64_t memory = 0;  // bytes
    std::uint64_t links_on_disk = 0;
    std::uint64_t disk = 0;  // bytes
    std::uint64_t links_lost = 0;
  };
  Use use() const;
  std::uint64_t bytes() const { return use().memory; }

  // For pieces on disk only their position.
  void save(ByteWriter& out) const;
  // Rejects what append() could not have written for nodes below `nodes`. Everything on disk is read;
  // unreadable pieces are lost, which is no reason to reject the rest.
  void load(ByteReader& in, Node nodes);

 private:
  enum class Storage : std::uint8_t { kMemory, kDisk, kLost };
  struct Piece {
    std::string bytes;  // if it is in memory
    std::uint64_t first_row = 0;
    std::uint64_t rows = 0;
    std::uint64_t links = 0;
    // Where it was written, by the number of our run; and its hash.
    std::uint64_t run = 0;
    std::uint64_t block = 0;
    std::uint64_t hash = 0;
    Storage storage = Storage::kMemory;
    std::uint32_t losses = 0;
    std::string problem;
  };

  static std::uint32_t zigzag(std::uint32_t difference) {
    return difference << 1 ^ (difference >> 31 != 0 ? ~0u : 0u);
  }
  static std::uint32_t unzigzag(std::uint32_t code) { return code >> 1 ^ (0u - (code & 1)); }
  // Sets `at` to null if no number ends before `end`, or it is too large.
  static std::uint32_t get(const std::uint8_t*& at, const std::uint8_t* end) {
    if (at == end) return fail(at);
    std::uint32_t value = *at++;
    if (value < 0x80) return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
      if (at == end || shift > 28) return fail(at);
      const std::uint32_t byte = *at++;
      if (shift == 28 && byte > 0x0f) return fail(at);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  static std::uint32_t fail(const std::uint8_t*& at) {
    at = nullptr;
    return 0;
  }
  static void pack(Node page, std::span<const Node> links, std::string& bytes);

  Result<std::string> read(Piece& piece);
  static void lose(Piece& piece, std::string_view why);
  Status put_together(Piece& piece, const Source& source) const;
  void spill();
  Status put_out(Piece& piece);
  bool load_piece(ByteReader& in, Piece& piece, Node nodes);

  LinkLogOptions options_;
  RunId first_run_ = 0;
  std::vector<Piece> pieces_;  // the last one grows
  std::size_t next_out_ = 0;   // pieces before this are not spilled
  std::uint64_t rows_ = 0;
  std::uint64_t links_ = 0;
  std::uint64_t in_memory_ = 0;  // bytes of pieces
  Node bound_ = 0;               // every node is below this
  std::uint64_t runs_ = 0;       // begun
  bool run_open_ = false;        // the last run can still grow
  std::uint64_t run_blocks_ = 0, run_bytes_ = 0;
  SpillRetry retry_;
  std::vector<std::string> troubles_;
};

template <typename Head, typename Link>
bool LinkLog::read_rows(std::string_view bytes, Node nodes, Head&& head, Link&& link) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::uint8_t* const end = at + bytes.size();
  while (at != end) {
    Node node = get(at, end);
    if (at == nullptr || node >= nodes) return false;
    std::uint32_t count = get(at, end);
    if (at == nullptr || count > static_cast<std::size_t>(end - at)) return false;
    head(node, count);
    for (; count > 0; --count) {
      node += unzigzag(get(at, end));
      if (at == nullptr || node >= nodes) return false;
      link(node);
    }
  }
  return true;
}

}  // namespace bowerbird
