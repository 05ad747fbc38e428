// Crawl folders as commands open them, to look at.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "crawl/state/restored_crawl.h"
#include "sys/file.h"

namespace bowerbird {

// The crawl as it stood at its last commit; its state is not restored yet. A fleet's folder is refused.
Result<std::unique_ptr<RestoredCrawl>> open_seen_crawl(const std::string& folder);

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
