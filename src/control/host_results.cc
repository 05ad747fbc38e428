#include "control/host_results.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/crawl_log.h"
#include "url/url.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

bool is_of_host(const std::string& url, const std::string& host) {
  Url parsed;
  return parse_url(url, nullptr, parsed) == UrlFault::kNone && parsed.host() == host;
}

// The lines of a text from the last to the first.
class LinesFromTheEnd {
 public:
  explicit LinesFromTheEnd(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line) {
    if (rest_.ends_with('\n')) rest_.remove_suffix(1);
    if (rest_.empty()) return false;
    const std::size_t newline = rest_.rfind('\n');
    line = newline == rest_.npos ? rest_ : rest_.substr(newline + 1);
    rest_.remove_suffix(line.size());
    return true;
  }

 private:
  std::string_view rest_;
};

std::set<std::string> urls_of(const Json& rows) {
  std::set<std::string> urls;
  for (const Json& row : rows) urls.insert(log_text(row, "url"));
  return urls;
}

}  // namespace

void add_logged_results(const std::string& folder, const std::string& host, std::uint64_t most_bytes,
                        Json& json) {
  Json& history = json["history"];
  Json& errors = json["errors"];
  const std::set<std::string> in_history = urls_of(history), in_errors = urls_of(errors);
  const auto reader = CrawlReader::open(folder);
  if (!reader.ok()) return;
  const CommittedFile* const log = (*reader)->commit().find(crawl_files::kLog);
  if (log == nullptr || log->bytes == 0) return;
  const auto file = MappedFile::open(folder + "/" + crawl_files::kLog);
  if (!file.ok()) return;
  std::string_view text = (*file)->text().substr(0, log->bytes);
  if (text.size() > most_bytes) text.remove_prefix(text.size() - most_bytes);
  const std::string part = "://" + host;
  LinesFromTheEnd lines(text);
  std::string_view line;
  while ((history.size() < kHostHistory || errors.size() < kHostErrors) && lines.next(line)) {
    if (line.find(part) == line.npos) continue;
    const Json entry = Json::parse(line, nullptr, false);
    if (!entry.is_object() || is_requisite_line(entry)) continue;
    const std::string url = log_text(entry, "url");
    const OutcomeRule* const rule = rule_named(log_text(entry, "outcome"));
    if (rule == nullptr || !is_of_host(url, host)) continue;
    const std::string time = log_text(entry, "time");
    const std::uint64_t status = log_number(entry, "status");
    Json row = {{"time", time.empty() ? Json(nullptr) : Json(time)}, {"url", url}, {"outcome", rule->name}};
    if (is_failure(rule->outcome) && errors.size() < kHostErrors && !in_errors.contains(url)) {
      errors.push_back(row);
      errors.back()["reason"] = status >= 400 ? fmt::format("HTTP {}", status) : std::string(rule->what);
    }
    if (history.size() >= kHostHistory || in_history.contains(url)) continue;
    row["status"] = status > 0 ? Json(status) : Json(nullptr);
    row["bytes"] = log_number(entry, "bytes");
    row["ms"] = log_number(entry, "ms");
    history.push_back(std::move(row));
  }
}

}  // namespace bowerbird
