#include "fetch/network_fetcher.h"

#include <utility>

#include "fetch/curl_fetcher.h"
#include "fetch/http_fetcher.h"
#include "fetch/threaded_fetcher.h"

namespace bowerbird {

Result<std::unique_ptr<Fetcher>> make_fetcher(FetcherOptions options) {
  if (!options.proxy.empty()) {
    BB_TRY(auto fetcher, CurlFetcher::make(std::move(options)));
    return std::unique_ptr<Fetcher>(std::move(fetcher));
  }
  if (options.threads > 0) {
    BB_TRY(auto fetcher, ThreadedFetcher::make(options));
    return std::unique_ptr<Fetcher>(std::move(fetcher));
  }
  BB_TRY(auto fetcher, HttpFetcher::make(std::move(options)));
  return std::unique_ptr<Fetcher>(std::move(fetcher));
}

}  // namespace bowerbird
