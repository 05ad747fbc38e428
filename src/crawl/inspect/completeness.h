// Which pages of a crawl can be displayed from its archive.
//
// A page is complete if each of its requisites, and each of theirs, has a final response in the archive;
// a 404 is one. A frame in scope is a page of its own: what it requires does not count for the pages that
// show it. The requisites and how they ended are events of the journal (crawl/state/requisites.h).
// Reading them up to the last commit means that a running crawl need not keep such lists; each commit has
// the number of complete pages. In a fleet, requisites that another process fetches count as present:
// merge the folders to find out. Memory: 5 bytes for each requisite of each page. Only reads; threads:
// any.
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
  bool waits = false;          // everything missing is still to be fetched
};

// Calls take(page) for each incomplete page, in the order of page ids.
Result<PagesLacking> read_completeness(const CrawlReader& crawl,
                                       const std::function<Status(const IncompletePage&)>& take = {});

Result<PagesLacking> read_completeness(const std::string& folder);

// The URLs that the crawl knows only as requisites, sorted: they are neither pages nor linked to.
Result<std::vector<PageId>> read_requisites_only(const std::string& folder);

// One text per missing requisite, without the URLs of `missing`: "3 more than --requisites-per-page
// allows".
std::vector<std::string> incomplete_reasons(const IncompletePage& page);

// "97.5 % of 40 pages complete, 1 page incomplete". pages: the number of fetched pages.
std::string completeness_text(const PagesLacking& found, std::uint64_t pages);

}  // namespace bowerbird
