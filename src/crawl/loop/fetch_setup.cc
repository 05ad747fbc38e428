#include "crawl/loop/fetch_setup.h"

#include <algorithm>

#include "crawl/config/connection_limits.h"
#include "crawl/config/memory_budget.h"
#include "crawl/state/state_setup.h"
#include "fetch/network_fetcher.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"
#include "sys/file_limit.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kMostIdle = 100'000;
constexpr std::uint64_t kMostThreads = 64;

}  // namespace

TrapOptions trap_options_of(const CrawlOptions& options, std::int64_t unix_time) {
  TrapOptions made;
  made.on = options.selection.traps;
  made.year = static_cast<int>(1970 + unix_time / 31'556'952);
  return made;
}

ParserSettings parser_settings_of(const CrawlOptions& options, const Scope& scope, const BodyTypes& types,
                                  const std::string& token, std::int64_t unix_time) {
  ParserSettings made;
  made.scope = &scope;
  made.types = &types;
  made.traps = trap_options_of(options, unix_time);
  made.coding.max_bytes = options.fetch.max_decoded;
  made.token = token;
  made.requisites = options.selection.requisites;
  made.some_requisites = wants_requisites(options);
  made.topic = topic_of(options);
  made.terms = options.storage.terms || made.topic;
  made.main_text = options.storage.main_text;
  made.digests = true;
  made.text_digests = options.refresh.policy != "none";
  made.feeds = options.refresh.policy != "none" && options.selection.follow_sitemaps;
  made.body_digests = options.refresh.policy != "none";
  made.numbers = options.refresh.numbers ? ChangedNumbers::kCount : ChangedNumbers::kIgnored;
  if (options.memory.budget > 0) made.max_texts = memory_shares(options.memory.budget).bodies;
  return made;
}

Result<std::unique_ptr<Fetcher>> make_network_fetcher(const CrawlOptions& options, const NetFilter& filter,
                                                      const BodyTypes& types) {
  FetcherOptions made;
  made.user_agent = user_agent_of(options);
  made.filter = filter;
  made.resolver.servers = options.network.dns_servers;
  made.connect_to = options.network.connect_to;
  made.proxy = options.network.proxy;
  made.certificates = options.network.certificates;
  made.crl = options.network.crl;
  made.record_certificate_errors = options.network.certificate_errors == CertificateErrors::kRecord;
  made.connect_timeout_s = options.fetch.connect_timeout.count();
  made.timeout_s = options.fetch.timeout.count();
  made.max_head = options.fetch.max_head;
  made.max_body = options.fetch.max_body;
  made.threads = static_cast<unsigned>(std::min<std::uint64_t>(options.network_threads, kMostThreads));
  made.http2 = options.network.http2 || options.politeness.connections_per_host > 1;
  // Idle connections are limited by memory and open files, not by pages in flight.
  made.idle_connections =
      connection_limits({options.politeness.connections, kMostIdle}, raise_file_limit()).idle;
  if (options.memory.budget > 0) made.idle_bytes = memory_shares(options.memory.budget).connections;
  made.wants_body = [types](int status, std::string_view head) {
    if (status < 200 || status >= 300) return true;
    const std::string type = content_type_of(head).type;
    return is_unknown_type(type) || types.wants(type);
  };
  return make_fetcher(std::move(made));
}

}  // namespace bowerbird
