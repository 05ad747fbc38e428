// A crawl folder as a web for the lab: every discovered page, with the links of the crawled ones.
//
// Page i is page i of the crawl (the i-th URL it discovered), so that seeds come first, unless URLs are left
// out; then the others move up. Links marked
// nofollow, which a crawl does not follow, are left out; uncrawled pages have no links. The folder is read as
// of its last commit, also while the crawl is running. A topic can be used if the crawl stored the words of
// its pages; pages without stored words are not about the topic. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/web.h"
#include "store/links.h"

namespace bowerbird {

// Whether `path` is a crawl folder.
bool is_crawl_folder(const std::string& path);

struct CrawlGraphOptions {
  bool want_names = true;  // keep the URLs; otherwise only the hosts are determined
  std::string topic = {};  // words; the similarity of pages and links to them is computed
  // Only links that the crawl followed, and these: none out of scope, into traps or too deep.
  std::optional<AdmittedLinks> followed = {};
  // URLs that are no pages, sorted: the crawl only fetched them as requisites. No links lead from or to them.
  std::vector<PageId> left_out = {};
};
// The page of the graph that is page `page` of the crawl; kNoPage: it is left out.
PageId graph_page(PageId page, const std::vector<PageId>& left_out);
Result<Web> open_crawl_graph(const std::string& folder, const CrawlGraphOptions& options = {},
                             const Progress& progress = {});

}  // namespace bowerbird
