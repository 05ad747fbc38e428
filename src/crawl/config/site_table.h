// The settings of [[site]] tables as rows of an option table: how they are read, checked, kept and shown.
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

// One table of an options file; errors are added.
SiteSettings read_site(const TomlTable& table, TomlErrors& errors);
// As [[site]] tables. shown: without secrets.
std::string sites_toml(const std::vector<SiteSettings>& sites, bool shown);

// The values that the table sets, without secrets: "delay" -> {"5s"}.
struct SiteValue {
  std::string_view name;
  std::vector<std::string> values;
};
std::vector<SiteValue> shown_site(const SiteSettings& site);

// What all processes of a fleet must have the same, in one text; it holds no secret.
std::string agreed_sites(const std::vector<SiteSettings>& sites);
// What the order of a crawl depends on: the factors, and what they apply to. And back.
std::string site_priorities(const std::vector<SiteSettings>& sites);
Result<std::vector<SiteSettings>> read_site_priorities(const std::string& text);

// Each mistake is added. own_networks: whether --allow-net names any. alone: one process crawls.
void check_sites(const std::vector<SiteSettings>& sites, bool own_networks, bool alone,
                 std::vector<std::string>& complaints);

}  // namespace bowerbird
