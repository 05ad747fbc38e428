// Which pages of an archive are exported: what the user asks for, and whether a capture qualifies.
//
// URL, date, status and type are known from the index (record_list.h); language, length and opt-outs only
// when a page is read (exporter.h). Threads: a Selection is read-only once made, any may use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/captures.h"
#include "crawl/judge/url_pattern.h"
#include "export/document.h"

namespace bowerbird {

enum class Duplicates : std::uint8_t { kKeep, kExact, kNear };

struct Selection {
  std::vector<UrlPattern> include;     // a URL matches one of these; empty: all
  std::vector<UrlPattern> exclude;     // and none of these
  std::vector<std::string> hosts;      // names; hosts below them count too; empty: all
  std::vector<std::string> languages;  // "en"; empty: all
  std::optional<std::int64_t> since_us;
  std::optional<std::int64_t> until_us;
  std::uint32_t min_words = 0;      // of the main text
  std::optional<double> min_score;  // of the ordering
  std::uint64_t top = 0;            // the best by PageRank; 0: all
  DocumentKinds kinds = kAllDocumentKinds;
  unsigned status = 200;
  bool all_captures = false;
  Duplicates duplicates = Duplicates::kExact;
  bool skip_opted_out = false;
  bool respect_noarchive = false;

  bool selects(std::string_view url) const;
};

// A capture that is to be read. Files are places in CaptureSource::files(); that of the payload may be
// elsewhere (other_bodies.h).
struct ListedRecord {
  std::uint64_t url_hash = 0;  // hash64
  std::uint64_t site = 0;      // site_of()
  std::int64_t time_us = 0;
  std::uint64_t digest_hash = 0;  // 0: not known
  std::uint64_t offset = 0;
  std::uint64_t payload_offset = 0;
  std::uint32_t file = 0;
  std::uint32_t payload_file = 0;
  bool revisit = false;
  DocumentKind kind = DocumentKind::kNone;  // by its media type; kNone: not known
  std::uint64_t number = 0;                 // in the order of the archive
};

// What is left out of a list, and why.
struct ListCounts {
  std::uint64_t not_selected = 0;  // by URL, date or status
  std::uint64_t other_types = 0;
  std::uint64_t older = 0;             // captures of a URL that has a newer one
  std::uint64_t duplicates = 0;        // the same body under another URL
  std::uint64_t missing_payloads = 0;  // revisits of records that are in no archive
};

// Of a digest as captures have it; 0: there is none.
std::uint64_t digest_hash(std::string_view digest);

// The record of a capture that qualifies by its URL, date, status and type; others are counted.
std::optional<ListedRecord> listed_record(const Capture& capture, const Selection& selection,
                                          ListCounts& counts);

}  // namespace bowerbird
