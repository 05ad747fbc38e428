// What a crawl knows of the last visit to each page: when it was, what the page said, and what a conditional
// request needs. On disk, 256 bytes per page; only what the last commits have not made durable is in memory.
//
// Problem: ETag and Last-Modified of millions of pages do not fit into memory, and after a crash the table
// must not know more than the journal: a 304 would then stand for a copy that was never stored. So changes
// wait in memory until the commit that contains them is durable; then they are written to their place in the
// file. A snapshot has those that wait, and the events after it bring the others again: writing one twice
// does no harm. Records have a checksum; one that was torn counts as unknown, which costs one unconditional
// request. Without open() changes are dropped, for looking at a crawl. Threads: one.
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
#include "frontier/off_queue.h"
#include "parse/sha1.h"
#include "policy/policy.h"
#include "sys/record_file.h"

namespace bowerbird {

// A page that answers 404 or 410 this often in a row is gone.
inline constexpr std::uint8_t kMissingIsGone = 2;
inline constexpr std::int64_t kLatestVisit = std::int64_t{1} << 50;  // refresh time, ms

struct VisitRecord {
  static constexpr std::size_t kLongestTag = 85;
  static constexpr std::size_t kLinkBits = 512;

  std::uint64_t digest = 0;      // of what the page said; 0: not known
  std::int64_t visited = 0;      // refresh time of the last visit that succeeded; 0: none did
  std::int64_t fresh_until = 0;  // refresh time until which the server declared the page fresh; 0: it did not
  std::uint64_t modified = 0;    // Last-Modified, seconds since 1970; 0: none
  std::uint64_t listed = 0;      // its last `lastmod` in a sitemap, seconds since 1970; 0: none
  std::uint64_t stored_us = 0;   // wall clock of the response that has its body in the archive; 0: not known
  double score = 0;              // the first visit, as orderings were told of it
  std::uint32_t links = 0, other_host = 0, crawled = 0, known = 0, discovered = 0;
  std::uint32_t checksum = 0;  // of the record with 0 here
  std::uint32_t bytes = 0;     // of the body, as it came
  Sha1 body{};                 // its digest, if stored_us is known
  std::uint8_t on_topic = 0;
  std::uint8_t missing = 0;  // visits in a row that found 404 or 410
  std::uint8_t tag_size = 0;
  std::array<char, kLongestTag> tag{};
  std::array<std::uint64_t, kLinkBits / 64> link_bits{};  // a Bloom filter of the links seen so far

  std::string_view etag() const { return {tag.data(), tag_size}; }
  // A longer one is not kept.
  void set_etag(std::string_view etag);
  void set_first_visit(const Visit& visit);
  Visit first_visit(PageId page) const;
  // Whether the link may have been seen before; false: it was not.
  bool has_link(PageId to) const;
  void add_link(PageId to);
  bool was_visited() const { return visited > 0; }
  // As another process gets it, to which the numbers of links mean nothing: all of them count as seen.
  VisitRecord moved() const;
  // Whether it may have been made by moved(). It may be forged.
  bool is_sound_move() const;
};
static_assert(sizeof(VisitRecord) == 256);

class VisitTable {
 public:
  // From here on records are kept in this file, which is made if it does not exist.
  Status open(const std::string& path, bool durable);
  // The records are read from this file, if it exists; changes stay in memory.
  Status open_to_read(const std::string& path);
  bool is_open() const { return file_ != nullptr; }

  VisitRecord get(PageId page) const;
  void put(PageId page, const VisitRecord& record);
  // What fetches.log, which is committed, says about the body of a page whose record lacks it.
  void set_body(PageId page, std::uint64_t stored_us, const Sha1& body);

  // A commit is about to be asked for. all_durable: those asked for before are durable, so that what they
  // contain goes to the file.
  void begin_commit(bool all_durable);
  // Before a snapshot: what is in the file is on the platter.
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
  Map waiting_;  // since the last commit was asked for
  Map asked_;    // before that, and perhaps not durable
  mutable Status status_;
};

}  // namespace bowerbird
