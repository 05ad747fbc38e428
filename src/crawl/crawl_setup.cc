#include "crawl/crawl_setup.h"

#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "crawl/connection_limits.h"
#include "crawl/memory_budget.h"
#include "crawl/policy_choice.h"
#include "fetch/curl_fetcher.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"
#include "parse/robots_text.h"
#include "sys/file.h"
#include "sys/file_limit.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kOptionsFile[] = "options.toml";

Time to_ms(double seconds) {
  return std::llround(seconds * 1000);
}

nlohmann::json fixed_json(const CrawlOptions& options) {
  const ParallelOptions& share = options.parallel;
  return {{"format", 1},
          {"mode", share.mode},
          {"procs", share.procs},
          {"process", share.process},
          {"partition", std::string(name_of(share.partitioning))},
          {"partition-rules", share.rules},
          {"partitions", share.partitions},
          {"replicate", share.replicate},
          {"member", share.member},
          {"policy", options.policy},
          {"strategy", options.strategy},
          {"seed", options.random_seed},
          {"expected-pages", state_options_of(options).expected_pages},
          {"bound", state_options_of(options).bound},
          {"topic", options.topic},
          {"terms", options.terms || !options.topic.empty()},
          {"warc", options.warc}};
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

std::uint64_t graph_bytes_of(const CrawlOptions& options) {
  if (options.graph_memory > 0) return options.graph_memory;
  return options.memory > 0 ? memory_shares(options.memory).graph : ~std::uint64_t{0};
}

CrawlStateOptions state_options_of(const CrawlOptions& options) {
  CrawlStateOptions made;
  made.policy = options.policy;
  made.strategy = options.strategy;
  made.random_seed = options.random_seed;
  made.expected_pages = options.expected_pages > 0 ? options.expected_pages : options.pages;
  made.bound = options.bound || options.stop_at_importance > 0;
  made.parallel = options.parallel;
  made.queue_bytes = options.queue_memory > 0 ? options.queue_memory : memory_shares(options.memory).queue;
  made.graph_bytes = graph_bytes_of(options);
  made.topic = topic_of(options);
  return made;
}

std::string robots_token_of(const CrawlOptions& options) {
  std::string token(product_token(user_agent_of(options)));
  for (char& c : token) c = ascii_lower(c);
  return token;
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

TrapOptions trap_options_of(const CrawlOptions& options, std::int64_t unix_time) {
  TrapOptions made;
  made.on = options.traps;
  made.year = static_cast<int>(1970 + unix_time / 31'556'952);
  return made;
}

ParserSettings parser_settings_of(const CrawlOptions& options, const Scope& scope, const BodyTypes& types,
                                  const std::string& token, std::int64_t unix_time) {
  ParserSettings made;
  made.scope = &scope;
  made.types = &types;
  made.traps = trap_options_of(options, unix_time);
  made.coding.max_bytes = options.max_decoded;
  made.token = token;
  made.requisites = options.requisites;
  made.topic = topic_of(options);
  made.terms = options.terms || made.topic;
  return made;
}

Result<std::unique_ptr<Fetcher>> make_network_fetcher(const CrawlOptions& options, const NetFilter& filter,
                                                      const BodyTypes& types) {
  CurlFetcherOptions made;
  made.user_agent = user_agent_of(options);
  made.filter = filter;
  made.resolver.servers = options.dns_servers;
  made.connect_to = options.connect_to;
  made.proxy = options.proxy;
  made.certificates = options.certificates;
  made.connect_timeout_s = options.connect_timeout_s;
  made.timeout_s = options.timeout_s;
  made.max_head = options.max_head;
  made.max_body = options.max_body;
  made.http2 = options.http2;
  // libcurl looks at all of them whenever one has to go; on the Web that is less than a handshake.
  const std::uint64_t idle = options.connect_to.empty()
                                 ? std::max<std::uint64_t>(1024, 2 * options.connections)
                                 : std::max<std::uint64_t>(256, options.connections);
  made.idle_connections = connection_limits({options.connections, idle}, raise_file_limit()).idle;
  made.wants_body = [types](int status, std::string_view head) {
    if (status < 200 || status >= 300) return true;
    const std::string type = content_type_of(head).type;
    return is_unknown_type(type) || types.wants(type);
  };
  BB_TRY(auto fetcher, CurlFetcher::make(std::move(made)));
  return std::unique_ptr<Fetcher>(std::move(fetcher));
}

Status recall_options(const std::string& folder, CrawlOptions& options) {
  const std::string path = folder + "/" + kOptionsFile;
  if (!std::filesystem::exists(path)) return {};
  BB_TRY(const auto file, MappedFile::open(path));
  const Status read = read_crawl_options(file->text(), path, options);
  if (read.ok()) return {};
  return error("{}\nMend it, or remove it and give the options again", read.error().text);
}

Status remember_options(const CrawlOptions& options) {
  // It may hold a password.
  return write_file(options.out + "/" + kOptionsFile, write_crawl_options(options), 0600);
}

std::string fixed_options(const CrawlOptions& options) {
  return fixed_json(options).dump();
}

Status check_unchanged(const CrawlOptions& options, const std::string& about) {
  const nlohmann::json then = nlohmann::json::parse(about, nullptr, false);
  if (!then.is_object())
    return error("{}: the crawl in this folder does not say how it was begun", options.out);
  nlohmann::json now = fixed_json(options);
  // Without a number of its own it goes by the page budget, which may change.
  if (options.expected_pages == 0) now.erase("expected-pages");
  if (options.policy == kAutoPolicy) now.erase("policy");
  std::vector<std::string> complaints;
  for (const auto& [key, value] : now.items()) {
    const auto found = then.find(key);
    if (found == then.end() || *found == value) continue;
    if (key == "bound" && options.stop_at_importance > 0) {
      complaints.emplace_back(
          "--stop-at-importance, or --bound, must be given when a crawl is begun: what this one has fetched "
          "was not counted. Begin a new crawl in another folder");
      continue;
    }
    complaints.push_back(
        fmt::format("--{} was {} when this crawl was begun and cannot become {}: its state depends "
                    "on it. Leave it as it was, or begin a new crawl in another folder",
                    key, found->dump(), value.dump()));
  }
  if (complaints.empty()) return {};
  return Error{fmt::format("{}: {}", options.out, fmt::join(complaints, "\n"))};
}

Status adopt_fixed(const std::string& about, CrawlOptions& options) {
  const nlohmann::json then = nlohmann::json::parse(about, nullptr, false);
  if (!then.is_object())
    return error("{}: the crawl in this folder does not say how it was begun", options.out);
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const auto found = then.find(std::string(row.name));
    if (!row.fixed || found == then.end()) continue;
    BB_TRY_VOID(row.set(options, found->is_string() ? found->get<std::string>() : found->dump()));
  }
  return {};
}

}  // namespace bowerbird
