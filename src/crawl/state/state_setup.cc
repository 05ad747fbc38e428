#include "crawl/state/state_setup.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/memory_budget.h"

namespace bowerbird {

namespace {

// The value, and the value for hosts of --allow-net if that differs.
std::string with_own(const CrawlOptions& options, const std::string& value, const std::string& own) {
  if (options.network.allow_net.empty() || value == own) return value;
  return fmt::format("{}; on --allow-net networks {}", value, own);
}

std::string shared_delay_text(const CrawlOptions& options) {
  const Seconds usual(kSharedDelay);
  return with_own(options, exact_seconds(usual), exact_seconds(std::min(usual, options.politeness.delay)));
}

}  // namespace

std::string used_value(const CrawlOptions& options, std::string_view name) {
  const CrawlOptions::Politeness& polite = options.politeness;
  if (name == "user-agent" && options.identity.user_agent.empty()) return user_agent_of(options);
  if (name == "delay-ip" && !polite.delay_ip)
    return options.network.connect_to.empty() ? shared_delay_text(options) : "0s";
  if (name == "delay-domain" && !polite.delay_domain) return shared_delay_text(options);
  if (name == "adapt" && !polite.adapt) {
    const std::string usual = fmt::format("{}", kDefaultAdapt);
    return with_own(options, usual, polite.delay == Seconds(0) ? "0" : usual);
  }
  return "";
}

PolitenessOptions politeness_of(const CrawlOptions& options) {
  PolitenessOptions made;
  made.delay = rounded(options.politeness.delay);
  if (options.politeness.delay_ip) made.ip_delay = rounded(*options.politeness.delay_ip);
  made.address_gates = options.politeness.delay_ip || options.network.connect_to.empty();
  if (options.politeness.delay_domain) made.domain_delay = rounded(*options.politeness.delay_domain);
  made.max_delay = rounded(options.politeness.max_delay);
  made.adapt = options.politeness.adapt;
  if (options.politeness.requisite_delay) made.requisite_delay = rounded(*options.politeness.requisite_delay);
  made.sites = site_rules_of(options);
  made.per_host =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(options.politeness.connections_per_host, 1000));
  return made;
}

std::shared_ptr<const SiteRules> site_rules_of(const CrawlOptions& options) {
  if (options.sites.empty()) return nullptr;
  return std::make_shared<const SiteRules>(SiteRules::make(options.sites).value());
}

std::optional<Topic> topic_of(const CrawlOptions& options) {
  if (options.order.topic.empty()) return std::nullopt;
  return Topic::parse(options.order.topic).value();
}

CrawlStateOptions state_options_of(const CrawlOptions& options) {
  CrawlStateOptions made;
  made.policy = options.order.policy;
  made.strategy = options.order.strategy;
  made.random_seed = options.order.random_seed;
  made.expected_pages = expected_pages_of(options);
  made.bound = keeps_bound(options);
  made.parallel = options.parallel;
  made.queue_bytes =
      options.memory.queue > 0 ? options.memory.queue : memory_shares(options.memory.budget).queue;
  made.graph_bytes = graph_bytes_of(options);
  made.topic = topic_of(options);
  made.sites = site_rules_of(options);
  return made;
}

KnownUrlsOptions known_urls_of(const CrawlOptions& options) {
  KnownUrlsOptions made;
  made.memory =
      options.memory.urls > 0 ? options.memory.urls : memory_shares(options.memory.budget).known_urls;
  made.folder = options.out + "/" + crawl_files::kKnown;
  return made;
}

HostTableOptions hosts_of(const CrawlOptions& options) {
  return {options.out + "/" + crawl_files::kKnown + "/hosts", memory_shares(options.memory.budget).hosts};
}

StoreOptions store_options_of(const CrawlOptions& options) {
  StoreOptions made;
  made.compression = options.storage.warc;
  made.warc_bytes = options.storage.warc_bytes;
  made.durable = options.storage.durable;
  made.others = options.storage.dedup;
  made.about = fixed_options(options);
  const MemoryShares shares = memory_shares(options.memory.budget);
  if (shares.store_queue > 0) made.queue_bytes = shares.store_queue;
  made.payload_bytes = shares.payloads;
  made.sort_bytes =
      std::size_t{16} << 20;  // sorting happens at the end, while everything else is still in memory
  if (options.memory.budget > 0)
    made.sort_bytes =
        std::clamp<std::size_t>(options.memory.budget / 32, std::size_t{2} << 20, made.sort_bytes);
  made.warcinfo = {
      {"operator", options.identity.contact.empty() ? options.identity.user_agent : options.identity.contact},
      {"http-header-user-agent", user_agent_of(options)},
      {"robots", "obeyed"}};
  return made;
}

}  // namespace bowerbird
