// From the options of a crawl to those of its parts, and how requests are numbered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "crawl/body_types.h"
#include "crawl/options.h"
#include "crawl/page_parser.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/hosts.h"
#include "fetch/fetcher.h"
#include "fetch/net_filter.h"

namespace bowerbird {

PolitenessOptions politeness_of(const CrawlOptions& options);
// Checked before.
std::optional<Topic> topic_of(const CrawlOptions& options);
// What the growing graph of an ordering may take in memory.
std::uint64_t graph_bytes_of(const CrawlOptions& options);
CrawlStateOptions state_options_of(const CrawlOptions& options);
// Our name in robots.txt.
std::string robots_token_of(const CrawlOptions& options);
// Of a crawl that goes on; one that is looked at keeps all in memory.
KnownUrlsOptions known_urls_of(const CrawlOptions& options);
HostTableOptions hosts_of(const CrawlOptions& options);
StoreOptions store_options_of(const CrawlOptions& options);
TrapOptions trap_options_of(const CrawlOptions& options, std::int64_t unix_time);
// Refers to scope and types.
ParserSettings parser_settings_of(const CrawlOptions& options, const Scope& scope, const BodyTypes& types,
                                  const std::string& token, std::int64_t unix_time);
Result<std::unique_ptr<Fetcher>> make_network_fetcher(const CrawlOptions& options, const NetFilter& filter,
                                                      const BodyTypes& types);

// What a crawl was begun with and cannot be changed, as it is kept in its folder; and whether these options
// agree with it. An error says which does not, and what to do.
// The options of the last run in a folder, as far as they differ from the defaults (options.toml). Nothing
// where there is none.
Status recall_options(const std::string& folder, CrawlOptions& options);
// For the next one. The file is for its owner alone: options hold passwords.
Status remember_options(const CrawlOptions& options);
std::string fixed_options(const CrawlOptions& options);
Status check_unchanged(const CrawlOptions& options, const std::string& about);
// Sets the options that cannot change to what they were.
Status adopt_fixed(const std::string& about, CrawlOptions& options);

// Requests to the fetcher: pages by their id, others by their host's.
inline constexpr std::uint64_t kRobotsRequest = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kResolveRequest = std::uint64_t{1} << 41;
inline bool is_page(std::uint64_t id) {
  return id < kRobotsRequest;
}
inline bool is_resolve(std::uint64_t id) {
  return (id & kResolveRequest) != 0;
}
inline HostId host_of_request(std::uint64_t id) {
  return static_cast<HostId>(id & 0xffffffffu);
}

}  // namespace bowerbird
