// The journal of a crawl folder: events in order, in frames with checksums, and regular commits with the
// length of every file in the folder.
//
// Problem: after a crash a file may end anywhere, and parts of the last writes may be missing. A frame is
//   u32 size of the payload, u32 CRC-32 of the rest, u8 kind, payload        (little-endian)
// so a torn frame is recognised. Only what precedes the last whole commit is valid. A commit is on disk
// before anything is written after it, so at most one commit can follow a frame that a crash has torn. If
// more commits follow, the file was damaged later; that is an error with the position. Format:
// docs/formats/crawl-folder.md. Threads: one user at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/disk.h"

namespace bowerbird {

enum class FrameKind : std::uint8_t {
  kHeader = 1,  // the first frame: version, and `about` of the crawl
  kEvents = 2,
  kCommit = 3,
};

constexpr std::size_t kFrameHead = 9;
constexpr std::size_t kLargestFrame = std::size_t{1} << 26;

void append_frame(std::string& out, FrameKind kind, std::string_view payload);

struct Frame {
  FrameKind kind = FrameKind::kHeader;
  std::string_view payload;  // valid until the next call of the reader
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
};

// The frames of a file from `begin` up to `end`.
class FrameReader {
 public:
  FrameReader(const DiskFile& file, std::uint64_t begin, std::uint64_t end)
      : file_(file), at_(begin), end_(end) {}

  // None at the end, or at an invalid frame; then at() < end.
  Result<std::optional<Frame>> next();
  std::uint64_t at() const { return at_; }

 private:
  Result<std::string_view> look(std::size_t size);

  const DiskFile& file_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::string buffer_;
  std::uint64_t buffer_at_ = 0;
};

// WARC files are in this folder, which exists.
inline constexpr char kArchiveFolder[] = "warc";
// "warc/NAME". No other file that a commit names is ever opened.
bool is_archive_name(std::string_view name);

// A file of the folder at a commit.
struct CommittedFile {
  std::string name;  // relative to the folder; without ".open"
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;  // counted by its owner
  bool open = false;          // a WARC file, named name.open until it is sealed
  bool sealed = false;        // complete since this commit, and named `name`
};

struct CommitRecord {
  std::uint64_t number = 0;
  std::int64_t time_us = 0;  // wall clock
  std::string store_state;   // the store's own numbers
  std::string state;         // the crawl's
  std::vector<CommittedFile> files;

  std::string encode() const;
  static std::optional<CommitRecord> decode(std::string_view payload);
  const CommittedFile* find(std::string_view name) const;
};

std::string encode_header(std::string_view about);
// The `about` text of the header frame. name: of the file, for errors.
Result<std::string> read_header(const DiskFile& journal, const std::string& name);

struct LastCommit {
  CommitRecord record;
  std::uint64_t offset = 0;  // of its frame
  std::uint64_t end = 0;
};

// The last whole commit at or after `from` (where a frame begins); none if there is none. Damage before a
// later commit is an error.
Result<std::optional<LastCommit>> find_last_commit(const DiskFile& journal, const std::string& name,
                                                   std::uint64_t from);

// Appends an event of the crawl to a kEvents payload.
void append_event(std::string& events, std::uint8_t type, std::string_view payload);

}  // namespace bowerbird
