// Finds out what must be known about a host before its first page: its addresses and its robots.txt.
//
// Problem: thousands of hosts are new at the same time, and many never answer. The crawl prepares a host
// when one of its pages is the best one. Each call starts one request, first the DNS lookup, then
// robots.txt, and closes the host's gate until the request has ended. Between the two the host waits for
// its own delay, its address and its domain like any other, and holds no slot (request_slots.h). Names
// are looked up again when the answer expires, rules after a day (RFC 9309, 2.4).
//
// A redirected robots.txt is requested from its target, which is looked up first. The request waits for
// the target's gates (name, domain, addresses) and counts as a request there, whether or not the crawl
// knows the target. Requests to one target queue up, and only the first is tried; if too many wait,
// further hosts are asked again later. If the target fails, the redirecting host waits, not the target,
// unless the target sends Retry-After. No page of an origin may be fetched while its rules cannot be read.
// Sitemaps that a robots.txt names become pages of the crawl.
//
// Ownership: everything in Parts outlives it. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "base/time.h"
#include "crawl/config/request_fields.h"
#include "crawl/judge/robots_answer.h"
#include "crawl/judge/scope.h"
#include "crawl/loop/crawl_clock.h"
#include "crawl/loop/host_failures.h"
#include "crawl/loop/request_slots.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/crawl_status.h"
#include "fetch/fetcher.h"
#include "fetch/net_filter.h"
#include "fleet/exchange/session.h"

namespace bowerbird {

class HostPreparer {
 public:
  // Callbacks that archive answers; empty: not archived.
  struct Archive {
    std::function<void(const std::string& url, const FetchOutcome&)> robots = {};
    std::function<void(const std::string& host, const FetchOutcome&)> dns = {};
  };
  struct Parts {
    CrawlState& state;
    Fetcher& fetcher;
    RequestSlots& slots;
    HostFailures& failures;
    FleetSession* session;  // null: one process
    CrawlCounts& counts;
    const CrawlClock& clock;
    const NetFilter& filter;
    const RequestFields& fields;
    const Scope& scope;
    std::string token;  // our name in robots.txt
    bool follow_sitemaps = true;
    // Whether there is no room for a new URL with this fingerprint.
    std::function<bool(std::uint64_t)> turn_away = {};
    Archive archive = {};
  };
  explicit HostPreparer(Parts parts) : parts_(std::move(parts)) {}

  // Start the DNS lookup, or the request for robots.txt. The caller has checked slots and gates.
  void look_up(HostId id, bool https, Time now);
  // for_page: false: it is needed for a requisite, so only sitemaps in scope are followed.
  void ask_robots(HostId id, bool https, Time now, bool for_page = true);

  // A request that this class has started has ended.
  void take_resolved(HostId id, const FetchOutcome& outcome, Time now);
  void take_robots(HostId id, FetchOutcome outcome, Time now);
  // Starts redirected requests whose gates have opened.
  void start_due(Time now);
  // The time of the next start_due(); kNever: none waits.
  Time next_due() const { return due_.empty() ? kNever : due_.begin()->first; }

  // Number of hosts that are being prepared.
  std::uint64_t hosts() const { return preparations_.size(); }
  // Whether a name was resolved, or a lookup failed, in this run.
  bool any_resolved() const { return any_resolved_; }
  bool dns_failed() const { return dns_failed_; }
  // The first address that the filter refused, as the fetcher reported it.
  const std::string& refused() const { return refused_; }
  void note_refusal(const FetchOutcome& outcome);

 private:
  // A host that is being prepared.
  struct Preparation {
    bool https = false;  // the scheme for which robots.txt is requested
    std::string url;
    std::string target;  // the host of url
    unsigned hops = 0;
    bool for_page = true;
    bool both = false;  // redirected to the robots.txt of the other scheme, so the rules apply to both
  };

  HostTable& table() { return parts_.state.hosts(); }
  Preparation& begin(HostId id, bool https);
  void end(HostId id, Time now);
  void start_lookup(HostId id, const Preparation& preparation, Time now);
  void start_robots(HostId id, const Preparation& preparation, Time now);
  Time start_redirected(HostId id, Time now);
  void line_up(HostId id, Time now);
  void leave_line(const std::string& target, Time now);
  bool redirected(HostId id, Preparation& preparation, std::string url, Time now);
  void know_rules(HostId id, bool https, OriginRules rules);
  void failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now);
  void follow(HostId id, bool for_page, const std::vector<std::string>& sitemaps);

  Parts parts_;
  std::unordered_map<HostId, Preparation> preparations_;
  // Redirected requests by target, and when the first one of each target is tried next.
  std::unordered_map<std::string, std::deque<HostId>, KeyedStringHash> lines_;
  std::set<std::pair<Time, HostId>> due_;
  std::size_t in_line_ = 0;
  bool any_resolved_ = false;
  bool dns_failed_ = false;
  std::string refused_;
};

}  // namespace bowerbird
