#include "store/journal.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "base/varint.h"

namespace bowerbird {

namespace {

constexpr std::string_view kHeaderMark = "Bowerbird crawl\n";
constexpr std::string_view kCommitMark = "BBcommit";
constexpr std::uint64_t kFormatVersion = 3;
constexpr std::size_t kJournalChunk = std::size_t{1} << 20;

std::uint32_t load32(const char* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void append32(std::string& out, std::uint32_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// CRC of the size, the kind and the payload.
std::uint32_t frame_crc(std::string_view head, std::string_view payload) {
  std::uint32_t crc = libdeflate_crc32(0, head.data(), 4);
  crc = libdeflate_crc32(crc, head.data() + 8, 1);
  return libdeflate_crc32(crc, payload.data(), payload.size());
}

bool is_kind(char byte) {
  return byte >= static_cast<char>(FrameKind::kHeader) && byte <= static_cast<char>(FrameKind::kCommit);
}

}  // namespace

void append_frame(std::string& out, FrameKind kind, std::string_view payload) {
  CHECK(payload.size() <= kLargestFrame);
  std::string head;
  append32(head, static_cast<std::uint32_t>(payload.size()));
  append32(head, 0);
  head.push_back(static_cast<char>(kind));
  const std::uint32_t crc = frame_crc(head, payload);
  std::memcpy(head.data() + 4, &crc, sizeof crc);
  out.append(head).append(payload);
}

// The next `size` bytes; fewer at the end of the file.
Result<std::string_view> FrameReader::look(std::size_t size) {
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, end_ - at_));
  const std::uint64_t skip = at_ - buffer_at_;
  if (skip + size > buffer_.size()) {
    BB_TRY(buffer_, file_.read(at_, static_cast<std::size_t>(
                                        std::min<std::uint64_t>(std::max(size, kJournalChunk), end_ - at_))));
    buffer_at_ = at_;
  }
  return std::string_view(buffer_).substr(at_ - buffer_at_, size);
}

Result<std::optional<Frame>> FrameReader::next() {
  BB_TRY(const std::string_view head, look(kFrameHead));
  if (head.size() < kFrameHead || !is_kind(head[8])) return std::optional<Frame>();
  const std::uint32_t size = load32(head.data());
  if (size > kLargestFrame) return std::optional<Frame>();
  BB_TRY(const std::string_view whole, look(kFrameHead + size));
  if (whole.size() < kFrameHead + size) return std::optional<Frame>();
  Frame frame;
  frame.payload = whole.substr(kFrameHead);
  if (frame_crc(whole, frame.payload) != load32(whole.data() + 4)) return std::optional<Frame>();
  frame.kind = static_cast<FrameKind>(whole[8]);
  frame.offset = at_;
  at_ += whole.size();
  frame.end = at_;
  return std::optional<Frame>(frame);
}

namespace {

bool is_plain_name(std::string_view name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return is_ascii_alnum(c) || c == '.' || c == '-' || c == '_';
  });
}

// Logs are in the same folder as the journal. A commit only names WARC files that are still being
// written.
bool is_sound(const CommittedFile& file) {
  if (file.open) return is_archive_name(file.name);
  return !file.sealed && is_plain_name(file.name) &&
         (file.name.ends_with(".log") || file.name.ends_with(".jsonl"));
}

}  // namespace

bool is_archive_name(std::string_view name) {
  constexpr std::string_view kFolder = kArchiveFolder;
  return name.starts_with(kFolder) && name.substr(kFolder.size()).starts_with('/') &&
         is_plain_name(name.substr(kFolder.size() + 1));
}

std::string CommitRecord::encode() const {
  std::string out(kCommitMark);
  put_varint(out, number);
  put_signed(out, time_us);
  put_string(out, store_state);
  put_string(out, state);
  put_varint(out, files.size());
  for (const CommittedFile& file : files) {
    put_string(out, file.name);
    put_varint(out, file.bytes);
    put_varint(out, file.records);
    put_varint(out, (file.open ? 1u : 0u) | (file.sealed ? 2u : 0u));
  }
  return out;
}

std::optional<CommitRecord> CommitRecord::decode(std::string_view payload) {
  if (!payload.starts_with(kCommitMark)) return std::nullopt;
  VarintReader in(payload.substr(kCommitMark.size()));
  CommitRecord record;
  record.number = in.get();
  record.time_us = in.get_signed();
  record.store_state = in.get_string();
  record.state = in.get_string();
  const std::uint64_t count = in.get_at_most(in.left());
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    CommittedFile file;
    file.name = in.get_string();
    file.bytes = in.get();
    file.records = in.get();
    const std::uint64_t flags = in.get_at_most(3);
    file.open = (flags & 1) != 0;
    file.sealed = (flags & 2) != 0;
    if (!is_sound(file)) in.reject();
    record.files.push_back(std::move(file));
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return record;
}

const CommittedFile* CommitRecord::find(std::string_view name) const {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const CommittedFile& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

std::string encode_header(std::string_view about) {
  std::string payload(kHeaderMark);
  put_varint(payload, kFormatVersion);
  put_string(payload, about);
  std::string frame;
  append_frame(frame, FrameKind::kHeader, payload);
  return frame;
}

Result<std::string> read_header(const DiskFile& journal, const std::string& name) {
  BB_TRY(const std::uint64_t size, journal.size());
  FrameReader frames(journal, 0, size);
  BB_TRY(const std::optional<Frame> frame, frames.next());
  if (!frame || frame->kind != FrameKind::kHeader || !frame->payload.starts_with(kHeaderMark)) {
    return error("{}: this is not the journal of a crawl, or its beginning is damaged", name);
  }
  VarintReader in(frame->payload.substr(kHeaderMark.size()));
  const std::uint64_t version = in.get();
  if (version != kFormatVersion) {
    return error("{}: the crawl was written in format {}, but this bowerbird reads only format {}", name,
                 version, kFormatVersion);
  }
  std::string about(in.get_string());
  if (!in.ok()) return error("{}: its beginning is damaged", name);
  return about;
}

namespace {

// Commits after a damaged frame.
struct CommitsBehind {
  std::uint64_t count = 0;
  std::uint64_t last_end = 0;
};

Result<CommitsBehind> commits_behind(const DiskFile& journal, std::uint64_t from, std::uint64_t end) {
  CommitsBehind behind;
  std::uint64_t at = from;
  while (at < end && behind.count < 2) {
    BB_TRY(const std::string chunk, journal.read(at, kJournalChunk));
    const std::size_t mark = chunk.find(kCommitMark);
    if (mark == std::string::npos) {
      if (chunk.size() < kJournalChunk) break;
      at += chunk.size() - kCommitMark.size() + 1;  // the mark may span two chunks
      continue;
    }
    const std::uint64_t found = at + mark;
    at = found + 1;
    if (found < from + kFrameHead) continue;
    FrameReader frames(journal, found - kFrameHead, end);
    BB_TRY(const std::optional<Frame> frame, frames.next());
    if (!frame || frame->kind != FrameKind::kCommit) continue;
    ++behind.count;
    behind.last_end = frame->end;
    at = frame->end;
  }
  return behind;
}

}  // namespace

Result<std::optional<LastCommit>> find_last_commit(const DiskFile& journal, const std::string& name,
                                                   std::uint64_t from) {
  BB_TRY(const std::uint64_t size, journal.size());
  if (from > size) return std::optional<LastCommit>();
  std::optional<LastCommit> last;
  FrameReader frames(journal, from, size);
  for (;;) {
    BB_TRY(const std::optional<Frame> frame, frames.next());
    if (!frame) break;
    if (frame->kind != FrameKind::kCommit) continue;
    std::optional<CommitRecord> record = CommitRecord::decode(frame->payload);
    if (!record) return error("{}: byte {}: this commit is corrupt", name, frame->offset);
    last = LastCommit{std::move(*record), frame->offset, frame->end};
  }
  if (frames.at() < size) {
    BB_TRY(const CommitsBehind behind, commits_behind(journal, frames.at(), size));
    if (behind.count > 1 || (behind.count == 1 && behind.last_end < size)) {
      return error(
          "{}: byte {}: the journal is damaged here, and valid commits follow it; restore the folder "
          "from a copy",
          name, frames.at());
    }
  }
  return last;
}

void append_event(std::string& events, std::uint8_t type, std::string_view payload) {
  events.push_back(static_cast<char>(type));
  put_string(events, payload);
}

}  // namespace bowerbird
