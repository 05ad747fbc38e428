// Checks that the options of a crawl fit together, and derives others from them.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/units.h"
#include "crawl/config/memory_budget.h"
#include "crawl/config/options.h"
#include "crawl/config/policy_choice.h"
#include "crawl/config/request_fields.h"
#include "crawl/config/site_table.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/page_filter.h"
#include "crawl/judge/site_rules.h"
#include "fetch/net_address.h"
#include "fetch/net_filter.h"
#include "frontier/refresh_queue.h"
#include "frontier/strategy.h"
#include "parse/robots_text.h"
#include "parse/topic.h"
#include "policy/refresh_rules.h"
#include "policy/registry.h"
#include "version.h"

namespace bowerbird {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

void check_share(const CrawlOptions& options, std::vector<std::string>& complaints) {
  const ParallelOptions& share = options.parallel;
  if (!share.on()) {
    if (share.procs > 0) complaints.push_back("--procs needs --mode firewall or cross-over, or --fleet");
    return;
  }
  const bool exchange = share.mode == Mode::kExchange;
  if (exchange && options.fleet.url.empty()) {
    complaints.push_back(
        "--mode exchange needs --fleet nats://HOST:PORT (`bowerbird fleet start` starts a server)");
  }
  if (!exchange && !options.fleet.url.empty()) {
    complaints.push_back(fmt::format("--fleet does not work with --mode {}", name_of(*share.mode)));
  }
  if (!exchange && (share.procs == 0 || share.process >= share.procs)) {
    complaints.push_back(fmt::format("--mode {} needs --procs N and --process I, with I from 0 to N - 1",
                                     name_of(*share.mode)));
  }
  if (share.procs > share.partitions) {
    complaints.push_back("--procs is larger than --partitions: some processes would have nothing to do");
  }
  if (!exchange && share.replicate > 0) {
    complaints.push_back("--replicate works only with --mode exchange");
  }
  if (exchange && !is_name(share.member)) {
    complaints.push_back(fmt::format("--member '{}': use only letters, digits, - and _", share.member));
  }
  if (exchange && !is_name(options.fleet.name)) {
    complaints.push_back(
        fmt::format("--fleet-name '{}': use only letters, digits, - and _", options.fleet.name));
  }
  if (exchange && options.fleet.lease < Seconds(2)) complaints.push_back("--lease: at least 2 s are needed");
  const auto rules =
      DomainRules::parse(share.rules, static_cast<unsigned>(std::max<std::uint64_t>(1, share.procs)));
  if (!rules.ok()) complaints.push_back("--partition-rules: " + rules.error().text);
  if (!share.rules.empty() && share.partitioning != Partitioning::kHierarchical) {
    complaints.push_back("--partition-rules need --partition hierarchical");
  }
  if (options.budget.stop_at_importance > 0) {
    complaints.push_back("--stop-at-importance does not work with several processes");
  }
}

void check_refresh(const CrawlOptions& options, std::vector<std::string>& complaints) {
  const CrawlOptions::Refresh& refresh = options.refresh;
  const bool on = refresh.policy != "none" || refresh.forever || refresh.round;
  if (on && options.parallel.on())
    complaints.emplace_back(
        "--refresh does not work with several processes; merge the fleet's folders first");
  if (refresh.least_share() > refresh.most_new) complaints.emplace_back("--min-new is larger than --max-new");
  if (refresh.longest.count() > 0 && refresh.longest < refresh.shortest)
    complaints.emplace_back("--longest-interval is shorter than --shortest-interval");
  if (std::max(refresh.shortest, refresh.longest) > kLongestRefreshInterval) {
    complaints.push_back(fmt::format("--{}-interval: at most {}, ten years",
                                     refresh.shortest > kLongestRefreshInterval ? "shortest" : "longest",
                                     exact_seconds(kLongestRefreshInterval)));
  }
  for (const SiteSettings& site : options.sites) {
    if (site.refresh_interval.value_or(Seconds(0)) > kLongestRefreshInterval) {
      complaints.push_back(fmt::format("[[site]] {}: refresh-interval: at most {}, ten years", site.name(),
                                       exact_seconds(kLongestRefreshInterval)));
    }
  }
  if (refresh.time_scale != 1 && options.network.allow_net.empty()) {
    complaints.emplace_back("--time-scale works only for your own networks: name them with --allow-net");
  }
}

// "HOST:PORT", where the host is a name or an address.
bool is_host_with_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon + 1 == text.size() || text.size() - colon > 6) return false;
  const std::string_view digits = text.substr(colon + 1);
  if (!std::all_of(digits.begin(), digits.end(), is_ascii_digit)) return false;
  const auto port = parse_count(digits);
  if (!port.ok() || *port == 0 || *port > 65'535) return false;
  return !canonical_host(text.substr(0, colon), true).empty();
}

bool is_name_server(std::string_view text) {
  if (NetAddress::parse(text)) return true;
  return is_host_with_port(text) && NetAddress::parse(text.substr(0, text.rfind(':')));
}

bool are_name_servers(std::string_view list) {
  for (;;) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (!is_name_server(trimmed(list.substr(0, comma)))) return false;
    if (comma == list.size()) return true;
    list.remove_prefix(comma + 1);
  }
}

// "SCHEME://HOST:PORT", with or without a user, a port and a slash at the end.
bool is_proxy(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == text.npos) return false;
  const std::string_view name = text.substr(0, scheme);
  if (name != "http" && name != "https" && name != "socks5h") return false;
  std::string_view host = text.substr(scheme + 3);
  if (host.ends_with('/')) host.remove_suffix(1);
  host.remove_prefix(host.rfind('@') + 1);  // npos + 1 is 0
  return is_host_with_port(host) || !canonical_host(host, true).empty();
}

void check_network(const CrawlOptions& options, std::vector<std::string>& complaints) {
  const auto& network = options.network;
  if (!network.connect_to.empty() && !is_host_with_port(network.connect_to)) {
    complaints.push_back(
        fmt::format("--connect-to: '{}' is not HOST:PORT, such as 127.0.0.1:8080", network.connect_to));
  }
  if (!network.dns_servers.empty() && !are_name_servers(network.dns_servers)) {
    complaints.push_back(fmt::format(
        "--dns: '{}' is not a list of addresses such as 192.0.2.1 or 192.0.2.1:53", network.dns_servers));
  }
  // It may contain a password, so it is not shown.
  if (!network.proxy.empty() && !is_proxy(network.proxy))
    complaints.emplace_back("--proxy: expected http://HOST:PORT, https://HOST:PORT or socks5h://HOST:PORT");
  for (const auto& [name, seconds] : {std::pair("--timeout", options.fetch.timeout),
                                      std::pair("--connect-timeout", options.fetch.connect_timeout)}) {
    if (seconds == Seconds(0)) complaints.push_back(fmt::format("{} must be more than 0", name));
  }
}

}  // namespace

bool names_a_contact(std::string_view text) {
  return text.find('@') != text.npos || text.find("http://") != text.npos ||
         text.find("https://") != text.npos;
}

Status check_crawl_options(const CrawlOptions& options) {
  std::vector<std::string> complaints;
  const auto need = [&](const Status& status, std::string_view where) {
    if (!status.ok()) complaints.push_back(fmt::format("{}: {}", where, status.error().text));
  };
  if (options.order.policy != kAutoPolicy) {
    const auto policy = make_policy(options.order.policy, {});
    need(policy.ok() ? Status() : policy.error(), "--policy");
    if (policy.ok() && has(needs_of(options.order.policy).value(), Need::kTruth)) {
      complaints.push_back(
          fmt::format("--policy: '{}' needs the true importance of pages, so it works only in the lab",
                      options.order.policy));
    }
    if (policy.ok() && has(needs_of(options.order.policy).value(), Need::kTopic) &&
        options.order.topic.empty()) {
      complaints.push_back(
          fmt::format("--policy: '{}' needs a topic: give --topic WORDS", options.order.policy));
    }
  }
  if (options.memory.budget > 0 && options.order.policy != kAutoPolicy && complaints.empty()) {
    if (const std::uint64_t bytes = policy_bytes(options, options.order.policy);
        bytes > options.memory.budget / 4 * 3) {
      complaints.push_back(
          fmt::format("--memory {} is too small for --policy {}: it may need {} for ten times the page "
                      "budget; fpr@100 needs almost no memory",
                      format_bytes(options.memory.budget), options.order.policy, format_bytes(bytes)));
    }
  }
  if (options.order.topic.empty() && options.order.topic_at > 0)
    complaints.emplace_back("--topic-at needs a topic: give --topic WORDS");
  if (!options.order.topic.empty()) {
    const auto topic = Topic::parse(options.order.topic);
    need(topic.ok() ? Status() : topic.error(), "--topic");
  }
  const auto strategy = Strategy::make(options.order.strategy, options.order.expected_pages, 1);
  need(strategy.ok() ? Status() : strategy.error(), "--strategy");
  if (options.parallel.on() &&
      (options.order.strategy.starts_with("sydney") || options.order.strategy.starts_with("shallow"))) {
    complaints.push_back(
        fmt::format("--strategy: '{}' does not work with several processes; use all or truncated@T",
                    options.order.strategy));
  }
  const auto filter = NetFilter::parse(options.network.allow_net);
  need(filter.ok() ? Status() : filter.error(), "--allow-net");
  const auto scope = Scope::make(options.scope, {});
  if (!scope.ok()) complaints.push_back("--" + scope.error().text);
  const auto types = BodyTypes::make(options.selection.types);
  need(types.ok() ? Status() : types.error(), "--types");
  if (options.identity.contact.empty() && !names_a_contact(options.identity.user_agent)) {
    complaints.push_back(
        options.identity.user_agent.empty()
            ? "--contact is required: give a mail address or a page about your crawl (--contact "
              "you@example.org), so that site owners can reach you"
            : "--user-agent must have a mail address or a URL where you can be reached; or give --contact");
  }
  for (const auto& [name, seconds] :
       {std::pair("--delay", options.politeness.delay),
        std::pair("--delay-ip", options.politeness.delay_ip.value_or(Seconds(1))),
        std::pair("--delay-domain", options.politeness.delay_domain.value_or(Seconds(1)))}) {
    if (seconds != Seconds(0) || !options.network.allow_net.empty()) continue;
    complaints.push_back(
        fmt::format("{} 0 works only for your own networks: name them with --allow-net", name));
  }
  if (options.politeness.requisite_delay && options.network.allow_net.empty()) {
    complaints.emplace_back("--requisite-delay works only for your own networks: name them with --allow-net");
  }
  if (options.politeness.connections_per_host > 1 && options.network.allow_net.empty()) {
    complaints.push_back(
        "--connections-per-host above 1 works only for your own networks: name them with --allow-net");
  }
  check_network(options, complaints);
  check_share(options, complaints);
  check_refresh(options, complaints);
  if (options.memory.budget > 0 && options.memory.budget < least_memory(options.politeness.connections)) {
    complaints.push_back(
        fmt::format("--memory {} is too small for {} connections: at least {} are needed{}",
                    format_bytes(options.memory.budget), options.politeness.connections,
                    format_bytes(least_memory(options.politeness.connections)),
                    options.memory.budget >= least_memory(1) ? "; or fewer --connections" : ""));
  }
  for (const auto& [name, list] : {std::pair("--links-from", &options.selection.links_from),
                                   std::pair("--keep", &options.selection.keep)}) {
    const auto pages = PageFilter::make(*list);
    need(pages.ok() ? Status() : pages.error(), name);
  }
  check_sites(options.sites, !options.network.allow_net.empty(), !options.parallel.on(), complaints);
  const auto fields =
      RequestFields::make({options.network.headers, options.network.cookies, options.network.auth});
  if (!fields.ok()) complaints.push_back(fields.error().text);
  if (complaints.empty()) return {};
  return Error{fmt::format("{}", fmt::join(complaints, "\n"))};
}

bool wants_requisites(const CrawlOptions& options) {
  return options.selection.requisites || std::ranges::any_of(options.sites, [](const SiteSettings& site) {
           return site.requisites.value_or(false);
         });
}

RequestFieldOptions request_fields_of(const CrawlOptions& options) {
  return {options.network.headers, options.network.cookies, options.network.auth, options.sites};
}

bool has_secrets(const CrawlOptions& options) {
  const auto& network = options.network;
  if (std::ranges::any_of(options.sites, &SiteSettings::has_secret)) return true;
  if (!network.auth.empty() || !network.cookies.empty()) return true;
  if (network.proxy.find('@') != network.proxy.npos || options.fleet.url.find('@') != options.fleet.url.npos)
    return true;
  const auto fields = RequestFields::make({network.headers, {}, {}});
  return fields.ok() ? fields->any_secret() : !network.headers.empty();
}

void complete_refresh_options(CrawlOptions& options) {
  if ((options.refresh.forever || options.refresh.round) && options.refresh.policy == "none")
    options.refresh.policy = kDefaultRefresh;
}

void complete_fleet_options(CrawlOptions& options) {
  ParallelOptions& share = options.parallel;
  if (!share.mode && !options.fleet.url.empty()) share.mode = Mode::kExchange;
  if (!share.on()) return;
  options.budget.bound = false;  // one process does not know the pages of the others
  if (!share.member.empty()) return;
  for (const char c : options.out.substr(options.out.find_last_of('/', options.out.size() - 2) + 1)) {
    if (is_name({&c, 1})) share.member += c;
  }
}

std::string user_agent_of(const CrawlOptions& options) {
  if (options.identity.user_agent.empty()) {
    return fmt::format("Bowerbird/{} (+{})", BOWERBIRD_VERSION, options.identity.contact);
  }
  if (options.identity.contact.empty() ||
      options.identity.user_agent.find(options.identity.contact) != std::string::npos) {
    return options.identity.user_agent;
  }
  return fmt::format("{} (+{})", options.identity.user_agent, options.identity.contact);
}

std::string robots_token_of(const CrawlOptions& options) {
  std::string token(product_token(user_agent_of(options)));
  for (char& c : token) c = ascii_lower(c);
  return token;
}

std::uint64_t expected_pages_of(const CrawlOptions& options) {
  return options.order.expected_pages > 0 ? options.order.expected_pages : options.budget.pages;
}

bool keeps_bound(const CrawlOptions& options) {
  return options.budget.bound || options.budget.stop_at_importance > 0;
}

double CrawlOptions::Refresh::least_share() const {
  return least_new.value_or(std::min(kDefaultLeastNew, most_new));
}

std::uint64_t graph_bytes_of(const CrawlOptions& options) {
  if (options.memory.graph > 0) return options.memory.graph;
  return options.memory.budget > 0 ? memory_shares(options.memory.budget).graph : ~std::uint64_t{0};
}

}  // namespace bowerbird
