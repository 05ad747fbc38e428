// What clients of a URLFrontier service put: URLs that were discovered, and URLs that were fetched.
//
// Problem: a call of a UrlFrontier is one write, and clients send single URLs. Neighbours of the same crawl
// with the same parent become one call. A discovered URL that is known already still counts as a link; its
// result says that it is known. When apply_puts() returns, everything that it did not refuse is committed.
// Threads: any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "urlfrontier/crawl_folders.h"

namespace bowerbird {

struct UrlPut {
  std::string_view crawl = {};
  std::string_view url = {};
  std::string_view key = {};     // its queue; empty: the host name
  std::string_view parent = {};  // of a discovered one; one that is not known counts as none
  std::string payload = {};      // at most kLargestPayload bytes
  bool fetched = false;
  Time due = kForever;  // of a fetched one: when it is to be fetched again
};

enum class PutAnswer : std::uint8_t {
  kDone,
  kKnown,    // a discovered URL that was known
  kRefused,  // it is no URL, or something is too long; it fails again
  kFailed,   // nothing was done; it may be tried again
};

constexpr std::size_t kLongestKey = 255;
// Clients of gRPC refuse messages beyond 4 MiB if nothing else is set, so no URL may grow to that. A larger
// payload of a fetched URL is dropped, and it keeps the one that it has.
constexpr std::size_t kLargestPayload = std::size_t{1} << 20;

std::vector<PutAnswer> apply_puts(CrawlFolders& crawls, std::span<const UrlPut> puts, Time now,
                                  std::string& failure);

// The host name of a URL, the key of URLs without one; empty: it is no URL.
std::string default_key(std::string_view url);

}  // namespace bowerbird
