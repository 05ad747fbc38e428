// A crawl of one's own as a web for the lab: every page that was discovered, with the links of those that
// were crawled.
//
// Page i is page i of the crawl (the i-th URL it discovered), so that seeds come first. Links marked
// nofollow, which a crawl does not follow, are left out; pages that were not crawled have none. The folder is
// read as it stood at its last commit, also while the crawl is running. A topic can be asked for where the
// crawl kept the words of its pages; pages whose words are not known have nothing to do with it. Threads:
// any.
#pragma once

#include <optional>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "graph/web.h"
#include "store/links.h"

namespace bowerbird {

// Whether `path` is a folder with a crawl in it.
bool is_crawl_folder(const std::string& path);

struct CrawlGraphOptions {
  bool want_names = true;  // keep the URLs; otherwise only the hosts are worked out
  std::string topic = {};  // words; what pages and links have to do with them is worked out
  // Only links that the crawl followed, these among them: none out of its scope, into traps, too far.
  std::optional<AdmittedLinks> followed = {};
};
Result<Web> open_crawl_graph(const std::string& folder, const CrawlGraphOptions& options = {},
                             const Progress& progress = {});

}  // namespace bowerbird
