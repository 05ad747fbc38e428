// What a record of a WARC file says about a capture: what an index and a list of pages need.
//
// A crawl of ours knows this from its log; WARC and ARC files of others are read through. Of an HTML page,
// title and robots directives are read from the first two megabytes. Threads: one user of an object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/html_page.h"
#include "parse/page_reader.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"

namespace bowerbird {

struct RecordFacts {
  std::string url;
  std::string mime;
  std::string digest;  // of the payload, as the record has it
  std::string title;
  std::int64_t time_us = 0;
  unsigned status = 0;
  bool revisit = false;
  bool noarchive = false;     // the page asks not to be shown from an archive
  bool prerequisite = false;  // robots.txt
};

class FactReader {
 public:
  // Without `pages`, HTML is not read: titles and noarchive are not known.
  explicit FactReader(bool pages = true);
  // Of the record that the reader is at; none: it is no capture. Reads what it needs of the block.
  Result<std::optional<RecordFacts>> read(WarcReader& reader);
  // The same, of a block that was read.
  Result<std::optional<RecordFacts>> of(const WarcReader& reader, std::string_view block);

 private:
  static Result<std::optional<RecordFacts>> begin(const WarcReader& reader);
  void add(RecordFacts& facts, const HttpSplitter& http, std::string_view body);

  bool wants_pages_;
  PageReader pages_;
  HtmlPage html_;
};

}  // namespace bowerbird
