// Data for the live page of a running crawl: the best queued pages with what blocks them, and hosts with
// their states. Plain data, copied by Crawler (crawler_view.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "crawl/state/hosts.h"
#include "policy/policy.h"

namespace bowerbird {

struct QueuedView {
  PageId page = kNoPage;
  std::string url;
  std::string host;
  Score score = 0;
  std::uint32_t depth = 0;
  std::uint32_t tries = 0;
  std::string_view state;  // "ready", "delay", ...; static
  std::string reason;      // the state as a sentence
  Time opens{};            // kNever: unknown
};

struct HostView {
  HostId id = 0;
  std::string name;
  std::string_view state;  // "active", "waiting", ...; static
  std::string reason;
  std::uint64_t pages = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
  std::uint32_t active = 0;
  std::uint32_t failures = 0;
  Duration delay{};
  Time opens{};  // kNever: unknown
  double answer_ms = 0;
  std::string_view robots;  // static
  std::string trouble;      // the last failure; empty: none in a row
};

// The robots.txt rules of an origin.
struct RulesView {
  std::string origin;
  std::string text;
  std::optional<double> crawl_delay;
  bool reached = true;
  Time until{};
};
std::vector<RulesView> rules_of(const Host& host);

}  // namespace bowerbird
