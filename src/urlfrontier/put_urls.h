// Applies the puts of clients of a URLFrontier service: URLs that were discovered or fetched.
//
// Problem: each call of a UrlFrontier is one write, but clients send single URLs. Consecutive URLs of the
// same crawl with the same parent are combined into one call. A discovered URL that is already known
// still counts as a link; its result is kKnown. When apply_puts() returns, everything that it did not
// refuse is committed. Threads: any.
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
  std::string_view parent = {};  // of a discovered URL; an unknown parent counts as none
  std::string payload = {};
  bool fetched = false;
  Time due = kForever;  // of a fetched URL: when it is due again
};

enum class PutAnswer : std::uint8_t {
  kDone,
  kKnown,    // a discovered URL that was already known
  kRefused,  // not a URL, or too long; retrying is useless
  kFailed,   // not applied; may be retried
};

std::vector<PutAnswer> apply_puts(CrawlFolders& crawls, std::span<const UrlPut> puts, Time now,
                                  std::string& failure);

// The host name of a URL, which is its default key; empty: not a URL.
std::string default_key(std::string_view url);

}  // namespace bowerbird
