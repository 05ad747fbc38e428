// The cookies of a crawl: the jar, its file, and which request gets which cookies.
//
// Problem: cookies must survive a kill, and must not appear in archives or logs. The jar is written to
// cookies.txt in the crawl folder, readable by its owner only, with each commit that follows a change.
// Each request gets the cookies of its own URL, so a redirect does not carry any along. robots.txt is
// requested without cookies. Whether cookies are kept depends on the URL: on the [[site]] table that
// matches, otherwise on --cookies. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "crawl/judge/site_rules.h"
#include "fetch/cookie_jar.h"
#include "fetch/fetcher.h"

namespace bowerbird {

class RequestCookies {
 public:
  struct Options {
    std::string file;
    bool by_default = false;                 // for URLs that no table matches
    std::shared_ptr<const SiteRules> sites;  // null: there are none
  };
  explicit RequestCookies(Options options) : options_(std::move(options)) {}

  // Reads the jar of the last run, then the cookie file `given` unless it is empty.
  Status open(const std::string& given, UnixTime now);

  // Adds the Cookie line for a request of this URL to `fields`, which has lines "Name: value\r\n".
  void add_field(std::uint64_t request, const std::string& url, UnixTime now, std::string& fields);
  // The request has ended. Returns whether it had cookies of the jar.
  bool take(std::uint64_t request, const FetchOutcome& outcome, UnixTime now);
  // No request is in flight now.
  void clear_requests() { requests_.clear(); }

  // Writes the jar if it has changed.
  Status save();
  const CookieJar& jar() const { return jar_; }

 private:
  struct Request {
    Url url;
    bool sent = false;
  };
  bool keeps(const Url& url);

  Options options_;
  CookieJar jar_;
  SiteCache cache_;
  std::unordered_map<std::uint64_t, Request> requests_;
  bool changed_ = false;
};

}  // namespace bowerbird
