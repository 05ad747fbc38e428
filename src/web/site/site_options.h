// The behaviour of the test Web. By default every page answers at once, completely and unchanged, and has
// exactly the links of the graph. Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "web/site/faults.h"
#include "web/http/coding.h"
#include "web/site/traps.h"

namespace bowerbird {

struct SiteOptions {
  std::uint64_t seed = 1;
  unsigned words = 150;      // on a page, on average
  bool https = false;        // TLS is enabled: https names are kept
  HostId unknown_hosts = 1;  // a web without known hosts is divided into this many

  // Faults.
  std::vector<FaultRule> page_faults;
  std::vector<FaultRule> host_faults;    // affect all requests to a host
  std::vector<FaultRule> robots_faults;  // affect its robots.txt
  double bad_certificates = 0;           // share of hosts whose certificate is expired or another's
  double redirects = 0;                  // share of the pages with exactly one link that are redirects to it
  TrapShares traps{};                    // share of the hosts
  double copies = 0;                     // share of pages with two exact copies under other URLs
  double near_copies = 0;                // share of pages with two copies that differ in a few words
  unsigned retry_after_s = 1;            // of 503 and 429
  double requests_per_second = 0;        // a host answers 429 to more; 0: no limit
  std::uint64_t drip_bytes_per_second = 64;

  // Speed: the median over the hosts; most are within a factor of 4 of it.
  double latency_ms = 0;
  std::uint64_t bytes_per_second = 0;  // 0: no limit

  // Form.
  double chunked = 0;  // share of pages sent in chunks
  CodingSet codings;   // offered; each page picks one that the client accepts

  // Time.
  double changes_per_day = 0;  // of a page, on average
  std::int64_t start_us = 0;   // when the Web begins; newcomers appear after it
  double newcomers = 0;        // share of pages that appear later, with the links to them; never page 0
  double newcomer_days = 30;   // the period in which they appear

  struct Files {               // what every host has besides pages
    double crawl_delay_s = 0;  // 0: none
    double disallow = 0;       // share of hosts that forbid some of their pages
    bool sitemaps = false;
    bool feeds = false;      // every host has one, RSS or Atom
    double false_dates = 0;  // share of hosts whose sitemap and feed claim that every page has just changed
  } files;
};

// Every kind of fault, each with a small share.
SiteOptions hostile(SiteOptions options);

}  // namespace bowerbird
