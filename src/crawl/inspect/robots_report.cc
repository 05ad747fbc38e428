#include "crawl/inspect/robots_report.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/robots.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

using Json = nlohmann::ordered_json;

// The line of the file with this number.
std::string rule_line(std::string_view bytes, std::uint32_t number) {
  for (; number > 1; --number) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    const bool two = bytes.substr(end).starts_with("\r\n");
    bytes.remove_prefix(std::min(bytes.size(), end + (two ? 2 : 1)));
  }
  return std::string(trimmed(bytes.substr(0, bytes.find_first_of("\r\n"))));
}

Json records(const std::vector<RobotsRecord>& list) {
  Json json = Json::array();
  for (const RobotsRecord& record : list) json.push_back({{"line", record.line}, {"text", record.text}});
  return json;
}

// The user-agent lines that choose the rules: those with our name, else those with "*".
Json chosen_agents(const RobotsText& text, std::string_view token) {
  Json json = Json::array();
  for (const std::string_view name : {token, std::string_view("*")}) {
    for (const RobotsGroup& group : text.groups) {
      for (const RobotsAgent& agent : group.agents) {
        if (equals_ignoring_case(agent.token, name))
          json.push_back({{"line", agent.line}, {"text", agent.token}});
      }
    }
    if (!json.empty()) break;
  }
  return json;
}

Json decision(const RobotsRules& rules, std::string_view bytes, const std::string& text) {
  Json json = {{"input", text}};
  // A path alone is checked on the host of the file.
  Url host;
  CHECK(parse_url("http://localhost/", nullptr, host) == UrlFault::kNone);
  Url url;
  const UrlFault fault = canonical_url(text, text.starts_with('/') ? &host : nullptr, url);
  if (fault != UrlFault::kNone) {
    json["rejected"] = fault_text(fault);
    return json;
  }
  const RobotsDecision decided = rules.decide(url.target());
  json["target"] = url.target();
  json["allowed"] = decided.allowed;
  if (decided.line > 0) {
    json["line"] = decided.line;
    json["rule"] = rule_line(bytes, decided.line);
  }
  return json;
}

}  // namespace

nlohmann::ordered_json robots_report(std::string_view bytes, std::string_view token,
                                     const std::vector<std::string>& urls) {
  const std::string utf8 = robots_in_utf8(bytes);
  const RobotsText text = parse_robots(utf8);
  const RobotsRules rules = RobotsRules::make(text, token);
  Json json = {{"agent", token},
               {"group", chosen_agents(text, token)},
               {"rules", rules.size()},
               {"sitemaps", records(text.sitemaps)},
               {"complaints", records(text.complaints)},
               {"truncated", text.truncated},
               {"decisions", Json::array()}};
  if (rules.crawl_delay()) json["crawl_delay"] = *rules.crawl_delay();
  for (const std::string& url : urls) json["decisions"].push_back(decision(rules, utf8, url));
  return json;
}

}  // namespace bowerbird
