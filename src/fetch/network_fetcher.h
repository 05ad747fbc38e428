// The fetcher for the real network: our client, or libcurl where there is a proxy.
#pragma once

#include <memory>

#include "base/result.h"
#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"

namespace bowerbird {

Result<std::unique_ptr<Fetcher>> make_fetcher(FetcherOptions options);

}  // namespace bowerbird
