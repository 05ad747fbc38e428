// What a robots.txt says to a crawler, as JSON: agent, group (the lines that choose it), rules, crawl_delay,
// sitemaps, complaints, truncated, and for each URL a decision: input, target, allowed, line and rule; or
// input and rejected, the reason.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

// bytes: of the file; token: the crawler's name in robots.txt; urls: URLs, or paths on the host of the file.
nlohmann::ordered_json robots_report(std::string_view bytes, std::string_view token,
                                     const std::vector<std::string>& urls);

}  // namespace bowerbird
