#include "crawl/inspect/folder_status.h"

#include "sys/disk.h"

namespace bowerbird {

nlohmann::json folder_status(const RestoredCrawl& crawl) {
  const std::string& folder = crawl.options().out;
  nlohmann::json json = nlohmann::json::parse(crawl.reader().state(), nullptr, false);
  if (!json.is_object()) json = nlohmann::json::object();
  json["known"] = crawl.reader().pages();
  json["stored"] = crawl.reader().fetches();
  json["end"] = crawl_state_text(folder, crawl.end());
  const LockView lock = look_at_lock(folder + "/" + crawl_files::kLock);
  json["running"] = lock.holder > 0;
  if (lock.holder > 0) json["pid"] = lock.holder;
  json["about"] = nlohmann::json::parse(crawl.reader().about(), nullptr, false);
  return json;
}

}  // namespace bowerbird
