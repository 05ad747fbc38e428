#include "crawl/config/site_table.h"

#include <fmt/ranges.h>

#include "crawl/config/request_fields.h"

namespace bowerbird {

namespace {

using S = SiteSettings;
using SiteField = OptionField<SiteSettings>;
constexpr std::string_view kSite = "Settings of a site";

// A setting that a table may leave out.
template <typename T, typename Read, typename Write>
SiteField open_field(std::optional<T> S::*member, Read read, Write write) {
  SiteField field;
  field.read = [member, read](S& site, std::string_view text) -> Status {
    BB_TRY(T value, read(text));
    site.*member = value;
    return {};
  };
  field.texts = [member, write](const S& site) -> std::vector<std::string> {
    if (!(site.*member)) return {};
    return {write(*(site.*member))};
  };
  return field;
}

SiteField open_time(std::optional<Seconds> S::*member) {
  return open_field(member, parse_seconds, [](Seconds value) { return exact_seconds(value); });
}

SiteField open_count(std::optional<std::uint64_t> S::*member, std::uint64_t least) {
  const auto read = [least](std::string_view text) -> Result<std::uint64_t> {
    BB_TRY(const std::uint64_t value, parse_count(text));
    if (value < least) return error("'{}': expected at least {}", text, least);
    return value;
  };
  return open_field(member, read, [](std::uint64_t value) { return fmt::format("{}", value); });
}

SiteField open_flag(std::optional<bool> S::*member) {
  const auto read = [](std::string_view text) -> Result<bool> {
    if (text != "true" && text != "false") return error("'{}': expected true or false", text);
    return text == "true";
  };
  SiteField field = open_field(member, read, [](bool value) { return fmt::format("{}", value); });
  field.words = {"true", "false"};
  return field;
}

SiteField priority() {
  static constexpr double kMost = 1e6;
  const auto read = [](std::string_view text) -> Result<double> {
    BB_TRY(const double factor, parse_number(text));
    if (!(factor >= 1 / kMost && factor <= kMost))
      return error("'{}': expected a factor from {} to {}", text, 1 / kMost, kMost);
    return factor;
  };
  return open_field(&S::priority, read, [](double factor) { return fmt::format("{}", factor); });
}

Status check_site_pattern(std::string_view text) {
  BB_TRY_VOID(UrlPattern::make(std::string(text)));
  return {};
}

// The text must be usable as a host rule.
Status check_host(std::string_view text) {
  S site;
  site.hosts = {std::string(text)};
  BB_TRY_VOID(SiteRules::make({site}));
  return {};
}

Status check_domain(std::string_view text) {
  S site;
  site.domains = {std::string(text)};
  BB_TRY_VOID(SiteRules::make({site}));
  return {};
}

std::vector<SiteOptionRow> match_rows() {
  return {
      {{"host", kSite, "NAME",
        "Hosts of the table: www.example.org; *.example.org for all subdomains; http://example.org for http "
        "only. Without a port: all ports",
        kMany | kAgreed},
       list_field(at(&S::hosts), check_host)},
      {{"domain", kSite, "NAME", "Domains of the table, with all subdomains", kMany | kAgreed},
       list_field(at(&S::domains), check_domain)},
      {{"url", kSite, "REGEX",
        "URLs of the table: a regular expression (RE2) that matches anywhere in the URL", kMany | kAgreed},
       list_field(at(&S::urls), check_site_pattern)},
  };
}

std::vector<SiteOptionRow> limit_rows() {
  return {
      {{"delay", kSite, "TIME",
        "Minimum time between the starts of two requests to one host, instead of --delay. In a table with "
        "`url`: the minimum time after a request for such a URL"},
       open_time(&S::delay)},
      {{"connections", kSite, "N",
        "Maximum number of simultaneous requests to one host, instead of --connections-per-host. More than 1 "
        "is allowed only on --allow-net networks"},
       open_count(&S::connections, 1)},
      {{"pages", kSite, "N", "Maximum number of pages of the table, all URLs together", kAgreed},
       open_count(&S::pages, 0)},
      {{"bytes", kSite, "BYTES", "Fetch no further pages of the table after this many bytes", kAgreed},
       open_field(&S::bytes, parse_bytes, exact_bytes)},
      {{"pages-per-host", kSite, "N", "Maximum number of pages per host, instead of --pages-per-host",
        kAgreed},
       open_count(&S::pages_per_host, 0)},
      {{"depth", kSite, "N", "Maximum number of links from a seed, instead of --depth", kAgreed},
       open_count(&S::depth, 0)},
      {{"include", kSite, "REGEX", "Of these URLs, crawl only those that match; --include does not apply",
        kMany | kAgreed},
       list_field(at(&S::include), check_site_pattern)},
      {{"exclude", kSite, "REGEX", "Of these URLs, never crawl those that match, in addition to --exclude",
        kMany | kAgreed},
       list_field(at(&S::exclude), check_site_pattern)},
  };
}

std::vector<SiteOptionRow> request_rows() {
  return {
      {{"header", kSite, "FIELD", "Send this header field, \"Name: value\"", kMany | kSecret},
       list_field(at(&S::headers))},
      {{"auth", kSite, "USER:PASSWORD", "Basic authentication. Over http only if `host` has http://",
        kSecret},
       text_field(at(&S::auth))},
      {{"cookie", kSite, "COOKIES", "Send these cookies, \"a=1; b=2\". Over http only if `host` has http://",
        kMany | kSecret},
       list_field(at(&S::cookie))},
      {{"cookies", kSite, "", "Accept the cookies of these hosts, instead of --cookies"},
       open_flag(&S::cookies)},
      {{"requisites", kSite, "", "Fetch what these pages need to be displayed, instead of --requisites",
        kAgreed},
       open_flag(&S::requisites)},
      {{"refresh-interval", kSite, "TIME",
        "Minimum time between two fetches of a page, instead of --shortest-interval"},
       open_time(&S::refresh_interval)},
      {{"priority", kSite, "FACTOR",
        "Multiply the worth of these pages by FACTOR, so that they are fetched earlier (above 1) or later",
        kAgreed | kFixed},
       priority()},
  };
}

}  // namespace

std::span<const SiteOptionRow> site_option_table() {
  static const std::vector<SiteOptionRow> table = [] {
    std::vector<SiteOptionRow> all;
    for (const auto rows : {match_rows, limit_rows, request_rows})
      std::ranges::move(rows(), std::back_inserter(all));
    return all;
  }();
  return table;
}

SiteSettings read_site(const TomlTable& table, TomlErrors& errors) {
  SiteSettings site;
  for (const TomlTable::Entry& entry : table.entries) {
    if (const SiteOptionRow* const row = find_row(site_option_table(), entry.key)) {
      read_entry(*row, entry, site, errors);
    } else {
      std::vector<std::string> known;
      for (const SiteOptionRow& one : site_option_table()) known.emplace_back(one.name);
      errors.add_unknown(entry, " in [[site]]", known);
    }
  }
  if (site.hosts.empty() && site.domains.empty() && site.urls.empty())
    errors.add(table.position, "a [[site]] table needs host, domain or url");
  return site;
}

std::vector<SiteValue> shown_site(const SiteSettings& site) {
  std::vector<SiteValue> shown;
  for (const SiteOptionRow& row : site_option_table()) {
    std::vector<std::string> values = row.texts(site);
    if (values.empty()) continue;
    if (row.is(kSecret)) std::ranges::fill(values, "...");
    shown.push_back({row.name, std::move(values)});
  }
  return shown;
}

std::string sites_toml(const std::vector<SiteSettings>& sites, bool shown) {
  std::string text;
  for (const SiteSettings& site : sites) {
    std::vector<TomlLine> lines;
    for (const SiteOptionRow& row : site_option_table()) {
      std::vector<std::string> values = row.texts(site);
      if (shown && row.is(kSecret)) std::ranges::fill(values, "...");
      lines.push_back({&row, std::move(values)});
    }
    text += "\n[[site]]\n" + write_toml(lines);
  }
  return text;
}

namespace {

std::string lines_of(const std::vector<SiteSettings>& sites, unsigned traits) {
  std::string text;
  for (const SiteSettings& site : sites) {
    std::vector<TomlLine> lines;
    for (const SiteOptionRow& row : site_option_table()) {
      if ((row.traits & traits) != 0) lines.push_back({&row, row.texts(site)});
    }
    text += "[[site]]\n" + write_toml(lines);
  }
  return text;
}

}  // namespace

std::string agreed_sites(const std::vector<SiteSettings>& sites) {
  return lines_of(sites, kAgreed);
}

std::string site_priorities(const std::vector<SiteSettings>& sites) {
  std::vector<SiteSettings> kept;
  for (const SiteSettings& site : sites) {
    if (!site.priority) continue;
    SiteSettings& one = kept.emplace_back();
    one.hosts = site.hosts;
    one.domains = site.domains;
    one.urls = site.urls;
    one.priority = site.priority;
  }
  return lines_of(kept, kAgreed);
}

Result<std::vector<SiteSettings>> read_site_priorities(const std::string& text) {
  BB_TRY(const TomlTable table, parse_toml(text, "site priorities"));
  TomlErrors errors("site priorities");
  std::vector<SiteSettings> sites;
  for (const TomlTable::Entry& entry : table.entries) {
    for (const TomlTable& one : entry.tables) sites.push_back(read_site(one, errors));
  }
  BB_TRY_VOID(errors.status());
  return sites;
}

void check_sites(const std::vector<SiteSettings>& sites, bool own_networks, bool alone,
                 std::vector<std::string>& complaints) {
  const auto complain = [&](const SiteSettings& site, std::string_view what) {
    complaints.push_back(fmt::format("[[site]] {}: {}", site.name(), what));
  };
  for (const SiteSettings& site : sites) {
    if (site.delay == Seconds(0) && !own_networks)
      complain(site, "delay 0 works only for your own networks: name them with --allow-net");
    if (site.connections.value_or(1) > 1 && !own_networks)
      complain(site, "connections above 1 work only for your own networks: name them with --allow-net");
    if (site.connections && !site.urls.empty())
      complain(site, "connections are counted by host: use host or domain instead of url");
    if (site.pages_per_host && !site.urls.empty())
      complain(site, "pages-per-host is counted by host: use host or domain, or pages");
    if (!alone && (site.pages || site.bytes))
      complain(site, "pages and bytes do not work with several processes; use pages-per-host");
    if (site.has_secret() && !site.urls.empty())
      complain(site, "header, auth and cookie need host or domain: a pattern may match URLs of any host");
    if (const Status fields = check_site_fields(site); !fields.ok()) complain(site, fields.error().text);
  }
  if (const auto rules = SiteRules::make(sites); !rules.ok()) complaints.push_back(rules.error().text);
}

}  // namespace bowerbird
