#include "store/block_log.h"

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace bowerbird {

namespace {

constexpr std::uint32_t kMark = 0x4b4c4242;  // "BBLK"
constexpr int kLevel = 1;
constexpr std::size_t kChunk = 1 << 18;
constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

}  // namespace

// As stored in the file.
struct BlockReader::Head {
  std::uint32_t mark;
  std::uint32_t stored;
  std::uint32_t raw;
  std::uint32_t records;
  std::uint32_t first_low;
  std::uint32_t first_high;
  std::uint32_t crc;

  std::uint64_t first() const { return first_low | std::uint64_t{first_high} << 32; }
  std::uint32_t checksum(std::string_view bytes) const {
    return libdeflate_crc32(libdeflate_crc32(0, this, offsetof(Head, crc)), bytes.data(), bytes.size());
  }
};

namespace {
constexpr std::size_t kHeadBytes = 28;
}

struct BlockEncoder::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
};

BlockEncoder::BlockEncoder() : context_(std::make_unique<Context>()) {
  CHECK(context_->zstd != nullptr);
}
BlockEncoder::~BlockEncoder() = default;

void BlockEncoder::encode(const Block& block, std::string& out) {
  CHECK(block.raw.size() <= kLargestBlock);
  const std::size_t begin = out.size();
  out.resize(begin + kHeadBytes + ZSTD_compressBound(block.raw.size()));
  const std::size_t stored =
      ZSTD_compressCCtx(context_->zstd, out.data() + begin + kHeadBytes, out.size() - begin - kHeadBytes,
                        block.raw.data(), block.raw.size(), kLevel);
  CHECK(ZSTD_isError(stored) == 0);
  out.resize(begin + kHeadBytes + stored);
  std::uint32_t head[7] = {kMark,
                           static_cast<std::uint32_t>(stored),
                           static_cast<std::uint32_t>(block.raw.size()),
                           block.records,
                           static_cast<std::uint32_t>(block.first),
                           static_cast<std::uint32_t>(block.first >> 32),
                           0};
  static_assert(sizeof head == kHeadBytes);
  head[6] = libdeflate_crc32(libdeflate_crc32(0, head, 24), out.data() + begin + kHeadBytes, stored);
  std::memcpy(out.data() + begin, head, sizeof head);
}

struct BlockReader::Context {
  ZSTD_DCtx* zstd = ZSTD_createDCtx();
  ~Context() { ZSTD_freeDCtx(zstd); }
};

BlockReader::BlockReader(std::shared_ptr<const DiskFile> file, std::string name, std::uint64_t end)
    : file_(std::move(file)),
      name_(std::move(name)),
      end_(end),
      block_at_(kNowhere),
      context_(std::make_unique<Context>()) {
  static_assert(sizeof(Head) == kHeadBytes);
  CHECK(context_->zstd != nullptr);
}
BlockReader::~BlockReader() = default;
BlockReader::BlockReader(BlockReader&&) noexcept = default;

Error BlockReader::damaged(std::uint64_t offset, std::string_view what) const {
  return error("{}: byte {}: {}: restore the file from a copy", name_, offset, what);
}

// `size` bytes from `offset` on; fewer at the end of the file.
Result<std::string_view> BlockReader::look(std::uint64_t offset, std::size_t size) {
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, end_ - offset));
  if (offset < buffer_at_ || offset + size > buffer_at_ + buffer_.size()) {
    BB_TRY(buffer_, file_->read(offset, static_cast<std::size_t>(
                                            std::min<std::uint64_t>(std::max(size, kChunk), end_ - offset))));
    buffer_at_ = offset;
  }
  return std::string_view(buffer_).substr(offset - buffer_at_, size);
}

Result<BlockReader::Head> BlockReader::head_at(std::uint64_t offset) {
  BB_TRY(const std::string_view bytes, look(offset, kHeadBytes));
  if (bytes.size() < kHeadBytes) return damaged(offset, "the file ends within a block");
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.mark != kMark || head.stored > kLargestBlock + (kLargestBlock >> 7) || head.raw > kLargestBlock) {
    return damaged(offset, "no block begins here");
  }
  if (head.stored > end_ - offset - kHeadBytes) return damaged(offset, "the file ends within a block");
  return head;
}

Status BlockReader::unpack(const Head& head, std::uint64_t offset, std::string_view stored, Block& block) {
  if (head.checksum(stored) != head.crc) return damaged(offset, "the block is damaged");
  block.raw.resize(head.raw);
  const std::size_t size =
      ZSTD_decompressDCtx(context_->zstd, block.raw.data(), block.raw.size(), stored.data(), stored.size());
  if (size != head.raw) return damaged(offset, "the block cannot be unpacked");
  block.first = head.first();
  block.records = head.records;
  return {};
}

Result<const Block*> BlockReader::next() {
  if (at_ >= end_) return static_cast<const Block*>(nullptr);
  BB_TRY(const Head head, head_at(at_));
  const std::uint64_t behind = at_ + kHeadBytes + head.stored;
  if (block_at_ != at_) {
    block_at_ = kNowhere;
    BB_TRY(const std::string_view bytes, look(at_, kHeadBytes + head.stored));
    BB_TRY_VOID(unpack(head, at_, bytes.substr(kHeadBytes), block_));
    block_at_ = at_;
  }
  at_ = behind;
  return &block_;
}

Status BlockReader::index() {
  while (indexed_ < end_) {
    BB_TRY(const Head head, head_at(indexed_));
    if (head.first() != records_indexed_) return damaged(indexed_, "a block is missing before this one");
    blocks_.push_back({head.first(), indexed_});
    records_indexed_ += head.records;
    indexed_ += kHeadBytes + head.stored;
  }
  return {};
}

Result<std::optional<std::size_t>> BlockReader::number_of(std::uint64_t record) {
  BB_TRY_VOID(index());
  if (record >= records_indexed_) return std::optional<std::size_t>();
  // Blocks hold similar numbers of records, so interpolation finds the block in few steps.
  const std::size_t blocks = blocks_.size();
  auto low = static_cast<std::size_t>(static_cast<double>(record) / static_cast<double>(records_indexed_) *
                                      static_cast<double>(blocks - 1));
  std::size_t high = low + 1;
  for (std::size_t step = 1; blocks_[low].first > record; step *= 2) low -= std::min(low, step);
  for (std::size_t step = 1; high < blocks && blocks_[high].first <= record; step *= 2)
    high += std::min(blocks - high, step);
  const auto at = [this](std::size_t i) { return blocks_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto behind =
      std::upper_bound(at(low), at(high), record,
                       [](std::uint64_t wanted, const BlockStart& start) { return wanted < start.first; });
  return std::optional<std::size_t>(static_cast<std::size_t>(behind - blocks_.begin()) - 1);
}

Status BlockReader::read(std::size_t number, Block& block) {
  const std::uint64_t offset = blocks_[number].offset;
  const std::uint64_t behind = number + 1 < blocks_.size() ? blocks_[number + 1].offset : indexed_;
  stored_.resize(static_cast<std::size_t>(behind - offset));  // index() has seen this many bytes of the file
  BB_TRY(const std::size_t got, file_->read_into(offset, stored_));
  if (got < stored_.size()) return damaged(offset, "the file ends within a block");
  Head head;
  std::memcpy(&head, stored_.data(), sizeof head);
  if (head.mark != kMark || head.raw > kLargestBlock || head.stored != stored_.size() - kHeadBytes) {
    return damaged(offset, "no block begins here");
  }
  return unpack(head, offset, std::string_view(stored_).substr(kHeadBytes), block);
}

Status BlockReader::seek(std::uint64_t record) {
  BB_TRY(const std::optional<std::size_t> number, number_of(record));
  at_ = number ? blocks_[*number].offset : end_;
  return {};
}

Result<const Block*> BlockReader::find(std::uint64_t record) {
  BB_TRY(const std::optional<std::size_t> number, number_of(record));
  if (!number) return static_cast<const Block*>(nullptr);
  const std::uint64_t offset = blocks_[*number].offset;
  if (block_at_ != offset) {
    block_at_ = kNowhere;
    BB_TRY_VOID(read(*number, block_));
    block_at_ = offset;
  }
  at_ = *number + 1 < blocks_.size() ? blocks_[*number + 1].offset : indexed_;
  return &block_;
}

}  // namespace bowerbird
