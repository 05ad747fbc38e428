#include "crawl/state/state_setup.h"

#include <algorithm>
#include <cmath>

#include "crawl/config/kept_options.h"
#include "crawl/config/memory_budget.h"

namespace bowerbird {

namespace {

Time to_ms(double seconds) {
  return std::llround(seconds * 1000);
}

}  // namespace

PolitenessOptions politeness_of(const CrawlOptions& options) {
  PolitenessOptions made;
  made.delay_ms = to_ms(options.delay_s);
  made.ip_ms = to_ms(address_delay(options));
  made.domain_ms = to_ms(options.delay_domain_s);
  made.max_delay_ms = to_ms(options.max_delay_s);
  made.adapt = options.adapt;
  made.per_host = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.connections_per_host, 1000));
  return made;
}

std::optional<Topic> topic_of(const CrawlOptions& options) {
  if (options.topic.empty()) return std::nullopt;
  return Topic::parse(options.topic).value();
}

CrawlStateOptions state_options_of(const CrawlOptions& options) {
  CrawlStateOptions made;
  made.policy = options.policy;
  made.strategy = options.strategy;
  made.random_seed = options.random_seed;
  made.expected_pages = expected_pages_of(options);
  made.bound = keeps_bound(options);
  made.parallel = options.parallel;
  made.queue_bytes = options.queue_memory > 0 ? options.queue_memory : memory_shares(options.memory).queue;
  made.graph_bytes = graph_bytes_of(options);
  made.topic = topic_of(options);
  return made;
}

KnownUrlsOptions known_urls_of(const CrawlOptions& options) {
  KnownUrlsOptions made;
  made.memory = options.url_memory > 0 ? options.url_memory : memory_shares(options.memory).known_urls;
  made.folder = options.out + "/" + crawl_files::kKnown;
  return made;
}

HostTableOptions hosts_of(const CrawlOptions& options) {
  return {options.out + "/" + crawl_files::kKnown + "/hosts", memory_shares(options.memory).hosts};
}

StoreOptions store_options_of(const CrawlOptions& options) {
  StoreOptions made;
  made.compression = options.warc == "none"   ? WarcCompression::kNone
                     : options.warc == "gzip" ? WarcCompression::kGzip
                                              : WarcCompression::kZstd;
  made.warc_bytes = options.warc_bytes;
  made.durable = options.durable;
  made.about = fixed_options(options);
  const MemoryShares shares = memory_shares(options.memory);
  if (shares.store_queue > 0) made.queue_bytes = shares.store_queue;
  made.payload_bytes = shares.payloads;
  made.sort_bytes = std::size_t{16} << 20;  // at the end all else is still in memory
  if (options.memory > 0)
    made.sort_bytes = std::clamp<std::size_t>(options.memory / 32, std::size_t{2} << 20, made.sort_bytes);
  made.warcinfo = {{"operator", options.contact.empty() ? options.user_agent : options.contact},
                   {"http-header-user-agent", user_agent_of(options)},
                   {"robots", "obeyed"}};
  return made;
}

}  // namespace bowerbird
