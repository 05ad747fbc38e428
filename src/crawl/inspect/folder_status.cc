#include "crawl/inspect/folder_status.h"

#include <algorithm>

#include "sys/disk.h"

namespace bowerbird {

Result<std::optional<PagesLacking>> completeness_of(const RestoredCrawl& crawl) {
  const auto& counted = crawl.moment().lacking;
  if (counted && counted->incomplete + counted->waiting > 0) return counted;
  if (crawl.counts().requisites.done() + crawl.moment().requisites_pending == 0)
    return std::optional<PagesLacking>();
  if (counted) return counted;
  BB_TRY(const PagesLacking found, read_completeness(crawl.reader()));
  return std::optional(found);
}

Result<nlohmann::json> folder_status(const RestoredCrawl& crawl) {
  const std::string& folder = crawl.options().out;
  nlohmann::json json = nlohmann::json::parse(crawl.reader().state(), nullptr, false);
  if (!json.is_object()) json = nlohmann::json::object();
  json["known"] = crawl.reader().pages();
  json["stored"] = crawl.reader().fetches();
  BB_TRY(const auto complete, completeness_of(crawl));
  if (complete) {
    json["pages_incomplete"] = complete->incomplete;
    json["pages_waiting"] = complete->waiting;
    json["pages_complete"] =
        crawl.counts().pages - std::min(crawl.counts().pages, complete->incomplete + complete->waiting);
  }
  json["end"] = crawl_state_text(folder, crawl.end());
  const LockView lock = look_at_lock(folder + "/" + crawl_files::kLock);
  json["running"] = lock.holder > 0;
  if (lock.holder > 0) json["pid"] = lock.holder;
  json["about"] = nlohmann::json::parse(crawl.reader().about(), nullptr, false);
  return json;
}

}  // namespace bowerbird
