// [[site]] tables applied to pages: depth, budgets, waits; and the cookies of requests.
#include <algorithm>

#include "crawl/loop/crawler.h"

namespace bowerbird {

namespace {

// The host of a seed without "www.": most sites answer to both names.
std::string seed_host(const std::string& text) {
  constexpr std::string_view kWww = "www.";
  Url url;
  if (parse_url(text, nullptr, url) != UrlFault::kNone) return {};
  const std::string_view host = url.host();
  return std::string(host.starts_with(kWww) ? host.substr(kWww.size()) : host);
}

bool keeps_cookies(const CrawlOptions& options, const std::vector<std::string>& seeds) {
  if (options.network.cookie_jar != CookieMode::kAuto) return options.network.cookie_jar == CookieMode::kOn;
  if (options.scope.mode != ScopeMode::kHost && options.scope.mode != ScopeMode::kPrefix) return false;
  if (!options.scope.hosts.empty() || seeds.empty()) return false;
  const std::string first = seed_host(seeds.front());
  return std::ranges::all_of(seeds, [&](const std::string& seed) { return seed_host(seed) == first; });
}

}  // namespace

// Also parses the page's URL into buffers_.url.
std::span<const std::uint16_t> Crawler::tables_of(PageId page) {
  if (rules_.sites == nullptr || parse_url(state().url(page), nullptr, buffers_.url) != UrlFault::kNone)
    return {};
  return rules_.sites->tables_of(buffers_.url, rules_.scope_cache.sites);
}

std::uint64_t Crawler::most_depth(PageId page) {
  if (rules_.sites == nullptr || !rules_.sites->any(&SiteSettings::depth)) return options_.budget.depth;
  return rules_.sites->value(tables_of(page), &SiteSettings::depth).value_or(options_.budget.depth);
}

// ---- Budgets

// Whether a budget of one of the page's tables is used up.
bool Crawler::site_is_full(PageId page) {
  if (rules_.sites == nullptr || state().facts().is_sitemap(page)) return false;
  for (const std::uint16_t table : tables_of(page)) {
    const SiteSettings& site = (*rules_.sites)[table];
    if (!site.pages && !site.bytes) continue;
    const SiteCounts& counts = counts_.sites[site.name()];
    if ((site.pages && counts.pages >= *site.pages) || (site.bytes && counts.bytes >= *site.bytes))
      return true;
  }
  return false;
}

void Crawler::count_site_pages(PageId page, int change) {
  if (rules_.sites == nullptr || state().facts().is_sitemap(page)) return;
  for (const std::uint16_t table : tables_of(page)) {
    const SiteSettings& site = (*rules_.sites)[table];
    if (!site.pages && !site.bytes) continue;
    std::uint64_t& pages = counts_.sites[site.name()].pages;
    if (change > 0 || pages > 0) pages += static_cast<std::uint64_t>(change);
  }
}

void Crawler::count_site_bytes(PageId page, std::uint64_t bytes) {
  if (rules_.sites == nullptr) return;
  for (const std::uint16_t table : tables_of(page)) {
    const SiteSettings& site = (*rules_.sites)[table];
    if (site.pages || site.bytes) counts_.sites[site.name()].bytes += bytes;
  }
}

// ---- Waits

// The delay of a table that matches by URL prolongs the host's delay.
void Crawler::wait_after(PageId page, HostId id, Time now) {
  if (rules_.sites == nullptr || !rules_.sites->any(&SiteSettings::delay)) return;
  Duration longest{};
  for (const std::uint16_t table : tables_of(page)) {
    const SiteSettings& site = (*rules_.sites)[table];
    if (site.delay && !site.urls.empty()) longest = std::max(longest, rounded(*site.delay));
  }
  if (longest > 0ms) hosts().back_off(id, now + longest);
}

// When a held page may be fetched again by the refresh interval of its [[site]] table, in the crawl's time;
// Time{}: now, or no table has an interval.
Time Crawler::site_rests_until(PageId page, Time now) {
  if (rules_.sites == nullptr || options_.refresh.round ||
      !rules_.sites->any(&SiteSettings::refresh_interval))
    return {};
  const Seconds interval = rules_.sites->value(tables_of(page), &SiteSettings::refresh_interval)
                               .value_or(options_.refresh.shortest);
  const VisitRecord known = state().refresh().visits().get(page);
  const RefreshTime until = known.visited + rounded(interval);
  return until <= state().refresh().time(now) ? Time{} : state().refresh().crawl_time(until);
}

// ---- Requests

Status Crawler::open_cookies() {
  if (!options_.network.cookie_file.empty() && options_.network.cookie_jar == CookieMode::kAuto)
    options_.network.cookie_jar = CookieMode::kOn;
  RequestCookies::Options made;
  made.file = options_.out + "/" + crawl_files::kCookies;
  made.by_default = keeps_cookies(options_, state().seed_urls());
  made.sites = rules_.sites;
  rules_.cookies = std::make_unique<RequestCookies>(std::move(made));
  return rules_.cookies->open(options_.network.cookie_file, milliseconds_of(clock_.now()) / 1000);
}

// The user's own fields, and the cookies of the host.
std::string Crawler::fields_of(std::uint64_t request, const std::string& url, Time now) {
  std::string fields = rules_.fields.for_url(url);
  rules_.cookies->add_field(request, url, milliseconds_of(now) / 1000, fields);
  return fields;
}

}  // namespace bowerbird
