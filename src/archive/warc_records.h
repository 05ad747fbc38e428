// WARC files as users name them, and what a record says about itself. Pure except warc_files(), which looks
// into folders; threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/warc_check.h"
#include "store/warc_reader.h"

namespace bowerbird {

// Files stay as they are; a folder means the WARC files in it, the folder of a crawl or fleet
// those of the crawl or of all its processes.
Result<std::vector<std::string>> warc_files(const std::vector<std::string>& arguments);

// The URL of a record, without the brackets that WARC 1.0 files may have around it.
std::string_view record_url(const WarcHead& head);

// Head and block as a record in a file.
std::string record_text(const WarcHead& head, std::string_view block);

// What a record holds, after its block has gone through the splitter.
std::string record_mime(const WarcHead& head, const HttpSplitter& http);

// Selects records by type and URL.
struct RecordFilter {
  std::vector<std::string> types;  // empty: all
  std::string url;                 // empty: all
  bool wants(const WarcHead& head) const;
};

}  // namespace bowerbird
