// Fetches one page by the rules of a crawl, to look at it without crawling.
//
// Its address is checked before a connection is made, and robots.txt before the page. Gates are kept
// between the two. Redirects are followed, each as a page of its own. Waits for the gates; stops early if
// `go_on` returns false. Threads: one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "fetch/fetcher.h"

namespace bowerbird {

struct SingleFetch {
  std::string url;                     // URL of the response
  std::vector<std::string> redirects;  // URLs before it
  FetchOutcome fetch;                  // always has a response, with any status
};

// url: canonical. An error: robots.txt, a refused address, or no response.
Result<SingleFetch> fetch_single(const CrawlOptions& options, const std::string& url,
                                 const std::function<bool()>& go_on = {});

}  // namespace bowerbird
