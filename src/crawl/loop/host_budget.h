// When a host has given enough: its budget of pages, its domain's, and what a host is worth that repeats
// itself.
//
// A trap that no URL betrays shows in its pages: they say nearly the same. Some pages of each large host are
// compared with all others by their simhash; of a host whose pages are mostly near-duplicates, a few times as
// many are taken as seem to differ. Pure; threads: any.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "crawl/config/options.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

// Whether this page of a host is to be compared with others.
bool to_be_judged(const Host& host, PageId page);

// site_pages: fetched of its registrable domain.
HostEnd host_end_of(const Host& host, std::uint64_t site_pages, const CrawlOptions& options);

}  // namespace bowerbird
