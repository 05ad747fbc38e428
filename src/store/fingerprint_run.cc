#include "store/fingerprint_run.h"

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace bowerbird {

namespace {

struct BlockHead {
  std::uint64_t smallest;
  std::uint32_t crc;
  std::uint16_t entries;
  std::uint8_t fingerprint_bits;
  std::uint8_t page_bits;
};
static_assert(sizeof(BlockHead) == 16);

constexpr std::size_t kBlock = FingerprintRun::kBlock;
// The last 8 bytes stay free, so that a number can be read as a word wherever it begins.
constexpr std::size_t kEntryBits = (kBlock - sizeof(BlockHead) - 8) * 8;
constexpr std::size_t kPieceBlocks = 256;  // read or written in one go
constexpr std::uint64_t kLookEvery = 1 << 16;

unsigned bits_for(std::uint64_t value) {
  return static_cast<unsigned>(std::bit_width(value));
}

BlockHead head_of(const char* block) {
  BlockHead head;
  std::memcpy(&head, block, sizeof head);
  return head;
}

std::uint32_t checksum(std::string_view block, BlockHead head) {
  head.crc = 0;
  const std::uint32_t crc = libdeflate_crc32(0, &head, sizeof head);
  return libdeflate_crc32(crc, block.data() + sizeof head, block.size() - sizeof head);
}

// At most 64 bits from a place in bits behind the head.
std::uint64_t get_bits(const char* block, std::size_t at, unsigned bits) {
  if (bits == 0) return 0;
  const char* const from = block + sizeof(BlockHead) + at / 8;
  const unsigned shift = at % 8;
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  word >>= shift;
  if (bits + shift > 64) word |= std::uint64_t{static_cast<std::uint8_t>(from[8])} << (64 - shift);
  return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

void put_bits(char* block, std::size_t at, std::uint64_t value, unsigned bits) {
  if (bits == 0) return;
  char* const to = block + sizeof(BlockHead) + at / 8;
  const unsigned shift = at % 8;
  std::uint64_t word;
  std::memcpy(&word, to, sizeof word);
  word |= value << shift;
  std::memcpy(to, &word, sizeof word);
  if (bits + shift > 64) to[8] = static_cast<char>(to[8] | static_cast<char>(value >> (64 - shift)));
}

FingerprintEntry entry_at(const char* block, const BlockHead& head, std::uint32_t i, PageId first_page) {
  const std::size_t at = std::size_t{i} * (head.fingerprint_bits + head.page_bits);
  return {head.smallest + get_bits(block, at, head.fingerprint_bits),
          static_cast<PageId>(first_page + get_bits(block, at + head.fingerprint_bits, head.page_bits))};
}

}  // namespace

Error FingerprintRun::damaged(std::size_t block, std::string_view what) const {
  return error("{}: byte {}: {}; it held the fingerprints of pages {} to {}", path_, block * kBlock, what,
               first_page_, end_page_ - 1);
}

Status FingerprintRun::check(std::size_t block, std::string_view bytes) const {
  if (bytes.size() < kBlock) return damaged(block, "the file ends here, too early");
  const BlockHead head = head_of(bytes.data());
  if (head.crc != checksum(bytes, head)) return damaged(block, "the block is damaged");
  if (head.smallest != firsts_[block] || head.fingerprint_bits > 64 || head.page_bits > 32 ||
      std::size_t{head.entries} * (head.fingerprint_bits + head.page_bits) > kEntryBits) {
    return damaged(block, "the block makes no sense");
  }
  return {};
}

Result<std::uint64_t> FingerprintRun::find(std::span<FingerprintQuery*> queries) const {
  // Which block each would be in; none for those before the first.
  std::vector<std::size_t> blocks(queries.size());
  std::uint64_t reads = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto behind = std::upper_bound(firsts_.begin(), firsts_.end(), queries[i]->fingerprint);
    blocks[i] = static_cast<std::size_t>(behind - firsts_.begin());  // plus 1
    if (blocks[i] == 0 || (i > 0 && blocks[i] == blocks[i - 1])) continue;
    if (queries.size() > 1) file_->will_need((blocks[i] - 1) * kBlock, kBlock);
  }
  std::string bytes;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (blocks[i] == 0) continue;
    if (i == 0 || blocks[i] != blocks[i - 1]) {
      BB_TRY(bytes, file_->read((blocks[i] - 1) * kBlock, kBlock));
      BB_TRY_VOID(check(blocks[i] - 1, bytes));
      ++reads;
    }
    const BlockHead head = head_of(bytes.data());
    std::uint32_t low = 0, high = head.entries;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      const FingerprintEntry entry = entry_at(bytes.data(), head, middle, first_page_);
      if (entry.fingerprint == queries[i]->fingerprint) {
        queries[i]->page = entry.page;
        break;
      }
      if (entry.fingerprint < queries[i]->fingerprint) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
  }
  return reads;
}

Result<bool> FingerprintRun::Cursor::next(FingerprintEntry& entry) {
  if (entry_ == entries_) {
    if (in_piece_ == piece_.size()) {
      if (block_ == run_->firsts_.size()) return false;
      const std::size_t blocks = std::min(kPieceBlocks, run_->firsts_.size() - block_);
      BB_TRY(piece_, run_->file_->read(block_ * kBlock, blocks * kBlock));
      if (piece_.size() < blocks * kBlock) return run_->damaged(block_, "the file ends here, too early");
      in_piece_ = 0;
    }
    current_ = std::string_view(piece_).substr(in_piece_, kBlock);
    BB_TRY_VOID(run_->check(block_, current_));
    in_piece_ += kBlock;
    ++block_;
    entries_ = head_of(current_.data()).entries;
    entry_ = 0;
  }
  entry = entry_at(current_.data(), head_of(current_.data()), entry_++, run_->first_page_);
  return true;
}

// ---- writing

Result<FingerprintRunWriter> FingerprintRunWriter::create(Disk& disk, std::string path, PageId first,
                                                          PageId end) {
  CHECK(first < end);
  FingerprintRunWriter writer;
  if (disk.exists(path)) BB_TRY_VOID(disk.remove(path));
  BB_TRY(writer.file_, disk.open(path, Disk::Open::kCreate));
  writer.run_ = std::make_shared<FingerprintRun>();
  writer.run_->path_ = std::move(path);
  BB_TRY(writer.run_->file_, disk.open(writer.run_->path_, Disk::Open::kRead));
  writer.run_->first_page_ = first;
  writer.run_->end_page_ = end;
  writer.run_->filter_ = FingerprintFilter(end - first);
  writer.page_bits_ = bits_for(end - 1 - first);
  return writer;
}

Status FingerprintRunWriter::add(const FingerprintEntry& entry) {
  if (!block_.empty()) {
    const unsigned bits = bits_for(entry.fingerprint - block_.front().fingerprint) + page_bits_;
    if ((block_.size() + 1) * bits > kEntryBits || block_.size() == 0xffff) BB_TRY_VOID(cut());
  }
  block_.push_back(entry);
  run_->filter_.add(entry.fingerprint);
  ++run_->size_;
  return {};
}

Status FingerprintRunWriter::cut() {
  if (block_.empty()) return {};
  const std::size_t begin = buffer_.size();
  buffer_.resize(begin + kBlock);
  char* const to = buffer_.data() + begin;
  BlockHead head{};
  head.smallest = block_.front().fingerprint;
  head.entries = static_cast<std::uint16_t>(block_.size());
  head.fingerprint_bits = static_cast<std::uint8_t>(bits_for(block_.back().fingerprint - head.smallest));
  head.page_bits = static_cast<std::uint8_t>(page_bits_);
  std::size_t at = 0;
  for (const FingerprintEntry& entry : block_) {
    put_bits(to, at, entry.fingerprint - head.smallest, head.fingerprint_bits);
    put_bits(to, at + head.fingerprint_bits, entry.page - run_->first_page_, page_bits_);
    at += head.fingerprint_bits + page_bits_;
  }
  head.crc = checksum({to, kBlock}, head);
  std::memcpy(to, &head, sizeof head);
  run_->firsts_.push_back(head.smallest);
  block_.clear();
  if (buffer_.size() < kPieceBlocks * kBlock) return {};
  const Status status = file_->append(buffer_);
  buffer_.clear();
  return status;
}

Result<std::shared_ptr<const FingerprintRun>> FingerprintRunWriter::finish() {
  BB_TRY_VOID(cut());
  BB_TRY_VOID(file_->append(buffer_));
  run_->firsts_.shrink_to_fit();
  return std::shared_ptr<const FingerprintRun>(std::move(run_));
}

Result<std::shared_ptr<const FingerprintRun>> merge_runs(
    Disk& disk, std::string path, std::span<const std::shared_ptr<const FingerprintRun>> runs,
    const std::function<bool()>& stop) {
  BB_TRY(FingerprintRunWriter writer,
         FingerprintRunWriter::create(disk, std::move(path), runs.front()->first_page(),
                                      runs.back()->end_page()));
  struct Source {
    FingerprintRun::Cursor cursor;
    FingerprintEntry entry;
  };
  std::vector<Source> sources;
  for (const auto& run : runs) {
    Source source{FingerprintRun::Cursor(*run), {}};
    BB_TRY(const bool any, source.cursor.next(source.entry));
    if (any) sources.push_back(std::move(source));
  }
  for (std::uint64_t done = 0; !sources.empty(); ++done) {
    if (done % kLookEvery == 0 && stop()) return std::shared_ptr<const FingerprintRun>();
    // There are few of them.
    auto least = sources.begin();
    for (auto one = least + 1; one != sources.end(); ++one) {
      if (one->entry < least->entry) least = one;
    }
    BB_TRY_VOID(writer.add(least->entry));
    BB_TRY(const bool more, least->cursor.next(least->entry));
    if (!more) sources.erase(least);
  }
  return writer.finish();
}

}  // namespace bowerbird
