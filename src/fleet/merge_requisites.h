// The requisites of several crawl folders as those of one: which page needs what, and how each ended.
//
// In a fleet the process of a page knows what the page needs, and the process that owns a requisite knows how
// it ended, so both are gathered from all folders before the merged state is told. Memory: 8 bytes for each
// requisite of each page. Threads: one.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "crawl/state/crawl_state.h"
#include "store/crawl_reader.h"

namespace bowerbird {

class MergedRequisites {
 public:
  // ids: in the result, by id in the folder. fresh, by id in the folder: what is stored for the page is to be
  // taken from this folder; set for requisites that no folder before has a final response for.
  Status read(const CrawlReader& reader, const std::vector<PageId>& ids, std::vector<bool>& fresh);
  // When all pages are there.
  void apply(CrawlState& state) const;

 private:
  Status take(const CrawlEvent& event, const std::vector<PageId>& ids, std::vector<bool>& fresh);

  std::vector<RequisitesFound> found_;
  std::unordered_map<PageId, RequisiteEnded> ends_;
};

}  // namespace bowerbird
