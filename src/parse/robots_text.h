// The lines of a robots.txt: groups of user agents with their rules, and other records (RFC 9309, sections
// 2.1 to 2.3).
//
// Problem: the files are written by hand. Every line that can be parsed counts, whatever is around it
// (section 2.3.1.5); others are kept as complaints with their line number, for display. Extensions of the RFC
// with a clear intention count if they restrict us: UTF-16, misspelt keys, "<br>" as a line end. A
// Crawl-delay applies to the agents named above it since the last rule or Crawl-delay; it does not end the
// list of agents for the next rules. Reads at most 500 KiB (section 2.5); the line that crosses the limit and
// all after it are ignored. Memory is a small multiple of the bytes read. Pure; threads: any. robots.h
// compiles this into RobotsRules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

constexpr std::size_t kRobotsLimit = std::size_t{500} * 1024;

struct RobotsRecord {
  std::uint32_t line;  // the first is 1
  std::string text;
};

struct RobotsRuleLine {
  std::uint32_t line;
  bool allow;
  std::string pattern;  // as written; never empty
};

struct RobotsAgent {
  std::uint32_t line;
  std::string token;                  // a product token, or "*"
  std::optional<double> crawl_delay;  // seconds; the longest of several
};

struct RobotsGroup {
  std::vector<RobotsAgent> agents;
  std::vector<RobotsRuleLine> rules;
};

struct RobotsText {
  std::vector<RobotsGroup> groups;
  std::vector<RobotsRecord> sitemaps;
  std::vector<RobotsRecord> complaints;  // ignored lines, and why; the first kMostComplaints
  bool truncated = false;                // there was more than kRobotsLimit

  static constexpr std::size_t kMostComplaints = 100;
};

RobotsText parse_robots(std::string_view bytes);
// The file as UTF-8, if it is in UTF-16 or UTF-32; otherwise unchanged.
std::string robots_in_utf8(std::string_view bytes);

// The leading letters, '-' and '_' of a user agent: "Bowerbird" of "Bowerbird/1.0 (+http://...)".
std::string_view product_token(std::string_view user_agent);

}  // namespace bowerbird
