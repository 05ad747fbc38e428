// The properties of a capture that an index and a list of pages need, from its WARC record.
//
// Our crawls have these in fetches.log; for other WARC and ARC files the records are read. Title and
// robots directives of an HTML page are parsed from its first two megabytes; a revisit record has those of
// the page before it with the same digest. Memory: a digest per page with noarchive. Threads: one user per
// object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.h"
#include "parse/html_page.h"
#include "parse/page_reader.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"

namespace bowerbird {

struct RecordFacts {
  std::string url;
  std::string mime;
  std::string digest;  // of the payload, as in the record
  std::string title;
  std::int64_t time_us = 0;
  unsigned status = 0;
  bool revisit = false;
  bool noarchive = false;     // a robots directive forbids showing the page from an archive
  bool prerequisite = false;  // robots.txt
  bool requisite = false;     // fetched only because a page needs it (read_about)
};

// Reads the current record of the reader if it is a request or metadata record about the capture `facts`,
// which it follows. False: it is neither. These tell whether the capture is a requisite: its path from a seed
// ends with a requisite (hopsFromSeed, by Heritrix and by us), or a browser requested it for something other
// than a document of its own (Sec-Fetch-Dest).
Result<bool> read_about(WarcReader& reader, RecordFacts& facts);

class FactReader {
 public:
  // Without `pages`, HTML is not read: titles and noarchive are not known.
  explicit FactReader(bool pages = true);
  // The current record of the reader; none: it is not a capture. Reads as much of the block as needed.
  Result<std::optional<RecordFacts>> read(WarcReader& reader);
  // The same, for a block that was already read.
  Result<std::optional<RecordFacts>> of(const WarcReader& reader, std::string_view block);

 private:
  static Result<std::optional<RecordFacts>> begin(const WarcReader& reader);
  void take_noarchive(RecordFacts& facts);
  void add(RecordFacts& facts, const HttpSplitter& http, std::string_view body);

  bool wants_pages_;
  PageReader pages_;
  HtmlPage html_;
  std::unordered_set<std::uint64_t> noarchive_;  // digests
};

}  // namespace bowerbird
