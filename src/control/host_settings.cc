#include "control/host_settings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "crawl/config/option_table.h"
#include "crawl/config/site_table.h"
#include "crawl/state/state_setup.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

// The options that affect a single host.
constexpr std::string_view kOptions[] = {
    "delay",          "delay-ip",         "delay-domain", "max-delay", "adapt", "connections-per-host",
    "pages-per-host", "pages-per-domain", "depth"};

// The option that a setting of a table replaces; empty: none.
std::string_view replaced_by(std::string_view name) {
  if (name == "connections") return "connections-per-host";
  return name == "delay" || name == "pages-per-host" || name == "depth" ? name : std::string_view();
}

bool is_match(std::string_view name) {
  return name == "host" || name == "domain" || name == "url";
}

}  // namespace

Json host_settings(const CrawlOptions& options, const SiteRules* sites, std::string_view host,
                   const std::function<bool(const std::string&)>& by_command) {
  Json tables = Json::array();
  std::set<std::string_view> replaced;
  const SiteTables of_host = sites == nullptr ? SiteTables() : sites->tables_of_host(host);
  for (std::size_t i = 0; sites != nullptr && i < sites->size(); ++i) {
    const SiteSettings& site = (*sites)[i];
    const bool matches = std::ranges::find(of_host, static_cast<std::uint16_t>(i)) != of_host.end();
    if (!matches && site.urls.empty()) continue;
    const std::string from =
        fmt::format("[[site]] {}{}", site.name(), matches ? "" : " (only URLs that match)");
    for (const SiteValue& value : shown_site(site)) {
      if (is_match(value.name)) continue;
      if (matches) replaced.insert(replaced_by(value.name));
      tables.push_back({{"option", value.name},
                        {"value", fmt::format("{}", fmt::join(value.values, ", "))},
                        {"from", from}});
    }
  }
  Json list = Json::array();
  for (const std::string_view name : kOptions) {
    if (replaced.contains(name)) continue;
    const CrawlOptionRow* const row = find_row(crawl_option_table(), name);
    std::string value = fmt::format("{}", fmt::join(row->shown(options), ", "));
    if (const std::string used = used_value(options, name); !used.empty())
      value = fmt::format("{}: {}", value, used);
    list.push_back({{"option", name},
                    {"value", value},
                    {"from", by_command(std::string(name)) ? "command" : "options"}});
  }
  for (Json& one : tables) list.push_back(std::move(one));
  return list;
}

}  // namespace bowerbird
