// Which pages of an archive are exported: what the user asks for, and the list of records that comes of it.
//
// list_records() reads the index of an archive once and lists the captures that qualify by URL, date, status
// and type. By default the newest capture of each URL counts, and of captures with the same body the first.
// A revisit stands for its page; its body is in the record that it repeats. Memory: a few numbers per
// capture. Language, length and opt-outs are known only when a page is read (exporter.h). Threads: a
// Selection is read-only once made, any may use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "archive/captures.h"
#include "base/progress.h"
#include "base/result.h"
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

// A capture that is to be read. Files are places in CaptureSource::files().
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

struct ListedRecords {
  std::vector<ListedRecord> records;  // in the order of the archive
  // Left out:
  std::uint64_t not_selected = 0;  // by URL, date or status
  std::uint64_t other_types = 0;
  std::uint64_t older = 0;             // captures of a URL that has a newer one
  std::uint64_t duplicates = 0;        // the same body under another URL
  std::uint64_t missing_payloads = 0;  // revisits of records that are not in the archive
};

// Lists captures as they come.
class RecordLister {
 public:
  RecordLister(const Selection& selection, bool all_captures)
      : selection_(selection), all_captures_(all_captures) {}

  Status add(const Capture& capture);
  // Those of the captures added since the last call; bodies of earlier ones are known.
  ListedRecords take();

 private:
  struct Payload {
    std::uint64_t offset = 0;
    std::uint32_t file = 0;
  };

  bool is_selected(const Capture& capture, DocumentKind kind) const;
  void keep_newest();
  void find_payloads();
  void drop_duplicates();

  const Selection& selection_;
  bool all_captures_;
  ListedRecords list_;
  std::unordered_map<std::uint64_t, Payload> payloads_;  // by digest
  std::unordered_set<std::uint64_t> seen_;               // digests of what was listed
};

Result<ListedRecords> list_records(CaptureSource& source, const Selection& selection,
                                   const Progress& progress);

}  // namespace bowerbird
