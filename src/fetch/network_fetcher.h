// Makes the fetcher for the network: our own client, or libcurl if there is a proxy. Threads: any.
#pragma once

#include <memory>

#include "base/result.h"
#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"

namespace bowerbird {

Result<std::unique_ptr<Fetcher>> make_fetcher(FetcherOptions options);

}  // namespace bowerbird
