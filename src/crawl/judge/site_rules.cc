#include "crawl/judge/site_rules.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "url/canonical.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostHostsCached = 50'000;
constexpr std::size_t kMostTables = 10'000;

// The host without its port.
std::string_view name_of_host(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  if (colon == host.npos || (bracket != host.npos && colon < bracket)) return host;
  return host.substr(0, colon);
}

bool is_below(std::string_view name, std::string_view domain) {
  return name.size() > domain.size() && name.ends_with(domain) &&
         name[name.size() - domain.size() - 1] == '.';
}

}  // namespace

std::string canonical_host(std::string_view host, bool https) {
  if (host.empty() || host.find_first_of("/\\?#@ \t") != host.npos) return {};
  Url url;
  const std::string whole = fmt::format("{}://{}/", https ? "https" : "http", host);
  return canonical_url(whole, nullptr, url) == UrlFault::kNone ? std::string(url.host()) : std::string();
}

std::string SiteSettings::name() const {
  std::vector<std::string> all = hosts;
  all.insert(all.end(), domains.begin(), domains.end());
  all.insert(all.end(), urls.begin(), urls.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

// ---- Matching

bool SiteRules::HostRule::matches(std::string_view host, std::string_view name_only) const {
  const std::string_view given = any_port ? name_only : host;
  return beneath ? is_below(given, name) : given == name;
}

bool SiteRules::Table::by_host(std::string_view host, std::optional<bool> https) const {
  const std::string_view name = name_of_host(host);
  for (const HostRule& rule : hosts) {
    if ((!rule.https || !https || *rule.https == *https) && rule.matches(host, name)) return true;
  }
  return std::ranges::any_of(
      domains, [&](const std::string& domain) { return name == domain || is_below(name, domain); });
}

bool SiteRules::Table::by_url(std::string_view url) const {
  return any_found_in(urls, url);
}

Result<SiteRules::HostRule> SiteRules::host_rule(std::string_view text) {
  HostRule rule;
  std::string_view rest = text;
  for (const bool https : {false, true}) {
    const std::string_view scheme = https ? "https://" : "http://";
    if (!rest.starts_with(scheme)) continue;
    rest.remove_prefix(scheme.size());
    rule.https = https;
    break;
  }
  rule.beneath = rest.starts_with("*.");
  if (rule.beneath) rest.remove_prefix(2);
  rule.any_port = name_of_host(rest) == rest;
  // Default ports imply a scheme, and are not part of a canonical host.
  if (!rule.https && rest.ends_with(":80")) rule.https = false;
  if (!rule.https && rest.ends_with(":443")) rule.https = true;
  rule.name = canonical_host(rest, rule.https.value_or(false));
  if (rule.name.empty()) {
    return error(
        "'{}' is not a host: write www.example.org, *.example.org, or http://example.org for http only",
        text);
  }
  return rule;
}

Result<SiteRules::Table> SiteRules::make_table(SiteSettings settings) {
  Table table;
  for (const std::string& text : settings.hosts) {
    BB_TRY(HostRule rule, host_rule(text));
    table.hosts.push_back(std::move(rule));
  }
  for (const std::string& text : settings.domains) {
    const std::string domain = canonical_host(text, false);
    if (domain.empty() || name_of_host(text) != text || text.starts_with("*."))
      return error("'{}' is not a domain: write example.org", text);
    table.domains.push_back(domain);
  }
  BB_TRY(table.urls, UrlPattern::make_all(settings.urls));
  BB_TRY(table.include, UrlPattern::make_all(settings.include));
  BB_TRY(table.exclude, UrlPattern::make_all(settings.exclude));
  table.settings = std::move(settings);
  return table;
}

Result<SiteRules> SiteRules::make(std::vector<SiteSettings> settings) {
  SiteRules rules;
  if (settings.size() > kMostTables) return error("there are more than {} [[site]] tables", kMostTables);
  for (SiteSettings& one : settings) {
    BB_TRY(Table table, make_table(std::move(one)));
    rules.has_urls_ = rules.has_urls_ || !table.urls.empty();
    rules.tables_.push_back(std::move(table));
  }
  return rules;
}

SiteTables SiteRules::tables_of_host(std::string_view host) const {
  SiteTables found;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].by_host(host, {})) found.push_back(static_cast<std::uint16_t>(i));
  }
  return found;
}

SiteTables SiteRules::tables_of(const Url& url) const {
  SiteTables found;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].by_host(url.host(), url.https()) || tables_[i].by_url(url.text()))
      found.push_back(static_cast<std::uint16_t>(i));
  }
  return found;
}

// The tables of a host may differ for http and https.
std::span<const std::uint16_t> SiteRules::tables_of(const Url& url, SiteCache& cache) const {
  if (tables_.empty()) return {};
  const std::string_view key =
      std::string_view(url.text())
          .substr(0, static_cast<std::size_t>(url.host().data() - url.text().data()) + url.host().size());
  auto known = cache.by_host.find(key);
  if (known == cache.by_host.end()) {
    if (cache.by_host.size() >= kMostHostsCached) cache.by_host.clear();
    SiteTables tables;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (tables_[i].by_host(url.host(), url.https())) tables.push_back(static_cast<std::uint16_t>(i));
    }
    known = cache.by_host.emplace(key, std::move(tables)).first;
  }
  if (!has_urls_) return known->second;
  cache.found = known->second;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const auto place = static_cast<std::uint16_t>(i);
    if (!tables_[i].urls.empty() && !std::ranges::binary_search(known->second, place) &&
        tables_[i].by_url(url.text()))
      cache.found.push_back(place);
  }
  std::ranges::sort(cache.found);
  return cache.found;
}

// ---- Decisions

SiteVerdict SiteRules::judge(std::string_view url, std::span<const std::uint16_t> tables) const {
  bool has_include = false, included = false;
  for (const std::uint16_t place : tables) {
    const Table& table = tables_[place];
    if (any_found_in(table.exclude, url)) return SiteVerdict::kExcluded;
    has_include = has_include || !table.include.empty();
    included = included || any_found_in(table.include, url);
  }
  if (!has_include) return SiteVerdict::kNoRule;
  return included ? SiteVerdict::kIncluded : SiteVerdict::kNotIncluded;
}

bool SiteRules::may_hold_credentials(std::size_t table, const Url& url) const {
  const Table& rules = tables_[table];
  if (url.https()) return rules.by_host(url.host(), true);
  const std::string_view name = name_of_host(url.host());
  return std::ranges::any_of(rules.hosts, [&](const HostRule& rule) {
    return rule.https == std::optional<bool>(false) && rule.matches(url.host(), name);
  });
}

}  // namespace bowerbird
