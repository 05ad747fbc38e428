// What a robots.txt means for a crawler, as JSON: agent, group (the lines that select it), rules,
// crawl_delay, sitemaps, complaints, truncated, and a decision for each URL: input, target, allowed, line
// and rule; or input and rejected, the reason. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

// bytes: the file. token: the crawler's name in robots.txt. urls: URLs, or paths on the host of the file.
nlohmann::ordered_json robots_report(std::string_view bytes, std::string_view token,
                                     const std::vector<std::string>& urls);

}  // namespace bowerbird
