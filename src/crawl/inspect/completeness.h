// Which pages of a crawl can be displayed from its archive: those of which every requisite is there.
//
// A page is complete when each of its requisites, and each that those need in turn, has a final response in
// the archive; 404 is one. Read from the journal as it stood at the last commit, where each page's requisites
// and their ends are events (crawl/state/requisites.h), so that a running crawl keeps no such lists; how many
// pages are complete is in each commit. In a fleet, what another process fetches counts as there: merge the
// folders to know. Memory: 5 bytes for each requisite of each page. Pure reading; threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "crawl/state/crawl_status.h"
#include "store/crawl_reader.h"

namespace bowerbird {

struct MissingRequisite {
  PageId page = kNoPage;
  std::string reason;
};

struct IncompletePage {
  PageId page = kNoPage;
  std::vector<MissingRequisite> missing;
  std::uint64_t left_out = 0;  // further ones, beyond a limit of number or depth
  std::uint64_t excluded = 0;  // further ones, by --exclude
  bool waits = false;          // only for what is still to be fetched
};

// Calls take(page) for each page that is not complete, in the order of their ids.
Result<PagesLacking> read_completeness(const CrawlReader& crawl,
                                       const std::function<Status(const IncompletePage&)>& take = {});

Result<PagesLacking> read_completeness(const std::string& folder);

// "3 more than --requisites-per-page allows"; one text for each thing that is missing, those of `missing`
// without their URLs.
std::vector<std::string> incomplete_reasons(const IncompletePage& page);

// "97.5 % of 40 pages complete, 1 page incomplete"; pages: that were fetched.
std::string completeness_text(const PagesLacking& found, std::uint64_t pages);

}  // namespace bowerbird
