#include "archive/index_lookup.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "store/crawl_reader.h"
#include "store/surt.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Where the first line begins that is not less than `key`.
std::size_t lower_line(std::string_view text, std::string_view key) {
  std::size_t low = 0;  // of lines that are less, the end
  std::size_t high = text.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t feed = middle == 0 ? text.npos : text.rfind('\n', middle - 1);
    const std::size_t begin = feed == text.npos || feed < low ? low : feed + 1;
    const std::string_view line = line_at(text, begin);
    if (line < key) {
      low = std::min(text.size(), begin + line.size() + 1);
    } else {
      high = begin;
    }
  }
  return low;
}

std::string text_member(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

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
  for (std::size_t at = lower_line(text, key); at < text.size();) {
    const std::string_view line = line_at(text, at);
    if (!line.starts_with(key)) break;
    at += line.size() + 1;
    const nlohmann::json json =
        nlohmann::json::parse(line.substr(std::min(line.find('{'), line.size())), nullptr, false);
    if (!json.is_object() || text_member(json, "url") != url) continue;
    const std::string name = text_member(json, "filename");
    if (name.empty() || name.find('/') != name.npos) continue;
    IndexedRecord record{folder_ + "/warc/" + name, 0};
    const std::string offset = text_member(json, "offset");
    std::from_chars(offset.data(), offset.data() + offset.size(), record.offset);
    found.push_back(std::move(record));
  }
  return found;
}

}  // namespace bowerbird
