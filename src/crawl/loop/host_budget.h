// When no more pages of a host are fetched: the budget of the host, of its domain, or too many
// near-duplicates.
//
// Some traps cannot be recognised by their URLs, but their pages are nearly the same. Some pages of each
// large host are compared with all others by simhash. A host whose pages are mostly near-duplicates gets
// a small multiple of its number of distinct pages. Pure; threads: any.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "crawl/config/options.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

// Whether this page of a host is compared with others.
bool is_compared(const Host& host, PageId page);

// site_pages: fetched pages of the host's registrable domain.
HostEnd host_end_of(const Host& host, std::uint64_t site_pages, const CrawlOptions& options);

}  // namespace bowerbird
