// The journal of a UrlFrontier in segments: files journal-000000000001, -2 ... of frames
// (store/journal.h), one frame per call. The records of URLs are read from it by position.
//
// Each snapshot starts a new segment. Segments before the snapshot are only needed for those of their
// records that are still current; remove_unless() removes the others. Without a folder only the records
// are kept, in memory. After a crash the last segment may end in a torn frame, which is cut off: its call
// never returned. Damage anywhere else is an error. Ownership: the files journal-* of the folder.
// Threads: one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy_array.h"
#include "base/result.h"
#include "sys/disk.h"

namespace bowerbird {

// The position of a record: segment << 40
// offset. 0: none.
using RecordAt = std::uint64_t;

class UrlJournal {
 public:
  // folder: empty: in memory.
  UrlJournal(Disk& disk, std::string folder, bool durable)
      : disk_(disk), folder_(std::move(folder)), durable_(durable) {}
  UrlJournal(const UrlJournal&) = delete;
  UrlJournal& operator=(const UrlJournal&) = delete;

  static bool exists(Disk& disk, const std::string& folder);
  // Opens the segments of the folder. Returns the header of the last one; empty: there is none, because
  // the process was killed before it had written the first one.
  Result<std::string> open();
  // Visits the frames of the segments from this number on, in order: visit(payload, position of the
  // payload). Cuts off a torn frame at the end.
  Status replay(std::uint32_t from, const std::function<Status(std::string_view, RecordAt)>& visit);
  // Starts a new segment for the next frames. `about` is written to its header.
  Status begin_segment(std::string_view about);
  std::uint32_t segment() const { return segment_; }

  // Writes a frame and returns the position of its payload.
  Result<RecordAt> append(std::string_view payload);
  Status sync();
  // Without a folder: keeps only the record.
  RecordAt keep(std::string_view record);
  // The record at this position, which is a length followed by bytes.
  Result<std::string> read(RecordAt at) const;

  std::uint64_t segment_bytes() const { return segment_bytes_; }
  std::uint64_t disk_bytes() const;
  std::uint64_t bytes() const { return memory_end_; }
  // Removes the segments before `before` that are not needed.
  Status remove_unless(std::uint32_t before, const std::function<bool(std::uint32_t)>& needed);
  std::vector<std::uint32_t> segments() const;

  static std::uint32_t segment_of(RecordAt at) { return static_cast<std::uint32_t>(at >> kOffsetBits); }

 private:
  static constexpr unsigned kOffsetBits = 40;

  std::string path(std::uint32_t segment) const;

  Disk& disk_;
  std::string folder_;
  bool durable_;
  std::map<std::uint32_t, std::unique_ptr<DiskFile>> files_;
  std::uint32_t segment_ = 0;  // the last one; 0: none
  std::uint64_t segment_bytes_ = 0;
  std::string frame_;
  LazyArray<char> memory_;
  std::uint64_t memory_end_ = 0;
};

}  // namespace bowerbird
