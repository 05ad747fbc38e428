// Which pages of a crawl can be displayed from its archive: those of which every requisite is there.
//
// A page is complete when each of its requisites, and each that those need in turn, has a final response in
// the archive; 404 is one. Read from the journal as it stood at the last commit, where each page's requisites
// and their ends are events (crawl/state/requisites.h), so that a running crawl keeps no such lists. Memory:
// 5 bytes for each requisite of each page. Pure reading; threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
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

struct Completeness {
  std::uint64_t incomplete = 0;  // pages that something is missing of
  std::uint64_t waiting = 0;     // pages that miss nothing but what is still to be fetched
};

// Calls take(page) for each page that is not complete, in the order of their ids.
Result<Completeness> read_completeness(const CrawlReader& crawl,
                                       const std::function<Status(const IncompletePage&)>& take = {});

Result<Completeness> read_completeness(const std::string& folder);

// "3 more than --requisites-per-page allows"; one text for each thing that is missing, those of `missing`
// without their URLs.
std::vector<std::string> incomplete_reasons(const IncompletePage& page);

// "97.5 % of 40 pages complete, 1 page incomplete"; pages: that were fetched.
std::string completeness_text(const Completeness& found, std::uint64_t pages);

}  // namespace bowerbird
