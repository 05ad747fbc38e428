// Converts the options of a crawl to those of the fetcher and the page parser. Pure, except that
// make_network_fetcher() opens an event loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "crawl/config/options.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/page_parser.h"
#include "fetch/fetcher.h"
#include "fetch/net_filter.h"

namespace bowerbird {

TrapOptions trap_options_of(const CrawlOptions& options, std::int64_t unix_time);
// The result refers to scope and types.
ParserSettings parser_settings_of(const CrawlOptions& options, const Scope& scope, const BodyTypes& types,
                                  const std::string& token, std::int64_t unix_time);
Result<std::unique_ptr<Fetcher>> make_network_fetcher(const CrawlOptions& options, const NetFilter& filter,
                                                      const BodyTypes& types);

}  // namespace bowerbird
