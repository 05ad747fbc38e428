// Converts the options of a crawl to those of its state and its store. Pure.
#pragma once

#include <optional>

#include "crawl/config/options.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

PolitenessOptions politeness_of(const CrawlOptions& options);
// The value that the crawl uses for an option that is `auto` or not set; empty: none.
std::string used_value(const CrawlOptions& options, std::string_view name);
// The [[site]] tables; null: none. The tables, and the topic below, must be valid.
std::shared_ptr<const SiteRules> site_rules_of(const CrawlOptions& options);
std::optional<Topic> topic_of(const CrawlOptions& options);
CrawlStateOptions state_options_of(const CrawlOptions& options);
// For a crawl that is resumed. One that is only read keeps everything in memory.
KnownUrlsOptions known_urls_of(const CrawlOptions& options);
HostTableOptions hosts_of(const CrawlOptions& options);
StoreOptions store_options_of(const CrawlOptions& options);

}  // namespace bowerbird
