// The log of a crawl, crawl.jsonl: one JSON object per finished page and per requisite. Only reads.
// Threads: any.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/crawl_reader.h"
#include "sys/file.h"

namespace bowerbird {

// Whether the line is about a requisite rather than a page.
inline bool is_requisite_line(const nlohmann::json& line) {
  const auto found = line.find("requisite");
  return found != line.end() && found->is_boolean() && found->get<bool>();
}

// A member of a line; empty or 0 if the line has no such text or number.
inline std::string log_text(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}
inline std::uint64_t log_number(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

// Calls visit(line) for each committed line of crawl.jsonl that can be parsed. Lines after the last
// commit are removed at the next start.
template <typename Visit>
Status each_log_line(const std::string& folder, const CrawlReader& crawl, Visit visit) {
  const CommittedFile* const log = crawl.commit().find(crawl_files::kLog);
  if (log == nullptr) return {};
  BB_TRY(const auto file, MappedFile::open(folder + "/" + crawl_files::kLog));
  std::string_view rest = file->text().substr(0, log->bytes);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const nlohmann::json line = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.is_object()) visit(line);
  }
  return {};
}

}  // namespace bowerbird
