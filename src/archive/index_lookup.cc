#include "archive/index_lookup.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/index_lines.h"
#include "store/crawl_reader.h"
#include "store/surt.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

}  // namespace

Result<std::unique_ptr<IndexLookup>> IndexLookup::open(const std::string& folder) {
  if (!CrawlReader::holds_crawl(folder)) return std::unique_ptr<IndexLookup>();
  const std::string path = folder + "/" + crawl_files::kIndex;
  std::error_code code;
  const auto written = fs::last_write_time(path, code);
  if (code) return std::unique_ptr<IndexLookup>();
  const auto committed = fs::last_write_time(folder + "/journal", code);
  if (code || committed > written) return std::unique_ptr<IndexLookup>();
  BB_TRY(std::shared_ptr<const MappedFile> index, MappedFile::open(path));
  return std::unique_ptr<IndexLookup>(new IndexLookup(folder, std::move(index)));
}

std::vector<IndexedRecord> IndexLookup::find(std::string_view url) const {
  std::vector<IndexedRecord> found;
  const std::string_view text = index_->text();
  const std::string key = surt_key(url) + " ";
  for (std::size_t at = lower_index_line(text, key); at < text.size();) {
    const std::string_view line = index_line(text, at);
    if (!line.starts_with(key)) break;
    at += line.size() + 1;
    const nlohmann::json json =
        nlohmann::json::parse(line.substr(std::min(line.find('{'), line.size())), nullptr, false);
    if (!json.is_object() || index_text(json, "url") != url) continue;
    const std::string name = index_text(json, "filename");
    if (name.empty() || name.find('/') != name.npos) continue;
    IndexedRecord record{folder_ + "/warc/" + name, 0};
    const std::string offset = index_text(json, "offset");
    std::from_chars(offset.data(), offset.data() + offset.size(), record.offset);
    found.push_back(std::move(record));
  }
  return found;
}

}  // namespace bowerbird
