#include "urlfrontier/url_journal.h"

#include <charconv>
#include <cstring>

#include "base/varint.h"
#include "store/journal.h"

namespace bowerbird {

namespace {

constexpr std::string_view kSegmentPrefix = "journal-";
// Enough for the length and most records.
constexpr std::size_t kFirstRead = 512;
constexpr std::size_t kLargestHeader = 1024;

std::optional<std::uint32_t> segment_number(std::string_view name) {
  if (!name.starts_with(kSegmentPrefix)) return std::nullopt;
  name.remove_prefix(kSegmentPrefix.size());
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (code != std::errc() || end != name.data() + name.size() || name.size() != 10) return std::nullopt;
  return number;
}

}  // namespace

std::string UrlJournal::path(std::uint32_t segment) const {
  return fmt::format("{}/{}{:010}", folder_, kSegmentPrefix, segment);
}

bool UrlJournal::exists(Disk& disk, const std::string& folder) {
  const auto names = disk.list(folder);
  if (!names.ok()) return false;
  for (const std::string& name : *names) {
    if (segment_number(name)) return true;
  }
  return false;
}

Result<std::string> UrlJournal::open() {
  BB_TRY(const std::vector<std::string> names, disk_.list(folder_));
  for (const std::string& name : names) {
    const auto number = segment_number(name);
    if (!number) continue;
    BB_TRY(files_[*number], disk_.open(folder_ + "/" + name, Disk::Open::kAppend));
    segment_ = std::max(segment_, *number);
  }
  // A crash may have left a last segment with an incomplete header; nothing was written to it.
  while (!files_.empty()) {
    const auto& [number, file] = *files_.rbegin();
    BB_TRY(segment_bytes_, file->size());
    FrameReader reader(*file, 0, segment_bytes_);
    BB_TRY(const auto frame, reader.next());
    if (frame && frame->kind == FrameKind::kHeader) {
      segment_ = number;
      return std::string(frame->payload);
    }
    const bool just_begun = number == 1 && segment_bytes_ < kLargestHeader;
    if (files_.size() == 1 && !just_begun)
      return error("{}: this is not the journal of a frontier", path(number));
    BB_TRY_VOID(disk_.remove(path(number)));
    files_.erase(number);
  }
  segment_ = 0;
  return std::string();
}

Status UrlJournal::replay(std::uint32_t from,
                          const std::function<Status(std::string_view, RecordAt)>& visit) {
  for (auto& [number, file] : files_) {
    if (number < from) continue;
    BB_TRY(const std::uint64_t size, file->size());
    FrameReader reader(*file, 0, size);
    for (;;) {
      BB_TRY(const auto frame, reader.next());
      if (!frame) break;
      if (frame->kind != FrameKind::kEvents) continue;
      const RecordAt at = RecordAt{number} << kOffsetBits | (frame->offset + kFrameHead);
      BB_TRY_VOID(visit(frame->payload, at));
    }
    if (reader.at() == size) continue;
    // If whole frames follow a damaged one, the file was damaged later, not by a crash.
    if (number != segment_) {
      return error("{}: damaged at byte {}: restore it from a backup", path(number), reader.at());
    }
    BB_TRY_VOID(file->truncate(reader.at()));
    segment_bytes_ = reader.at();
  }
  return {};
}

Status UrlJournal::begin_segment(std::string_view about) {
  const std::uint32_t next = segment_ + 1;
  BB_TRY(auto file, disk_.open(path(next), Disk::Open::kCreate));
  frame_.clear();
  append_frame(frame_, FrameKind::kHeader, about);
  BB_TRY_VOID(file->append(frame_));
  if (durable_) {
    BB_TRY_VOID(file->sync());
    BB_TRY_VOID(disk_.sync_folder(folder_));
  }
  segment_ = next;
  segment_bytes_ = frame_.size();
  files_[next] = std::move(file);
  return {};
}

Result<RecordAt> UrlJournal::append(std::string_view payload) {
  frame_.clear();
  append_frame(frame_, FrameKind::kEvents, payload);
  BB_TRY_VOID(files_[segment_]->append(frame_));
  const RecordAt at = RecordAt{segment_} << kOffsetBits | (segment_bytes_ + kFrameHead);
  segment_bytes_ += frame_.size();
  return at;
}

Status UrlJournal::sync() {
  return durable_ && segment_ > 0 ? files_[segment_]->sync() : Status{};
}

RecordAt UrlJournal::keep(std::string_view record) {
  std::string bytes;
  put_string(bytes, record);
  const std::uint64_t at = memory_end_;
  memory_end_ += bytes.size();
  memory_.grow_to(memory_end_);
  std::memcpy(memory_.data() + at, bytes.data(), bytes.size());
  return at + 1;
}

Result<std::string> UrlJournal::read(RecordAt at) const {
  if (folder_.empty()) {
    VarintReader in({memory_.data() + at - 1, memory_end_ - (at - 1)});
    return std::string(in.get_string());
  }
  const auto file = files_.find(segment_of(at));
  if (file == files_.end()) return error("{}: segment {} of the journal is missing", folder_, segment_of(at));
  const std::uint64_t offset = at & ((RecordAt{1} << kOffsetBits) - 1);
  BB_TRY(std::string bytes, file->second->read(offset, kFirstRead));
  VarintReader head(bytes);
  const std::uint64_t size = head.get();
  const std::size_t length = bytes.size() - head.left();
  if (!head.ok() || size > kLargestFrame) return error("{}: damaged at byte {}", path(file->first), offset);
  if (length + size > bytes.size()) {
    BB_TRY(bytes, file->second->read(offset, length + size));
  }
  if (length + size > bytes.size()) return error("{}: too short at byte {}", path(file->first), offset);
  return bytes.substr(length, size);
}

std::uint64_t UrlJournal::disk_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [number, file] : files_) {
    const auto size = file->size();
    if (size.ok()) sum += *size;
  }
  return sum;
}

std::vector<std::uint32_t> UrlJournal::segments() const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, file] : files_) numbers.push_back(number);
  return numbers;
}

Status UrlJournal::remove_unless(std::uint32_t before, const std::function<bool(std::uint32_t)>& needed) {
  for (const std::uint32_t number : segments()) {
    if (number >= before || needed(number)) continue;
    BB_TRY_VOID(disk_.remove(path(number)));
    files_.erase(number);
  }
  return {};
}

}  // namespace bowerbird
