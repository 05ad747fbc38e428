// What applies to one host: the options that act on it, and the [[site]] tables that match it.
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

// The settings of a Host of the API. An option that a table of the host replaces is listed with the table's
// value only. sites: null: there are no tables. by_command: whether a command has set the option.
nlohmann::json host_settings(const CrawlOptions& options, const SiteRules* sites, std::string_view host,
                             const std::function<bool(const std::string&)>& by_command);

}  // namespace bowerbird
