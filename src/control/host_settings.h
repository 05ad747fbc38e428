// The settings that apply to one host: options, and the [[site]] tables that match it.
//
// Pure; threads: any.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "crawl/config/options.h"
#include "crawl/judge/site_rules.h"

namespace bowerbird {

// The settings of a Host object of the API. If a table replaces an option, only the table's value is
// listed. sites: null: no tables. by_command: whether a command has set the option.
nlohmann::json host_settings(const CrawlOptions& options, const SiteRules* sites, std::string_view host,
                             const std::function<bool(const std::string&)>& by_command);

}  // namespace bowerbird
