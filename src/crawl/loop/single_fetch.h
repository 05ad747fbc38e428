// One page by the rules of a crawl: for looking at a page without crawling.
//
// Its address is asked about before a connection is made, robots.txt of its host before the page, gates are
// kept between the two, and redirects are followed, each as a page of its own. Waits for the gates; gives up
// early where `go_on` says so. Threads: one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "fetch/fetcher.h"

namespace bowerbird {

struct SingleFetch {
  std::string url;                     // that answered
  std::vector<std::string> redirects;  // before it
  FetchOutcome fetch;                  // always an answer, whatever its status
};

// url: canonical. An error says what stood in the way: robots.txt, a refused address, no answer.
Result<SingleFetch> fetch_single(const CrawlOptions& options, const std::string& url,
                                 const std::function<bool()>& go_on = {});

}  // namespace bowerbird
