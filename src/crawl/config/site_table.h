// The settings of [[site]] tables as rows of an option table: how they are read, checked, written and
// shown.
//
// Immutable; threads: any.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/option_row.h"
#include "crawl/judge/site_rules.h"
#include "sys/toml.h"

namespace bowerbird {

using SiteOptionRow = OptionRow<SiteSettings>;

std::span<const SiteOptionRow> site_option_table();

// Reads one table of an options file. Mistakes are added to `errors`.
SiteSettings read_site(const TomlTable& table, TomlErrors& errors);
// The settings as [[site]] tables. shown: without secrets.
std::string sites_toml(const std::vector<SiteSettings>& sites, bool shown);

// The values that a table sets, without secrets: "delay" -> {"5s"}.
struct SiteValue {
  std::string_view name;
  std::vector<std::string> values;
};
std::vector<SiteValue> shown_site(const SiteSettings& site);

// The settings that must be the same in all processes of a fleet, as text without secrets.
std::string agreed_sites(const std::vector<SiteSettings>& sites);
// The settings that the crawl order depends on: priorities and the URLs they apply to.
// read_site_priorities() is the inverse.
std::string site_priorities(const std::vector<SiteSettings>& sites);
Result<std::vector<SiteSettings>> read_site_priorities(const std::string& text);

// Adds each mistake. own_networks: whether --allow-net names a network. alone: one process crawls.
void check_sites(const std::vector<SiteSettings>& sites, bool own_networks, bool alone,
                 std::vector<std::string>& complaints);

}  // namespace bowerbird
