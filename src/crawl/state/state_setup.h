// From the options of a crawl to those of its state and its store. Pure.
#pragma once

#include <optional>

#include "crawl/config/options.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

PolitenessOptions politeness_of(const CrawlOptions& options);
// What the crawl uses for an option that is left open (auto, or without a value); empty: it is not.
std::string used_value(const CrawlOptions& options, std::string_view name);
// The [[site]] tables; null: there are none. Checked before, as is the next.
std::shared_ptr<const SiteRules> site_rules_of(const CrawlOptions& options);
std::optional<Topic> topic_of(const CrawlOptions& options);
CrawlStateOptions state_options_of(const CrawlOptions& options);
// Of a crawl that goes on; one that is only read keeps everything in memory.
KnownUrlsOptions known_urls_of(const CrawlOptions& options);
HostTableOptions hosts_of(const CrawlOptions& options);
StoreOptions store_options_of(const CrawlOptions& options);

}  // namespace bowerbird
