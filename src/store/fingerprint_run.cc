#include "store/fingerprint_run.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
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
// The last 8 bytes stay free, so that a number can be read as one word at any bit offset.
constexpr std::size_t kEntryBits = (kBlock - sizeof(BlockHead) - 8) * 8;
constexpr std::size_t kSliceBlocks = 256;   // on average
constexpr std::size_t kPieceBlocks = 2048;  // read or written at once
constexpr std::size_t kCacheLine = 64;
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

// Reads `bits` (at most 64) at bit offset `at` after the header.
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

void FingerprintRun::cut_slices() {
  const std::size_t slices = firsts_.size() / kSliceBlocks + 1;
  slices_.reserve(slices + 1);
  for (std::size_t block = 0; block < firsts_.size(); ++block) {
    const std::size_t slice = FingerprintRange::place(firsts_[block], slices);
    while (slices_.size() <= slice) slices_.push_back(block);
  }
  slices_.resize(slices + 1, firsts_.size());
}

Error FingerprintRun::damaged(std::size_t block, std::string_view what) const {
  return error("{}: byte {}: {}; it contained the fingerprints of pages {} to {}", path_, block * kBlock,
               what, first_page_, end_page_ - 1);
}

Status FingerprintRun::check(std::size_t block, std::string_view bytes) const {
  if (bytes.size() < kBlock) return damaged(block, "the file ends here, too early");
  const BlockHead head = head_of(bytes.data());
  if (head.crc != checksum(bytes, head)) return damaged(block, "the block is damaged");
  if (head.smallest != firsts_[block] || head.fingerprint_bits > 64 || head.page_bits > 32 ||
      std::size_t{head.entries} * (head.fingerprint_bits + head.page_bits) > kEntryBits) {
    return damaged(block, "the block is corrupt");
  }
  return {};
}

// Fingerprints are uniformly distributed, so the position of one can be estimated from its value. Over the
// whole run the error adds up to many blocks; within a slice it is one or two.
std::size_t FingerprintRun::guess(std::uint64_t fingerprint) const {
  constexpr unsigned kPart = 16;  // bits
  const std::size_t at = FingerprintRange::place(fingerprint, (slices_.size() - 1) << kPart);
  const std::size_t slice = at >> kPart, part = at & ((1 << kPart) - 1);
  return slices_[slice] + ((slices_[slice + 1] - slices_[slice]) * part >> kPart);
}

// The block that would contain the fingerprint, plus 1; 0: before the first block.
std::size_t FingerprintRun::place(std::uint64_t fingerprint) const {
  const std::size_t blocks = firsts_.size();
  std::size_t low = guess(fingerprint), high = low, step = 1;
  while (low > 0 && (low == blocks || firsts_[low] > fingerprint)) {
    low -= std::min(low, step);
    step *= 2;
  }
  for (step = 1; high < blocks && firsts_[high] <= fingerprint; step *= 2)
    high += std::min(blocks - high, step);
  const auto begin = firsts_.begin();
  return static_cast<std::size_t>(std::upper_bound(begin + static_cast<std::ptrdiff_t>(low),
                                                   begin + static_cast<std::ptrdiff_t>(high), fingerprint) -
                                  begin);
}

// The relative position of a fingerprint in its block.
double FingerprintRun::share(std::size_t block, std::uint64_t fingerprint) const {
  const std::uint64_t end = block + 1 < firsts_.size() ? firsts_[block + 1] : ~std::uint64_t{0};
  return std::min(
      1.0, static_cast<double>(fingerprint - firsts_[block]) / static_cast<double>(end - firsts_[block]));
}

Result<FingerprintReads> FingerprintRun::find(std::span<FingerprintQuery*> queries) const {
  struct Group {  // queries for one block
    std::size_t block, begin, end;
  };
  std::vector<Group> groups;
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (i + kAhead < queries.size())
      __builtin_prefetch(firsts_.data() + guess(queries[i + kAhead]->fingerprint));
    const std::size_t place = this->place(queries[i]->fingerprint);
    if (place == 0) continue;
    if (is_kept(place - 1)) {  // its header, and the likely position of the entry
      const char* const block = kept_.data() + (place - 1) * kBlock;
      const char* const entry =
          block + static_cast<std::size_t>(share(place - 1, queries[i]->fingerprint) * (kBlock - kCacheLine));
      __builtin_prefetch(block);
      __builtin_prefetch(entry);
      __builtin_prefetch(entry + kCacheLine - 1);
    }
    if (groups.empty() || groups.back().block != place - 1) groups.push_back({place - 1, i, i});
    groups.back().end = i + 1;
  }
  const auto search = [&](const Group& group, const char* bytes) {
    for (std::size_t i = group.begin; i < group.end; ++i) find_in_block(group.block, bytes, *queries[i]);
  };
  FingerprintReads reads;
  std::size_t on_disk = 0;
  for (const Group& group : groups) {
    if (is_kept(group.block)) {
      search(group, kept_.data() + group.block * kBlock);
    } else {
      reads.queries += group.end - group.begin;
      ++reads.blocks;
      groups[on_disk++] = group;
    }
  }
  groups.resize(on_disk);
  // Blocks in the page cache are processed at once. For the others, the kernel is asked to read all of
  // them before waiting for the first.
  std::array<char, kBlock> block;
  std::size_t later = 0;
  for (const Group& group : groups) {
    if (file_->read_at_once(group.block * kBlock, block)) {
      BB_TRY_VOID(check(group.block, {block.data(), kBlock}));
      search(group, block.data());
    } else {
      file_->will_need(group.block * kBlock, kBlock);
      groups[later++] = group;
    }
  }
  for (const Group& group : std::span(groups).first(later)) {
    BB_TRY(const std::size_t got, file_->read_into(group.block * kBlock, block));
    BB_TRY_VOID(check(group.block, {block.data(), got}));
    search(group, block.data());
  }
  return reads;
}

Status FingerprintRun::keep_more(std::uint64_t bytes) {
  const std::size_t from = kept_.size();
  const std::size_t more = std::min<std::uint64_t>(bytes / kBlock * kBlock, disk_bytes() - from);
  if (more == 0) return {};
  kept_.reserve(disk_bytes());
  kept_.grow_to(from + more);
  const Status status = read_kept(from);
  if (!status.ok()) kept_.shrink_to(from);
  return status;
}

Status FingerprintRun::read_kept(std::size_t from) {
  BB_TRY(const std::size_t got, file_->read_into(from, {kept_.data() + from, kept_.size() - from}));
  for (std::size_t at = from; at < kept_.size(); at += kBlock) {
    const std::size_t there = from + got > at ? std::min(kBlock, from + got - at) : 0;
    BB_TRY_VOID(check(at / kBlock, {kept_.data() + at, there}));
  }
  return {};
}

// Linear search from the likely position, which is off by about three entries.
void FingerprintRun::find_in_block(std::size_t block, const char* bytes, FingerprintQuery& query) const {
  const BlockHead head = head_of(bytes);
  const unsigned bits = head.fingerprint_bits + head.page_bits;
  const std::uint64_t wanted = query.fingerprint - head.smallest;
  const auto fingerprint = [&](std::uint32_t i) {
    return get_bits(bytes, std::size_t{i} * bits, head.fingerprint_bits);
  };
  auto at = static_cast<std::uint32_t>(share(block, query.fingerprint) * head.entries);
  while (at < head.entries && fingerprint(at) < wanted) ++at;
  while (at > 0 && fingerprint(at - 1) >= wanted) --at;
  if (at < head.entries && fingerprint(at) == wanted)
    query.page = entry_at(bytes, head, at, first_page_).page;
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

// ---- Writing

Result<FingerprintRunWriter> FingerprintRunWriter::create(Disk& disk, std::string path, PageId first,
                                                          PageId end, std::uint64_t entries) {
  CHECK(first < end);
  FingerprintRunWriter writer;
  if (disk.exists(path)) BB_TRY_VOID(disk.remove(path));
  BB_TRY(writer.file_, disk.open(path, Disk::Open::kCreate));
  writer.run_ = std::make_shared<FingerprintRun>();
  writer.run_->path_ = std::move(path);
  BB_TRY(writer.run_->file_, disk.open(writer.run_->path_, Disk::Open::kRead));
  writer.run_->first_page_ = first;
  writer.run_->end_page_ = end;
  writer.run_->filter_ = FingerprintFilter(entries);
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

Result<std::shared_ptr<FingerprintRun>> FingerprintRunWriter::finish() {
  BB_TRY_VOID(cut());
  BB_TRY_VOID(file_->append(buffer_));
  run_->firsts_.shrink_to_fit();
  run_->cut_slices();
  return std::move(run_);
}

Result<std::shared_ptr<FingerprintRun>> merge_runs(Disk& disk, std::string path,
                                                   std::span<const std::shared_ptr<FingerprintRun>> runs,
                                                   const std::function<bool()>& stop) {
  std::uint64_t entries = 0;
  for (const auto& run : runs) entries += run->size();
  BB_TRY(FingerprintRunWriter writer,
         FingerprintRunWriter::create(disk, std::move(path), runs.front()->first_page(),
                                      runs.back()->end_page(), entries));
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
    if (done % kLookEvery == 0 && stop()) return std::shared_ptr<FingerprintRun>();
    // There are only a few sources.
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
