// Append-only files of records, compressed in blocks. Records are small, and each can be read by its
// number.
//
// A block is   u32 'BBLK', u32 stored size, u32 raw size, u32 records, u64 number of the first record,
// u32 CRC-32 of all of this and the stored bytes, then the stored bytes (one zstd frame). The owner
// defines the format of a record; a block is a sequence of them. The writer decides where a block ends
// (store/crawl_store.h: at about kBlockBytes, and at every commit), so a reader that stops at a committed
// length sees only whole blocks. No allocation is sized by a number in the file beyond kLargestBlock.
// Threads: one user per reader at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/disk.h"

namespace bowerbird {

constexpr std::size_t kBlockBytes = 16 << 10;
constexpr std::size_t kLargestBlock = std::size_t{1} << 27;

struct Block {
  std::string raw;
  std::uint64_t first = 0;  // number of its first record
  std::uint32_t records = 0;
};

class BlockEncoder {
 public:
  BlockEncoder();
  ~BlockEncoder();
  BlockEncoder(const BlockEncoder&) = delete;
  BlockEncoder& operator=(const BlockEncoder&) = delete;

  // Appends the block to `out`.
  void encode(const Block& block, std::string& out);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

class BlockReader {
 public:
  // Reads the first `end` bytes of the file. name: for error messages.
  BlockReader(std::shared_ptr<const DiskFile> file, std::string name, std::uint64_t end);
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  // The next block; null at the end. The view is valid until the next call.
  Result<const Block*> next();
  // The block with this record; null if there is none. next() then continues after it. The first call
  // reads the headers of all blocks.
  Result<const Block*> find(std::uint64_t record);
  // The index of the block with this record; none if there is none. read() reads the block with this
  // index.
  Result<std::optional<std::size_t>> number_of(std::uint64_t record);
  Status read(std::size_t number, Block& block);
  std::uint64_t bytes() const {
    return stored_.capacity() + buffer_.capacity() + block_.raw.capacity() +
           blocks_.capacity() * sizeof(BlockStart);
  }
  // next() continues at the block with `record`, or at the end.
  Status seek(std::uint64_t record);
  // The file has grown to `end` bytes.
  void extend(std::uint64_t end) { end_ = end; }

 private:
  struct BlockStart {
    std::uint64_t first = 0;
    std::uint64_t offset = 0;
  };
  struct Head;
  struct Context;

  Result<Head> head_at(std::uint64_t offset);
  Status index();
  Result<std::string_view> look(std::uint64_t offset, std::size_t size);
  Error damaged(std::uint64_t offset, std::string_view what) const;
  Status unpack(const Head& head, std::uint64_t offset, std::string_view stored, Block& block);

  std::shared_ptr<const DiskFile> file_;
  std::string name_;
  std::uint64_t end_;
  std::uint64_t at_ = 0;
  std::uint64_t indexed_ = 0;  // offset up to which blocks_ is known
  std::uint64_t records_indexed_ = 0;
  std::vector<BlockStart> blocks_;
  Block block_;
  std::uint64_t block_at_;  // offset of block_, or no offset
  std::string stored_;      // buffer of read()
  std::string buffer_;
  std::uint64_t buffer_at_ = 0;
  std::unique_ptr<Context> context_;
};

}  // namespace bowerbird
