// The last visit of each page: its time, a digest of the page, and the validators for a conditional
// request. On disk, 256 bytes per page; only changes that are not durable yet are in memory.
//
// Problem: ETag and Last-Modified of millions of pages do not fit into memory. After a crash the table
// must not be ahead of the journal: a 304 would then confirm a copy that was never stored. So changes
// wait in memory until the commit that contains them is durable, and are then written to their place in
// the file. A snapshot has the waiting changes, and replaying the events after it gives the later ones
// again; writing a record twice is harmless. Records have a checksum. A torn record counts as unknown,
// which costs one unconditional request. Without open(), changes are dropped, for reading a crawl.
// Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "parse/sha1.h"
#include "policy/policy.h"
#include "sys/record_file.h"

namespace bowerbird {

// A page with this many 404 or 410 responses in a row is gone.
inline constexpr std::uint8_t kMissingIsGone = 2;
inline constexpr RefreshTime kLatestVisit{Duration{std::int64_t{1} << 50}};

struct VisitRecord {
  static constexpr std::size_t kLongestTag = 85;
  static constexpr std::size_t kLinkBits = 512;

  std::uint64_t digest = 0;     // of the page's text or bytes; 0: unknown
  RefreshTime visited{};        // the last successful visit; 0: none
  RefreshTime fresh_until{};    // until when the server declared it fresh; 0: not declared
  std::uint64_t modified = 0;   // Last-Modified, seconds since 1970; 0: none
  std::uint64_t listed = 0;     // last `lastmod` in a sitemap, seconds since 1970; 0: none
  std::uint64_t stored_us = 0;  // wall clock of the response with its body in the archive; 0: unknown
  double score = 0;             // of the first visit, like the next five: what its links are scored with
  std::uint32_t links = 0, other_host = 0, crawled = 0, known = 0, discovered = 0;
  std::uint32_t checksum = 0;  // of the record with 0 in this field
  std::uint32_t bytes = 0;     // of the body, as received
  Sha1 body{};                 // its SHA-1, if stored_us is known
  std::uint8_t on_topic = 0;
  std::uint8_t missing = 0;  // consecutive visits with 404 or 410
  std::uint8_t tag_size = 0;
  std::array<char, kLongestTag> tag{};
  std::array<std::uint64_t, kLinkBits / 64> link_bits{};  // a Bloom filter of the links seen so far

  std::string_view etag() const { return {tag.data(), tag_size}; }
  // A tag that is too long is not kept.
  void set_etag(std::string_view etag);
  void set_first_visit(const Visit& visit);
  Visit first_visit(PageId page) const;
  // Whether the link may have been seen before; false: certainly not.
  bool has_link(PageId to) const;
  void add_link(PageId to);
  bool was_visited() const { return visited > RefreshTime{}; }
  // The record for another process. Page ids mean nothing there, so all links count as seen.
  VisitRecord moved() const;
  // Whether the record may be a result of moved(). It may be forged.
  bool is_sound_move() const;
};
static_assert(sizeof(VisitRecord) == 256);

class VisitTable {
 public:
  // Keeps records in this file from now on, and creates it if it does not exist.
  Status open(const std::string& path, bool durable);
  // Reads records from this file, if it exists. Changes stay in memory.
  Status open_to_read(const std::string& path);
  bool is_open() const { return file_ != nullptr; }

  VisitRecord get(PageId page) const;
  void put(PageId page, const VisitRecord& record);
  // Sets what the committed fetches.log has about the body of a page, if the record lacks it.
  void set_body(PageId page, std::uint64_t stored_us, const Sha1& body);

  // A commit is about to be requested. all_durable: all earlier commits are durable, so their changes go
  // to the file.
  void begin_commit(bool all_durable);
  // Before a snapshot: fsync.
  Status sync();
  const Status& status() const { return status_; }

  std::uint64_t bytes() const { return (waiting_.size() + asked_.size()) * (sizeof(VisitRecord) + 32); }
  std::uint64_t disk() const { return file_ ? file_->bytes() : 0; }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  using Map = std::unordered_map<PageId, VisitRecord>;

  std::unique_ptr<RecordFile> file_;
  bool durable_ = false;
  Map waiting_;  // changed since the last commit was requested
  Map asked_;    // changed before that, perhaps not durable yet
  mutable Status status_;
};

}  // namespace bowerbird
