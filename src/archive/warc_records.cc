#include "archive/warc_records.h"

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"
#include "parse/http_fields.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

bool is_warc_name(std::string_view name) {
  if (name.ends_with(".open")) name.remove_suffix(5);
  return without_compression(name).ends_with(".warc") || without_compression(name).ends_with(".arc");
}

std::vector<std::string> warcs_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator(); at.increment(code)) {
    if (is_warc_name(at->path().filename().string())) found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> warcs_of_crawl(const fs::path& folder) {
  return warcs_in(folder / "warc");
}

// The crawls of a fleet are subfolders.
std::vector<std::string> warcs_of_fleet(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator(); at.increment(code)) {
    const std::vector<std::string> of_crawl = warcs_of_crawl(at->path());
    found.insert(found.end(), of_crawl.begin(), of_crawl.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Result<std::vector<std::string>> warc_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code code;
    if (argument == "-" || !fs::is_directory(argument, code)) {
      files.push_back(argument);
      continue;
    }
    std::vector<std::string> found = warcs_in(argument);
    const std::vector<std::string> of_crawl = warcs_of_crawl(argument);
    found.insert(found.end(), of_crawl.begin(), of_crawl.end());
    if (found.empty()) found = warcs_of_fleet(argument);
    if (found.empty()) return error("{}: there is no WARC file in this folder", argument);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::string_view record_url(const WarcHead& head) {
  std::string_view url = head.field("WARC-Target-URI");
  if (url.starts_with('<') && url.ends_with('>')) url = url.substr(1, url.size() - 2);
  return url;
}

std::string record_head_text(const WarcHead& head) {
  std::string text = head.version + "\r\n";
  for (const auto& [name, value] : head.fields) text.append(name).append(": ").append(value).append("\r\n");
  return text += "\r\n";
}

std::string record_text(const WarcHead& head, std::string_view block) {
  return record_head_text(head).append(block).append("\r\n\r\n");
}

std::string record_mime(const WarcHead& head, const HttpSplitter& http) {
  if (!is_http(head)) return parse_content_type(head.field("Content-Type")).type;
  return parse_content_type(http.field("Content-Type")).type;
}

Result<std::string> revisit_head(WarcReader& reader) {
  if (!is_http(reader.head()) ||
      reader.head().field("WARC-Profile").find("server-not-modified") != std::string_view::npos)
    return std::string();
  HttpSplitter http;
  char piece[4096];
  while (!http.in_body()) {
    BB_TRY(const std::size_t n, reader.read(piece, sizeof piece));
    if (n == 0) break;
    http.feed({piece, n});
  }
  return http.status() == 304 ? std::string() : http.head();
}

bool RecordFilter::wants(const WarcHead& head) const {
  if (!url.empty() && record_url(head) != url) return false;
  return types.empty() || std::any_of(types.begin(), types.end(), [&](const std::string& type) {
           return equals_ignoring_case(type, head.type());
         });
}

}  // namespace bowerbird
