// A crawl seen from outside, as it stood at its last commit: for commands that look into its folder.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "crawl/brain.h"
#include "crawl/crawl_status.h"
#include "crawl/hosts.h"
#include "crawl/restore.h"
#include "store/crawl_reader.h"
#include "store/link_rows.h"
#include "store/spill_folder.h"
#include "sys/file.h"

namespace bowerbird {

struct SeenCrawl {
  std::unique_ptr<CrawlReader> reader;
  CrawlCounts counts;
  CrawlMoment moment;
  CrawlEnd end = CrawlEnd::kNotYet;
  // Once made by new_brain or restore_seen_crawl.
  std::string policy;  // the ordering, as it was written
  // What is replayed goes to memory; the crawl's own files are only read.
  std::unique_ptr<SpillFolder> spilled;
  std::unique_ptr<MemorySpill> spill;
  std::unique_ptr<LinkRows> rows;
  std::unique_ptr<HostTable> hosts;
  std::unique_ptr<Brain> brain;
};

Result<SeenCrawl> open_seen_crawl(const std::string& folder);
// A brain like the crawl's that knows nothing yet, and what fills it.
Result<CrawlRestorer> new_brain(SeenCrawl& seen, const std::string& folder);
// The brain as it was.
Status restore_seen_crawl(SeenCrawl& seen, const std::string& folder);

// Calls visit(line) for each line of crawl.jsonl that can be read.
template <typename Visit>
Status each_log_line(const std::string& folder, Visit visit) {
  BB_TRY(const auto file, MappedFile::open(folder + "/" + crawl_files::kLog));
  std::string_view rest = file->text();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const nlohmann::json line = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.is_object()) visit(line);
  }
  return {};
}

}  // namespace bowerbird
