// Finds WARC files by the names that users give, and describes records. Pure except for warc_files(),
// which reads folders; threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"

namespace bowerbird {

// A file stands for itself, a folder for the WARC files in it; the folder of a crawl or fleet stands for
// its WARC files.
Result<std::vector<std::string>> warc_files(const std::vector<std::string>& arguments);

// The URL of a record, without the angle brackets of some WARC 1.0 files.
std::string_view record_url(const WarcHead& head);

// The header of a record in a file, and header and block.
std::string record_head_text(const WarcHead& head);
std::string record_text(const WarcHead& head, std::string_view block);

// The media type of a record, after its block went through the splitter.
std::string record_mime(const WarcHead& head, const HttpSplitter& http);

// The HTTP head of a revisit record, whose block was not read yet: it describes this capture, and the
// original only has the body. Empty: there is none, or it is "304 Not Modified", and the head of the original
// counts.
Result<std::string> revisit_head(WarcReader& reader);

// Selects records by type and URL.
struct RecordFilter {
  std::vector<std::string> types;  // empty: all
  std::string url;                 // empty: all
  bool wants(const WarcHead& head) const;
};

}  // namespace bowerbird
