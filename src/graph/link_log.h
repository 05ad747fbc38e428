// The links of a growing crawl, packed and in the order of the crawl, for passes from front to back; in
// memory up to a limit, beyond that on disk.
//
// Problem: what is computed over the known graph again and again (the recomputation of an ordering) reads
// every row once, in any order. So a row needs no address, and its numbers can be stored as differences: with
// nodes numbered as they are discovered, the links of a page lie close to each other and most take one byte.
//
// A row is the page's node, the number of its links, and the links: each as the difference to the one before
// (the first to the page's node), zigzag, seven bits a byte. The log is cut into pieces of about 64 KiB at
// row ends, so that threads can share a pass; where it is cut depends on the rows alone, and so what a pass
// computes does not depend on what is in memory. With a limit the oldest pieces go to a SpillStore, a block
// each, in runs that only grow; each pass reads them back in order.
//
// A piece that cannot be read back is lost: a pass goes without it, mend() puts its rows together again where
// somebody knows them (the crawl's own log of links), take_troubles() tells what it held.
//
// Ownership: the store outlives this. Threads: scan() of different parts from many threads, all else from
// one.
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
  SpillStore* spill = nullptr;               // null: all of it is in memory
  std::uint64_t memory = ~std::uint64_t{0};  // bytes of pieces in memory; the last one is there in any case
};

class LinkLog {
 public:
  using Node = std::uint32_t;
  struct Row {
    Node page = 0;
    std::vector<Node> links;
  };
  // The row of this number once more, counted from 0 as they were appended.
  using Source = std::function<Status(std::uint64_t number, Row& row)>;

  explicit LinkLog(const LinkLogOptions& options = {});

  void append(Node page, std::span<const Node> links);
  // From here on; of no effect without a store.
  void limit(std::uint64_t bytes);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t links() const { return links_; }

  // Every row whose piece is among those of `part` out of `parts`, in order, without those of lost pieces.
  // head(page, links) is called first, then link(node) for each.
  template <typename Head, typename Link>
  void scan(unsigned part, unsigned parts, Head&& head, Link&& link) {
    const std::size_t end = pieces_.size() * (part + 1) / parts;
    for (std::size_t i = pieces_.size() * part / parts; i < end; ++i) {
      Piece& piece = pieces_[i];
      if (piece.storage == Storage::kMemory) {
        CHECK(read_rows(piece.bytes, bound_, head, link));
      } else if (const auto bytes = read(piece); bytes.ok()) {
        if (!read_rows(*bytes, bound_, head, link)) lose(piece, "these are no links");
      }
    }
  }
  // The same for the rows in `bytes`. False, and nothing further is told, where these are no rows of nodes
  // below `nodes`.
  template <typename Head, typename Link>
  static bool read_rows(std::string_view bytes, Node nodes, Head&& head, Link&& link);

  // After a pass: puts lost pieces together again. True where one was, and the pass is to be done once more.
  bool mend(const Source& source);
  // An error: the limit cannot be kept.
  const Status& status() const { return retry_.status(); }
  // What could not be read or written since the last call, and what was done about it.
  std::vector<std::string> take_troubles();

  struct Use {
    std::uint64_t memory = 0;  // bytes
    std::uint64_t links_on_disk = 0;
    std::uint64_t disk = 0;  // bytes
    std::uint64_t links_lost = 0;
  };
  Use use() const;
  std::uint64_t bytes() const { return use().memory; }

  // Of pieces on disk only where they are.
  void save(ByteWriter& out) const;
  // Rejects what append() could not have written for nodes below `nodes`. All that is on disk is read: what
  // cannot be is lost, and is no reason to reject the rest.
  void load(ByteReader& in, Node nodes);

 private:
  enum class Storage : std::uint8_t { kMemory, kDisk, kLost };
  struct Piece {
    std::string bytes;  // where it is in memory
    std::uint64_t first_row = 0;
    std::uint64_t rows = 0;
    std::uint64_t links = 0;
    // Where it was put, by the run's number among ours; and how it is known again.
    std::uint64_t run = 0;
    std::uint64_t block = 0;
    std::uint64_t hash = 0;
    Storage storage = Storage::kMemory;
    std::uint32_t losses = 0;
    std::string trouble;
  };

  static std::uint32_t zigzag(std::uint32_t difference) {
    return difference << 1 ^ (difference >> 31 != 0 ? ~0u : 0u);
  }
  static std::uint32_t unzigzag(std::uint32_t code) { return code >> 1 ^ (0u - (code & 1)); }
  // Sets `at` to null where no number ends before `end`, or it is too large.
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
  std::size_t next_out_ = 0;   // pieces before this are not to be put out
  std::uint64_t rows_ = 0;
  std::uint64_t links_ = 0;
  std::uint64_t in_memory_ = 0;  // bytes of pieces
  Node bound_ = 0;               // every node is below this
  std::uint64_t runs_ = 0;       // begun
  bool run_open_ = false;        // the last of them takes more
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
