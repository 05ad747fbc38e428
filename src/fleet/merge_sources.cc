#include "fleet/merge_sources.h"

#include "fleet/fleet_setup.h"
#include "store/crawl_reader.h"

namespace bowerbird {

Result<std::vector<std::string>> merge_sources(const std::vector<std::string>& names,
                                               const std::string& into) {
  if (holds_fleet(into)) return error("{}: this folder contains a fleet; choose another --into", into);
  std::vector<std::string> folders;
  for (const std::string& name : names) {
    if (CrawlReader::holds_crawl(name) && !holds_fleet(name)) {
      folders.push_back(name);
      continue;
    }
    const std::vector<std::string> found = fleet_folders(name);
    if (found.empty()) return error("{}: this folder contains neither a crawl nor a fleet", name);
    folders.insert(folders.end(), found.begin(), found.end());
  }
  return folders;
}

}  // namespace bowerbird
